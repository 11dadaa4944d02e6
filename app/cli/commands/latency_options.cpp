#include "app/cli/commands/latency_options.h"

#include "app/cli/selection/option_reading.h"

namespace helio {

void LatencyOptions::addTo(OptionList& options)
{
    addTraces(options, table.traces);
    options.value(
        "--of", kind, "KIND",
        "What is measured: a kind of segments, the intervals of a state, as state:preempted, what lasts from an event to the next "
        "with the same value, as 'sched_wakeup(tid) -> sched_switch(next_tid)', wakeup: from what ended a wait to the switch-in, "
        "wakeup-priority: the same by the threads' priorities, "
        "throttled: where a process's threads could run, none did, and CPUs were idle, or packet: from where one was sent "
        "to where it came in; what was cut or joined on its way is packet-part. "
        "One that is not there is answered with those that are. Of a window, what lies in it as a whole");
    options.value("--by", m_given.by, "G",
                  "Packets are summed up by connection or hosts, each direction by itself; all else with hosts for each host. Unless "
                  "given: connection");
    options.flag("--list", m_given.isList, "Each of them, in time order, not their sums by name");
    options.flag("--histogram", m_given.isHistogram, "How many there are of which length");
    options.flag("--periods", m_given.arePeriods,
                 "What repeats regularly in when they begin and end, or in how long they are: the strongest first, with the chance that "
                 "there is no such period");
    options.value("--buckets", m_given.buckets, "N", "Of the histogram: in so many parts at most. Unless given: 20");
    options.flag("--log", isLogarithmic, "Its parts are of equal ratio, not of equal width");
    options.flag("--without-stolen", excludesSteal,
                 "Of threads of a virtual machine's guest, opened with its host: without what their vCPU was preempted meanwhile. Of a "
                 "wakeup: the vCPU that the thread came onto");
    table.reading.addTo(options);
    table.selection.addTo(options,
                          "Only those that match, as: name == \"read\" && duration > 1ms. A name is its own, or one of its row's; "
                          "what stands in the fields of a list can be asked for, too, as: disk == \"sda\"");
    options.value("--view", table.view, "V", "Only those on rows of this view, of those that heliograph views lists");
    table.format.addTo(options);
}

std::string LatencyOptions::missing() const
{
    return table.traces.empty() ? table.missing() : kind.empty() ? "--of KIND is missing, as --of state:preempted" : "";
}

Status LatencyOptions::read()
{
    return table.read([this] { return readOwn(); });
}

Status LatencyOptions::readOwn()
{
    constexpr unsigned MostBuckets = 100'000;
    table.wanted = kind;
    table.mayHaveFields = true;
    table.needsCorrelatedRows = excludesSteal || kind.starts_with("state:");
    const auto& [by, given, isList, isHistogram, arePeriods] = m_given;
    if (!by.empty() && by != "connection" && by != "hosts")
        return makeUsageError("--by", "there is no \"" + by + '"');
    isGroupedByHost = by == "hosts";
    if (isList && isHistogram)
        return makeUsageError("--list", "it excludes --histogram");
    if (arePeriods && (isList || isHistogram))
        return makeUsageError("--periods", std::string("it excludes ") + (isList ? "--list" : "--histogram"));
    if (!isHistogram && (given || isLogarithmic))
        return makeUsageError(isLogarithmic ? "--log" : "--buckets", "it is for --histogram");
    if (given && *given < 1)
        return makeUsageError("--buckets", "there is one at least");
    if (given && *given > MostBuckets)
        return makeUsageError("--buckets", "there are at most " + std::to_string(MostBuckets));
    shows = isList ? Shows::List : isHistogram ? Shows::Histogram : arePeriods ? Shows::Periods : Shows::Summary;
    buckets = static_cast<std::uint32_t>(given.value_or(buckets));
    return Done{};
}

} // namespace helio
