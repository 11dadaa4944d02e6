#include "core/experiment/trace_indexer.h"

#include "core/trace/merged_events.h"
#include "core/trace/read_ahead.h"

#include <algorithm>
#include <chrono>

namespace helio {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How often cancelling and publishing are looked at, in events: a power of two.
constexpr std::uint64_t PollStep = 4096;

class Indexer {
public:
    Indexer(const Trace& trace, StoreBuilder& builder, IndexProgress& progress, std::size_t cores, const std::stop_token& stop)
        : m_trace(trace)
        , m_builder(builder)
        , m_progress(progress)
        , m_packetBegins(packetBegins(trace))
        , m_analyses(makeAnalyses(trace, builder))
        , m_ahead(trace, decoders(cores, !m_analyses.empty()), stop)
        , m_merged(m_ahead, {}, stop)
    {
        m_summary.eventsByType.resize(trace.eventTypes().size());
    }

    Result<std::shared_ptr<const Store>> run(const std::function<void(std::shared_ptr<const Store>)>& publish, std::stop_token stop)
    {
        for (EventRun run = nextRun(); !run.records.empty(); run = nextRun()) {
            if (m_summary.events == 0)
                begin();
            if (m_summary.events % PollStep == 0 && !poll(publish, stop))
                return Error{Error::Kind::Cancelled, "indexing was cancelled"};
            if (m_merged.hasLosses() || m_merged.hasOpenedLosses())
                takeLosses();
            count(run);
            for (const auto& analysis : m_analyses)
                analysis->onEvents(run);
        }
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "indexing was cancelled"};
        return finish();
    }

private:
    static std::vector<std::unique_ptr<Analysis>> makeAnalyses(const Trace& trace, StateSink& sink)
    {
        std::vector<std::unique_ptr<Analysis>> analyses;
        for (const AnalysisKind* kind : builtinAnalyses())
            if (kind->appliesTo(trace))
                analyses.push_back(kind->make(trace, sink));
        return analyses;
    }

    /// Where there are states, a second core is better used for encoding them, which takes three times as long as decoding: with that,
    /// reading ahead gains nothing on two cores, as handing an event to another core costs half of decoding it. Decoding is a fifth of
    /// it all: more than a few threads have nothing to do.
    static std::size_t decoders(std::size_t cores, bool hasStates)
    {
        const std::size_t taken = hasStates ? 2 : 1;
        return cores > taken ? std::min<std::size_t>(cores - taken, 4) : 0;
    }

    /// Never goes past a multiple of PollStep.
    EventRun nextRun() { return m_merged.nextRun(PollStep - (m_summary.events & (PollStep - 1))); }

    void begin()
    {
        const HostTimestamp first = m_merged.event().time();
        m_summary.range = {first, first};
        for (const auto& analysis : m_analyses)
            analysis->begin(first);
        m_nextPublish = SteadyClock::now() + 150ms;
    }

    void count(const EventRun& run)
    {
        HostTimestamp earliest = run.records.front().time;
        HostTimestamp latest = run.records.back().time;
        if (!run.isOrdered) {
            const auto [first, last] = std::minmax_element(run.records.begin(), run.records.end(),
                                                           [](const EventRecord& a, const EventRecord& b) { return a.time < b.time; });
            earliest = first->time;
            latest = last->time;
        }
        std::uint64_t* const counts = m_summary.eventsByType.data();
#pragma GCC unroll 4
        for (const EventRecord& record : run.records)
            ++counts[static_cast<std::size_t>(record.type)];
        m_summary.range = {std::min(m_summary.range.begin, earliest), std::max(m_summary.range.end, latest)};
        m_summary.events += run.records.size();
        if (earliest >= m_bucket.begin && latest < m_bucket.end)
            m_inBucket += run.records.size();
        else
            countByBucket(run);
    }

    /// Events of one bucket are counted together: a run may have hundreds.
    void countByBucket(const EventRun& run)
    {
        const EventRecord* at = run.records.data();
        const EventRecord* const end = at + run.records.size();
        while (at != end) {
            const auto isInside = [this](const EventRecord& record) { return record.time >= m_bucket.begin && record.time < m_bucket.end; };
            const EventRecord* const next = run.isOrdered && isInside(*at) ? std::partition_point(at, end, isInside) : std::find_if_not(at, end, isInside);
            m_inBucket += static_cast<std::uint64_t>(next - at);
            at = next;
            if (at == end)
                break;
            addDensity();
            m_bucket = m_builder.addDensity(at++->time, 1);
        }
    }

    void addDensity()
    {
        if (m_inBucket > 0)
            m_builder.addDensity(m_bucket.begin, m_inBucket);
        m_inBucket = 0;
    }

    void takeLosses()
    {
        if (m_merged.hasOpenedLosses())
            for (const Loss& loss : m_merged.takeOpenedLosses())
                for (const auto& analysis : m_analyses)
                    analysis->onLossBegin(loss);
        if (!m_merged.hasLosses())
            return;
        for (const Loss& loss : m_merged.takeLosses()) {
            m_summary.lostEvents += loss.events;
            m_summary.lostPackets += loss.packets;
            m_builder.addLoss(loss);
            for (const auto& analysis : m_analyses)
                analysis->onLoss(loss);
        }
    }

    /// False: cancelled.
    bool poll(const std::function<void(std::shared_ptr<const Store>)>& publish, const std::stop_token& stop)
    {
        if (stop.stop_requested())
            return false;
        if (m_summary.events % MergeIndexStep == 0)
            addCheckpoint();
        m_progress.events.store(m_summary.events, std::memory_order_relaxed);
        const auto now = SteadyClock::now();
        if (publish && now >= m_nextPublish) {
            addDensity();
            publish(m_builder.snapshot(m_merged.event().time()));
            // Snapshots copy directories: as a trace grows, they come at most a tenth of the time.
            const auto cost = SteadyClock::now() - now;
            m_nextPublish = SteadyClock::now() + std::max<SteadyClock::duration>(500ms, 10 * cost);
        }
        return true;
    }

    void addCheckpoint()
    {
        MergeCheckpoint checkpoint{m_summary.events, m_merged.event().time(), m_merged.positions()};
        m_progress.bytes.store(bytesBefore(checkpoint.streams), std::memory_order_relaxed);
        m_builder.addCheckpoint(std::move(checkpoint));
    }

    std::uint64_t bytesBefore(const std::vector<StreamPosition>& positions) const
    {
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < positions.size() && i < m_packetBegins.size(); ++i) {
            const std::vector<std::uint64_t>& begins = m_packetBegins[i];
            bytes += begins[std::min<std::size_t>(positions[i].packet, begins.size() - 1)] + positions[i].bit / 8;
        }
        return bytes;
    }

    /// Per stream: the bytes before each packet, and after the last.
    static std::vector<std::vector<std::uint64_t>> packetBegins(const Trace& trace)
    {
        std::vector<std::vector<std::uint64_t>> all;
        for (const StreamInfo& stream : trace.streams()) {
            std::vector<std::uint64_t>& begins = all.emplace_back(1, 0);
            for (const PacketInfo& packet : stream.packets)
                begins.push_back(begins.back() + packet.size);
        }
        return all;
    }

    Result<std::shared_ptr<const Store>> finish()
    {
        addDensity();
        if (m_summary.events == 0)
            m_analyses.clear(); // They never began: there is nothing that losses could touch.
        takeLosses();
        for (const auto& analysis : m_analyses)
            analysis->finish(m_summary.range.end);
        m_summary.anomalies.assign(m_trace.diagnostics().begin(), m_trace.diagnostics().end());
        for (Diagnostic& diagnostic : m_merged.diagnostics())
            m_summary.anomalies.push_back(std::move(diagnostic));
        m_analyses.clear(); // They hold the builder's ids, which finish() hands over.
        m_progress.events.store(m_summary.events, std::memory_order_relaxed);
        m_progress.bytes.store(m_trace.info().bytes, std::memory_order_relaxed);
        return m_builder.finish(std::move(m_summary));
    }

    const Trace& m_trace;
    StoreBuilder& m_builder;
    IndexProgress& m_progress;
    const std::vector<std::vector<std::uint64_t>> m_packetBegins;
    std::vector<std::unique_ptr<Analysis>> m_analyses;
    const ReadAhead m_ahead;
    MergedEvents m_merged;
    StoreSummary m_summary;
    HostRange m_bucket{}; ///< Of the density, whose events are not handed over one by one...
    std::uint64_t m_inBucket = 0; ///< ...but together, these so far.
    SteadyClock::time_point m_nextPublish;
};

} // namespace

Result<std::shared_ptr<const Store>> indexTrace(const Trace& trace, StoreBuilder& builder, IndexProgress& progress, std::size_t cores,
                                                const std::function<void(std::shared_ptr<const Store>)>& publish, std::stop_token stop)
{
    return Indexer(trace, builder, progress, cores, stop).run(publish, stop);
}

HostRange claimedRange(const Trace& trace)
{
    HostRange all;
    bool isFirst = true;
    for (const StreamInfo& stream : trace.streams()) {
        for (const PacketInfo& packet : stream.packets) {
            if (!packet.range)
                continue;
            all = isFirst ? *packet.range : HostRange{std::min(all.begin, packet.range->begin), std::max(all.end, packet.range->end)};
            isFirst = false;
        }
    }
    return all;
}

} // namespace helio
