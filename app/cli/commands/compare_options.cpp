#include "app/cli/commands/compare_options.h"

#include "app/cli/selection/option_reading.h"

namespace helio {

void CompareOptions::addTo(OptionList& options)
{
    sides.addTo(options);
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
    return inOrder([&] { return checkFormat(); }, [&] { return reading.read(); }, [&] { return samples.read(); },
                   [&] { return readShown(); }, [&] { return difference.read(); }, [&] { return format.read(); },
                   [&] { return selection.read(); });
}

Status CompareOptions::checkFormat() const
{
    return m_given.isOfDurations ? format.check("compare --durations", FormatOptions::tables()) : format.check();
}

Status CompareOptions::readShown()
{
    const bool isOfFunctions = m_given.isOfFunctions || format.word == "table";
    shows = format.word == "folded" ? Shows::Folded : format.word == "svg" ? Shows::Svg : isOfFunctions ? Shows::Functions : Shows::Ledger;
    if (shows == Shows::Functions && isInverted)
        return wrongOption("--inverted", "a table of functions has no direction; --callers and --callees choose a part of it");
    if (m_given.isOfDurations && difference.isOfAll)
        return wrongOption("--durations", "it is of one program's threads; --all has none");
    if (m_given.isOfDurations && m_given.isOfFunctions)
        return wrongOption("--durations", "it excludes --functions");
    if (m_given.isOfDurations)
        shows = Shows::Durations;
    return Done{};
}

} // namespace helio
