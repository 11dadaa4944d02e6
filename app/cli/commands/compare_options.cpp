#include "app/cli/commands/compare_options.h"

#include "app/cli/selection/option_list.h"

#include <utility>

namespace helio {

void CompareOptions::addTo(OptionList& options)
{
    sides.addTo(options);
    addTraces(options, traces);
    options.value("--calls", calls, "FUNCTION", "Compare slow calls of FUNCTION (B) with fast ones (A), within TRACE");
    options.value("--longer-than", m_given.longerThan, "DURATION",
                  "With --calls: duration from which a call is slow (default: the median)");
    reading.addTo(options);
    selection.addTo(options, "With --all: only matching samples, for example: thread == \"worker\"");
    difference.addTo(options);
    samples.addInliningTo(options);
    options.flag("--functions", m_given.isOfFunctions, "Compare sampled functions, one run on each side");
    options.flag("--durations", m_given.isOfDurations, "Compare durations of states and system calls");
    samples.addEventTo(options, "Use samples of this event, for example cpu-clock");
    samples.addCountTo(options, "Weigh samples by count or period: samples, period");
    options.flag("--inverted", isInverted, "svg: invert, with sampled functions at the root");
    options.flag("--icicle", isIcicle, "svg: put roots on top");
    format.addTo(options);
}

Status CompareOptions::read()
{
    return runInOrder([&] { return checkFormat(); }, [&] { return readCalls(); }, [&] { return reading.read(); },
                      [&] { return samples.read(); }, [&] { return readShown(); }, [&] { return difference.read(); },
                      [&] { return checkCalls(); }, [&] { return format.read(); }, [&] { return selection.read(); });
}

Status CompareOptions::checkFormat() const
{
    return m_given.isOfDurations ? format.check("compare --durations", FormatOptions::tables()) : format.check();
}

Status CompareOptions::readCalls()
{
    if (calls.empty() && !traces.empty())
        return Error{Error::Kind::Usage,
                     "compare: \"" + traces.front().string() + "\" belongs to no side; use --a, --b or --calls FUNCTION"};
    if (calls.empty() && !m_given.longerThan.empty())
        return makeUsageError("--longer-than", "only valid with --calls");
    if (m_given.longerThan.empty())
        return Done{};
    const auto ns = parseDuration(m_given.longerThan);
    if (!ns || *ns < 0)
        return makeUsageError("--longer-than", "\"" + m_given.longerThan + "\" is not a duration, e.g. 5ms or 20us");
    longerThan = Duration(*ns);
    return Done{};
}

/// Checks the options for --calls.
/// Errors: Usage if an option applies only to the comparison of two sides.
Status CompareOptions::checkCalls() const
{
    if (calls.empty())
        return Done{};
    for (const auto& [option, isThere] :
         {std::pair("--a, --b", !sides.a.empty() || !sides.b.empty()), std::pair("--durations", m_given.isOfDurations),
          std::pair("--all", difference.isOfAll), std::pair("--per, --units-a, --units-b", difference.basis.has_value()),
          std::pair("--inverted", isInverted)})
        if (isThere)
            return makeUsageError(option, "cannot be combined with --calls");
    return Done{};
}

Status CompareOptions::readShown()
{
    const bool isOfFunctions = m_given.isOfFunctions || format.word == "table";
    shows = format.word == "folded" ? Shows::Folded
        : format.word == "svg"      ? Shows::Svg
        : isOfFunctions             ? Shows::Functions
                                    : Shows::Breakdown;
    if (shows == Shows::Functions && isInverted)
        return makeUsageError("--inverted", "a function table has no direction; select a part of it with --callers or --callees");
    if (m_given.isOfDurations && difference.isOfAll)
        return makeUsageError("--durations", "durations need the threads of one program; cannot be combined with --all");
    if (m_given.isOfDurations && m_given.isOfFunctions)
        return makeUsageError("--durations", "cannot be combined with --functions");
    if (m_given.isOfDurations)
        shows = Shows::Durations;
    return Done{};
}

} // namespace helio
