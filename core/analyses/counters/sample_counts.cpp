#include "core/analyses/counters/sample_counts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace helio::counters {
namespace {

constexpr std::size_t NoCounter = SIZE_MAX;

/// True if the sample periods of `event` count occurrences of a hardware or software event, so that they add up to a counter; false for
/// tracepoints and for sums, times and bytes in a profile.
bool counts(const SampleEvent& event) { return !event.isCounted && !event.isSummed && event.unit.empty() && !isTracepoint(event.name); }

/// Returns true if the recording contains the values of the CPUs' counters at each switch of threads.
bool readsAtSwitches(const Trace& trace)
{
    const auto isSwitch = [&](EventTypeId type) { return isSwitchOfThreads(trace.eventTypes()[type]); };
    return trace.info().part.threads.empty() && std::ranges::any_of(trace.samples()->events(), [&](const SampleEvent& event) {
               return event.groupLeader && isSwitch(*event.groupLeader);
           });
}

} // namespace

bool SampleCounts::hasCounts(const Trace& trace)
{
    return trace.samples() && trace.info().hasTimes && std::ranges::any_of(trace.samples()->events(), counts);
}

SampleCounts::SampleCounts(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_counterOf(trace.eventTypes().size(), NoCounter)
    , m_groupOf(trace.eventTypes().size())
    , m_running(trace, readsAtSwitches(trace) ? RunningThreads::Needs::Numbers : RunningThreads::Needs::Nothing)
    , m_records(trace.processRecords())
{
    for (const SampleEvent& event : trace.samples()->events()) {
        const auto type = static_cast<std::size_t>(event.type);
        if (type < m_groupOf.size())
            m_groupOf[type] = event.groupLeader;
        if (!counts(event) || type >= m_counterOf.size())
            continue;
        const auto known = std::ranges::find(m_counters, event.name, &Counter::name);
        m_counterOf[type] = static_cast<std::size_t>(known - m_counters.begin());
        if (known != m_counters.end())
            continue;
        const bool isReadWithSwitches = event.groupLeader && m_running.isSwitch(*event.groupLeader);
        m_counters.push_back({event.name, event.isTime, {!event.isTime, isReadWithSwitches}});
        m_hasForwardPeriods.push_back(event.hasForwardPeriods);
    }
}

bool SampleCounts::takes(EventTypeId type) const
{
    return m_counterOf[static_cast<std::size_t>(type)] != NoCounter || m_groupOf[static_cast<std::size_t>(type)];
}

void SampleCounts::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        if (!takes(record.type))
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event);
    }
}

void SampleCounts::take(const EventView& event)
{
    SampleView sample;
    if (!m_trace.samples()->read(event, sample))
        return;
    takeNames(event.time());
    const auto type = static_cast<std::size_t>(event.record->type);
    const std::size_t counter = m_counterOf[type];
    const std::int32_t number = event.cpu() >= 0 ? event.cpu() : sample.cpu;
    if (m_running.isSwitch(event.record->type))
        takeSwitch(event);
    CountedSample its;
    if (m_groupOf[type])
        its.since = readBefore(*m_groupOf[type], number, sample, event.time());
    if (counter == NoCounter)
        return;
    its.period = counted(counter, event, sample);
    if (number >= 0 && number < MostCpus) {
        its.losses = m_lossesOf[number] + m_lossesOf[-1];
        add(cpu(number), counter, event.time(), its);
    }
    const SwitchOut* const left = m_groupOf[type] ? switchOutAt(event.cpu(), event.time()) : nullptr;
    if (left && sample.tid < 0)
        sample.tid = left->tid; // Take the TID from the switch: the sample has none, because the thread has ended.
    if (sample.tid > 0) {
        its.losses = m_losses;
        its.isForeign = left && left->isUnseen && left->tid == sample.tid;
        add(thread(sample), counter, event.time(), its);
    }
}

/// Processes a switch. If the thread that is switched out is not the thread that RunningThreads had on the CPU, a switch is missing, and
/// the counts of both threads are unknown.
void SampleCounts::takeSwitch(const EventView& event)
{
    const std::int32_t thought = m_running.on(event.cpu()).tid;
    const std::int32_t left = m_running.switchedOutTid(event);
    const bool isUnseen = thought >= 0 && thought != left;
    m_left[event.cpu()] = {event.time(), left, isUnseen};
    if (const auto row = m_threads.find(thought); isUnseen && row != m_threads.end())
        for (Sum& sum : row->second.sums)
            sum.hasUnknownShare = true;
    m_running.take(event);
}

/// Returns the thread that a switch took off the CPU at time `at`; nullptr if no switch did.
const SampleCounts::SwitchOut* SampleCounts::switchOutAt(std::int32_t cpu, HostTimestamp at) const
{
    const auto left = m_left.find(cpu);
    return left != m_left.end() && left->second.at == at ? &left->second : nullptr;
}

/// Returns the time when the counter group `group` was read before `at`; nullopt if it was not. The counters of a group are read
/// together, which yields several events with the same time; these events count as one read.
std::optional<HostTimestamp> SampleCounts::readBefore(EventTypeId group, std::int32_t cpu, const SampleView& sample, HostTimestamp at)
{
    Reads& reads = m_reads[{group, cpu, m_trace.info().part.threads.empty() ? -1 : sample.tid}];
    if (reads.last != at)
        reads.before = std::exchange(reads.last, at);
    return reads.before;
}

/// Returns the count between the counter's previous sample and this sample.
std::uint64_t SampleCounts::counted(std::size_t counter, const EventView& event, const SampleView& sample)
{
    if (!m_hasForwardPeriods[counter])
        return sample.period;
    const bool areOfCpus = m_trace.info().part.threads.empty();
    const auto [last, isFirst] = m_next.try_emplace({counter, event.cpu(), areOfCpus ? -1 : sample.tid}, sample.period);
    return isFirst ? sample.period : std::exchange(last->second, sample.period);
}

void SampleCounts::add(Row& row, std::size_t counter, HostTimestamp at, const CountedSample& its)
{
    Sum& sum = row.sums[counter];
    const auto counted = static_cast<std::int64_t>(std::min<std::uint64_t>(its.period, INT64_MAX));
    const bool isFirst = !sum.isBegun;
    const bool areLost = std::exchange(sum.losses, its.losses) != its.losses;
    const bool hadGap = std::exchange(sum.hasUnknownShare, its.isForeign) && !isFirst;
    if (its.isForeign)
        return;
    if (hadGap && its.since && !areLost)
        sum.total = 0;
    if (its.since && !isFirst && !areLost)
        row.row.total(counter).take(*its.since, sum.total);
    if (isFirst)
        sum.total = counted;
    else if (areLost || (hadGap && !its.since) || counted > INT64_MAX - sum.total)
        // Let the total fall, because its growth since the previous sample is unknown. Queries ignore a fall of a total: it adds nothing to
        // the growth.
        sum.total = std::min(counted, sum.total - 1);
    else
        sum.total += counted;
    sum.isBegun = true;
    row.row.total(counter).take(at, sum.total);
}

SampleCounts::Row& SampleCounts::cpu(std::int32_t number)
{
    const auto known = m_cpus.find(number);
    if (known != m_cpus.end())
        return known->second;
    return m_cpus.try_emplace(number, Row{{m_sink, m_counters, CpuView, cpuTrack(number)}, std::vector<Sum>(m_counters.size())})
        .first->second;
}

SampleCounts::Row& SampleCounts::thread(const SampleView& sample)
{
    const auto known = m_threads.find(sample.tid);
    if (known != m_threads.end())
        return known->second;
    Track track;
    track.kind = "thread";
    track.key = "tid:" + std::to_string(sample.tid);
    track.label = "TID " + std::to_string(sample.tid);
    track.pid = sample.pid > 0 ? sample.pid : -1;
    track.tid = sample.tid;
    track.sortKey = sample.tid;
    return m_threads.try_emplace(sample.tid, Row{{m_sink, m_counters, ThreadView, std::move(track)}, std::vector<Sum>(m_counters.size())})
        .first->second;
}

void SampleCounts::takeNames(HostTimestamp until)
{
    for (; !m_records.empty() && m_records.front().time <= until; m_records = m_records.subspan(1)) {
        const ProcessRecord& it = m_records.front();
        if (it.guest != NoGuest)
            continue;
        if (it.kind == ProcessRecord::Kind::Comm || it.kind == ProcessRecord::Kind::Exec)
            m_names[it.tid] = it.name;
        else if (it.kind == ProcessRecord::Kind::Fork)
            m_names[it.tid] = m_names[it.parentTid];
    }
}

/// Counts a gap of lost events for its CPU and for all threads, because it is unknown to which threads the lost events belong. A negative
/// loss.cpu means an unknown CPU; the gap then counts for every CPU.
void SampleCounts::onLoss(const Loss& loss)
{
    ++m_lossesOf[loss.cpu];
    ++m_losses;
    if (loss.cpu < 0)
        m_running.forget();
    else
        m_running.forget(loss.cpu);
}

/// Adds a last point to the totals of counters that are read as a group: at the time of the CPU's last read of the group. A counter that
/// has not grown since its last sample gets no further sample, although later reads of the group show that its value is unchanged.
void SampleCounts::finishReads()
{
    for (std::size_t type = 0; type < m_groupOf.size(); ++type) {
        if (!m_groupOf[type] || m_counterOf[type] == NoCounter)
            continue;
        for (auto& [number, row] : m_cpus) {
            const auto reads = m_reads.find({*m_groupOf[type], number, -1});
            const Sum& sum = row.sums[m_counterOf[type]];
            if (reads != m_reads.end() && sum.isBegun && sum.losses == m_lossesOf[number] + m_lossesOf[-1])
                row.row.total(m_counterOf[type]).take(*reads->second.last, sum.total);
        }
    }
}

void SampleCounts::finish(HostTimestamp at)
{
    takeNames(at);
    finishReads();
    for (auto& [number, row] : m_cpus)
        row.row.finish();
    for (auto& [tid, row] : m_threads) {
        row.row.finish();
        if (const auto name = m_names.find(tid); name != m_names.end() && !name->second.empty())
            m_sink.track(row.row.track()).label = name->second + " (" + std::to_string(tid) + ')';
    }
}

} // namespace helio::counters
