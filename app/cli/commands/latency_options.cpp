#include "app/cli/commands/latency_options.h"

#include "app/cli/selection/option_list.h"

namespace helio {

void LatencyOptions::addTo(OptionList& options)
{
    addTraces(options, table.traces);
    options.value("--of", kind, "KIND", "What to measure: wakeup, syscall, state:NAME, packet, ... (see below)");
    options.value("--by", m_given.by, "G", "Sum packets by connection or hosts, the rest by hosts (default: connection)");
    options.flag("--list", m_given.isList, "Print each entry, in time order, instead of sums by name");
    options.flag("--histogram", m_given.isHistogram, "Print a histogram of the durations");
    options.flag("--periods", m_given.arePeriods, "Print periodicities of starts, ends and durations, most significant first");
    options.value("--buckets", m_given.buckets, "N", "Maximum number of histogram buckets (default: 20)");
    options.flag("--log", isLogarithmic, "Make histogram buckets of equal ratio instead of equal width");
    options.flag("--without-stolen", excludesSteal, "Guest threads, opened with the host: subtract the time their vCPU was preempted");
    table.reading.addTo(options);
    table.selection.addTo(options, "Only matching entries, for example: name == \"read\" && duration > 1ms");
    options.value("--view", table.view, "V", "Only entries in this view, as listed by `heliograph views`");
    table.format.addTo(options);
}

std::string LatencyOptions::missing() const
{
    return table.traces.empty() ? table.missing() : kind.empty() ? "--of KIND is missing, e.g. --of state:preempted" : "";
}

Status LatencyOptions::read()
{
    return table.read([this] { return readOwn(); });
}

Status LatencyOptions::readOwn()
{
    constexpr unsigned MostBuckets = 100'000;
    table.neededIntervalKind = kind;
    table.mayHaveFields = true;
    table.needsCorrelatedRows = excludesSteal || kind.starts_with("state:");
    const auto& [by, given, isList, isHistogram, arePeriods] = m_given;
    if (!by.empty() && by != "connection" && by != "hosts")
        return makeUsageError("--by", "there is no \"" + by + '"');
    isGroupedByHost = by == "hosts";
    if (isList && isHistogram)
        return makeUsageError("--list", "cannot be combined with --histogram");
    if (arePeriods && (isList || isHistogram))
        return makeUsageError("--periods", std::string("cannot be combined with ") + (isList ? "--list" : "--histogram"));
    if (!isHistogram && (given || isLogarithmic))
        return makeUsageError(isLogarithmic ? "--log" : "--buckets", "only valid with --histogram");
    if (given && *given < 1)
        return makeUsageError("--buckets", "must be at least 1");
    if (given && *given > MostBuckets)
        return makeUsageError("--buckets", "must be at most " + std::to_string(MostBuckets));
    shows = isList ? Shows::List : isHistogram ? Shows::Histogram : arePeriods ? Shows::Periods : Shows::Summary;
    buckets = static_cast<std::uint32_t>(given.value_or(buckets));
    return Done{};
}

} // namespace helio
