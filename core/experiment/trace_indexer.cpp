#include "core/experiment/trace_indexer.h"

#include "core/experiment/event_consumers.h"
#include "core/experiment/facts_counter.h"
#include "core/trace/merged_events.h"
#include "core/trace/read_ahead.h"

#include <algorithm>
#include <chrono>

namespace helio {
namespace {

using SteadyClock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Maximum number of events between two checks for a stop request and for publishing; a power of two. The actual number is smaller if an
/// analysis takes long for an event, to keep the time between two checks close to PollPace.
constexpr std::uint64_t PollStep = 4096;
constexpr std::uint64_t FirstPollStep = 64;
constexpr auto PollPace = 10ms;

class Indexer {
public:
    Indexer(const Trace& trace, const IndexPass& pass, IndexProgress& progress, std::size_t cores, const std::stop_token& stop)
        : m_trace(trace)
        , m_pass(pass)
        , m_progress(progress)
        , m_packetBegins(packetBegins(trace))
        , m_analyses(makeAnalyses(trace, pass))
        , m_consumers(trace, m_analyses)
        , m_ahead(trace, decoderCount(cores, !m_analyses.empty()), stop)
        , m_merged(m_ahead, {}, stop)
        , m_facts(trace, pass.facts)
    {
    }

    Result<IndexedTrace> run(const IndexedCallback& publish, const std::stop_token& stop)
    {
        for (;;) {
            // Declared in the loop: a new EventRun for each iteration is faster than assigning to one that the previous iteration has just
            // filled.
            const EventRun run = nextRun();
            if (run.records.empty())
                break;
            if (m_facts.events() == 0)
                begin();
            if (m_facts.events() == m_nextPoll && !poll(publish, stop))
                return Error{Error::Kind::Cancelled, "indexing was cancelled"};
            if (m_merged.hasLosses() || m_merged.hasOpenedLosses())
                takeLosses();
            m_facts.count(run);
            handOut(run);
        }
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "indexing was cancelled"};
        return finish();
    }

private:
    static std::vector<std::unique_ptr<Analysis>> makeAnalyses(const Trace& trace, const IndexPass& pass)
    {
        std::vector<std::unique_ptr<Analysis>> analyses;
        for (const PassAnalysis& part : pass.parts)
            analyses.push_back(part.kind->make({trace, part.needed, part.threadEnds}, *part.builder));
        return analyses;
    }

    void handOut(const EventRun& run)
    {
        const std::uint64_t consumers = m_consumers.of(run);
        for (std::size_t i = 0; i < m_analyses.size(); ++i)
            if (EventConsumers::has(consumers, i))
                m_analyses[i]->onEvents(run);
    }

    EventRun nextRun() { return m_merged.nextRun(std::max<std::uint64_t>(m_nextPoll - m_facts.events(), 1)); }

    void begin()
    {
        const HostTimestamp first = m_merged.event().time();
        m_facts.begin(first);
        for (const auto& analysis : m_analyses)
            analysis->begin(first);
        // Publish earlier if the facts are known: the user then changed an analysis and waits for its result.
        m_nextPublish = SteadyClock::now() + (m_pass.facts ? 150ms : 50ms);
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
            m_facts.addLoss(loss);
            for (const auto& analysis : m_analyses)
                analysis->onLoss(loss);
        }
    }

    /// Updates the progress, and publishes a snapshot of the unfinished stores if it is time for a new snapshot. Returns false if indexing
    /// was cancelled.
    bool poll(const IndexedCallback& publish, const std::stop_token& stop)
    {
        if (stop.stop_requested())
            return false;
        if (m_facts.events() % MergeIndexStep == 0)
            addCheckpoint();
        m_progress.events.store(m_facts.events(), std::memory_order_relaxed);
        const auto now = SteadyClock::now();
        setNextPoll(now);
        if (publish && now >= m_nextPublish) {
            publish(snapshot(m_merged.event().time()));
            // Limit snapshots to about a tenth of the time: a snapshot copies the index of each unfinished store, so
            // its cost grows with the trace.
            const auto cost = SteadyClock::now() - now;
            m_nextPublish = SteadyClock::now() + std::max<SteadyClock::duration>(500ms, 10 * cost);
        }
        return true;
    }

    /// Sets the event count at which the indexer polls again. Polls at each multiple of PollStep or more often.
    void setNextPoll(SteadyClock::time_point now)
    {
        const auto took = now - m_lastPoll;
        m_lastPoll = now;
        if (took > PollPace)
            m_pollStep = std::max<std::uint64_t>(m_pollStep / 8, 1);
        else if (took < PollPace / 4)
            m_pollStep = std::min(2 * m_pollStep, PollStep);
        const std::uint64_t done = m_facts.events();
        m_nextPoll = done + std::min(m_pollStep, PollStep - (done & (PollStep - 1)));
    }

    IndexedTrace snapshot(HostTimestamp until)
    {
        IndexedTrace indexed{m_facts.snapshot(until), {}};
        for (const PassAnalysis& part : m_pass.parts)
            indexed.stores.push_back(part.builder->snapshot(until));
        return indexed;
    }

    void addCheckpoint()
    {
        MergeCheckpoint checkpoint{m_facts.events(), m_merged.event().time(), m_merged.positions()};
        m_progress.bytes.store(bytesBefore(checkpoint.streams), std::memory_order_relaxed);
        m_facts.addCheckpoint(std::move(checkpoint));
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

    /// Returns a vector for each stream: the number of bytes before each of its packets, then the number of bytes of all its packets.
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

    Result<IndexedTrace> finish()
    {
        if (m_facts.events() == 0)
            m_analyses.clear(); // Without events, begin() of the analyses was not called, so they must not receive losses.
        takeLosses();
        m_progress.events.store(m_facts.events(), std::memory_order_relaxed);
        m_progress.bytes.store(m_trace.info().bytes, std::memory_order_relaxed);
        StoreSummary summary = m_facts.takeSummary(m_merged.diagnostics());
        auto stores = finishParts(summary.range);
        if (!stores || !m_pass.facts)
            return stores;
        auto facts = m_pass.facts->finish(std::move(summary));
        if (!facts)
            return facts.error();
        stores->facts = std::move(*facts);
        return stores;
    }

    Result<IndexedTrace> finishParts(HostRange range)
    {
        std::vector<StoreSummary> summaries(m_pass.parts.size());
        for (std::size_t i = 0; i < m_analyses.size(); ++i) {
            m_analyses[i]->finish(range.end);
            summaries[i].anomalies = m_analyses[i]->diagnostics();
        }
        // Delete the analyses before finish() is called: their ids refer to contents of the builders, which finish() moves into the stores.
        m_analyses.clear();
        IndexedTrace indexed;
        for (std::size_t i = 0; i < summaries.size(); ++i) {
            summaries[i].range = range;
            auto store = m_pass.parts[i].builder->finish(std::move(summaries[i]));
            if (!store)
                return store.error();
            indexed.stores.push_back(std::move(*store));
        }
        return indexed;
    }

    const Trace& m_trace;
    const IndexPass& m_pass;
    IndexProgress& m_progress;
    const std::vector<std::vector<std::uint64_t>> m_packetBegins;
    std::vector<std::unique_ptr<Analysis>> m_analyses; ///< One analysis for each element of IndexPass::parts.
    const EventConsumers m_consumers;
    const ReadAheadTrace m_ahead;
    MergedEvents m_merged;
    FactsCounter m_facts;
    SteadyClock::time_point m_nextPublish;
    SteadyClock::time_point m_lastPoll = SteadyClock::now();
    std::uint64_t m_pollStep = FirstPollStep; ///< Number of events that are processed between two polls.
    std::uint64_t m_nextPoll = 0; ///< Number of events after which the next poll is due, counted from the trace's beginning.
};

} // namespace

/// Returns the number of threads that decode events ahead of the analyses; 0 if decoding ahead gains nothing. If states are encoded, a
/// second core is busy with encoding, which takes longer than decoding. Two cores are then fully used, and passing an event to another core
/// costs half as much as decoding it. Decoding is a fifth of all work, so more than 4 threads would be idle.
std::size_t decoderCount(std::size_t cores, bool hasStates)
{
    const std::size_t taken = hasStates ? 2 : 1;
    return cores > taken ? std::min<std::size_t>(cores - taken, 4) : 0;
}

std::size_t encoderCount(std::size_t cores, std::size_t builders)
{
    if (cores < 2 || builders == 0)
        return 0;
    return std::max<std::size_t>((cores - 1 - decoderCount(cores, true)) / builders, 1);
}

Result<IndexedTrace> indexTrace(const Trace& trace, const IndexPass& pass, IndexProgress& progress, std::size_t cores,
                                const IndexedCallback& publish, std::stop_token stop)
{
    return Indexer(trace, pass, progress, cores, stop).run(publish, stop);
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
