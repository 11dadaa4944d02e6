#include "core/experiment/facts_counter.h"

#include <algorithm>
#include <filesystem>

namespace helio {

FactsCounter::FactsCounter(const Trace& trace, StoreBuilder* builder)
    : m_trace(trace)
    , m_builder(builder)
{
    m_summary.eventsByType.resize(trace.eventTypes().size());
}

void FactsCounter::count(const EventRun& run)
{
    HostTimestamp earliest = run.records.front().time;
    HostTimestamp latest = run.records.back().time;
    if (!run.isOrdered) {
        const auto [first, last] = std::minmax_element(run.records.begin(), run.records.end(),
                                                       [](const EventRecord& a, const EventRecord& b) { return a.time < b.time; });
        earliest = first->time;
        latest = last->time;
    }
    m_summary.range = {std::min(m_summary.range.begin, earliest), std::max(m_summary.range.end, latest)};
    m_summary.events += run.records.size();
    if (!m_builder)
        return;
    std::uint64_t* const counts = m_summary.eventsByType.data();
#pragma GCC unroll 4
    for (const EventRecord& record : run.records)
        ++counts[static_cast<std::size_t>(record.type)];
    if (earliest >= m_bucket.begin && latest < m_bucket.end)
        m_inBucket += run.records.size();
    else
        countByBucket(run);
}

/// Counts the events of a run by bucket of the event density. Adds all events of a bucket in one call, because a bucket may contain
/// hundreds of a run's events.
void FactsCounter::countByBucket(const EventRun& run)
{
    const EventRecord* at = run.records.data();
    const EventRecord* const end = at + run.records.size();
    while (at != end) {
        const auto isInside = [this](const EventRecord& record) { return record.time >= m_bucket.begin && record.time < m_bucket.end; };
        const EventRecord* const next =
            run.isOrdered && isInside(*at) ? std::partition_point(at, end, isInside) : std::find_if_not(at, end, isInside);
        m_inBucket += static_cast<std::uint64_t>(next - at);
        at = next;
        if (at == end)
            break;
        addDensity();
        m_bucket = m_builder->addDensity(at++->time, 1);
    }
}

void FactsCounter::addDensity()
{
    if (m_builder && m_inBucket > 0)
        m_builder->addDensity(m_bucket.begin, m_inBucket);
    m_inBucket = 0;
}

void FactsCounter::addLoss(const Loss& loss)
{
    m_summary.lostEvents += loss.events;
    m_summary.lostPackets += loss.packets;
    if (m_builder)
        m_builder->addLoss(loss);
}

void FactsCounter::addCheckpoint(MergeCheckpoint checkpoint)
{
    if (m_builder)
        m_builder->addCheckpoint(std::move(checkpoint));
}

std::shared_ptr<const Store> FactsCounter::snapshot(HostTimestamp until)
{
    addDensity();
    return m_builder ? m_builder->snapshot(until) : nullptr;
}

namespace {

/// Returns the path of a file relative to the trace: "." for the trace itself, the unchanged path if the file lies outside of the trace.
std::string relativeTo(const std::filesystem::path& trace, const std::string& file)
{
    const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(trace);
    return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

} // namespace

StoreSummary FactsCounter::takeSummary(std::vector<Diagnostic> ofMerge)
{
    addDensity();
    if (m_summary.events > 0)
        m_summary.range.end = std::max(m_summary.range.end, m_trace.info().end);
    m_summary.anomalies.assign(m_trace.diagnostics().begin(), m_trace.diagnostics().end());
    std::ranges::move(ofMerge, std::back_inserter(m_summary.anomalies));
    for (Diagnostic& it : m_summary.anomalies)
        if (!it.file.empty())
            it.file = relativeTo(m_trace.info().path, it.file);
    return std::move(m_summary);
}

} // namespace helio
