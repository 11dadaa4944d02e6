#include "app/cli/commands/compare_options.h"

#include "app/cli/selection/option_reading.h"

#include <utility>

namespace helio {

void CompareOptions::addTo(OptionList& options)
{
    sides.addTo(options);
    addTraces(options, traces);
    options.value("--calls", calls, "FUNCTION", "Its slow calls (B) with its quick ones (A), of TRACE... instead of --a and --b");
    options.value("--longer-than", m_given.longerThan, "DURATION", "With --calls: which are slow, as 5ms. By itself: than the median");
    reading.addTo(options);
    selection.addTo(options, "With --all: only samples that match, by time and by their threads' name, tid, pid and host");
    difference.addTo(options);
    samples.addInliningTo(options);
    options.flag("--functions", m_given.isOfFunctions, "The functions of sampled call stacks, of one run on each side");
    options.flag("--durations", m_given.isOfDurations, "How long each stay in a state and each system call lasted, on each side");
    samples.addEventTo(options, "Samples of this event, as cpu-clock");
    samples.addCountTo(options, "Folded stacks: samples or period");
    options.flag("--inverted", isInverted, "svg: from the sampled functions to their callers");
    options.flag("--icicle", isIcicle, "svg: roots on top");
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
        return Error{Error::Kind::Usage, "compare: \"" + traces.front().string() + "\" is on no side: --a, --b, or --calls FUNCTION"};
    if (calls.empty() && !m_given.longerThan.empty())
        return makeUsageError("--longer-than", "it is for --calls");
    if (m_given.longerThan.empty())
        return Done{};
    const auto ns = parseDuration(m_given.longerThan);
    if (!ns || *ns < 0)
        return makeUsageError("--longer-than", "\"" + m_given.longerThan + "\" is no duration, as 5ms or 20us");
    longerThan = Duration(*ns);
    return Done{};
}

/// Rejects options that apply to two sides but not to the calls of one trace.
Status CompareOptions::checkCalls() const
{
    if (calls.empty())
        return Done{};
    for (const auto& [option, isThere] :
         {std::pair("--a, --b", !sides.a.empty() || !sides.b.empty()), std::pair("--durations", m_given.isOfDurations),
          std::pair("--all", difference.isOfAll), std::pair("--per, --units-a, --units-b", difference.basis.has_value()),
          std::pair("--inverted", isInverted)})
        if (isThere)
            return makeUsageError(option, "it excludes --calls");
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
        return makeUsageError("--inverted", "a table of functions has no direction; --callers and --callees choose a part of it");
    if (m_given.isOfDurations && difference.isOfAll)
        return makeUsageError("--durations", "it is of one program's threads; --all has none");
    if (m_given.isOfDurations && m_given.isOfFunctions)
        return makeUsageError("--durations", "it excludes --functions");
    if (m_given.isOfDurations)
        shows = Shows::Durations;
    return Done{};
}

} // namespace helio
