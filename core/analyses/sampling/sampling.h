#pragma once

#include "core/analyses/sampling/off_cpu.h"
#include "core/analyses/sampling/sample_chains.h"
#include "core/analyses/sampling/sampled_tracks.h"
#include "core/analysis/analysis.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace helio::sampling {

/// Writes the samples of a recording into the store, with call stacks as addresses in modules, and also as ticks.
///
/// Threads are identified by TID only; their lifetimes and names are on the rows of other analyses. Each event type gets a kind of samples.
/// OffCpu adds kinds from sched_switch, LockWaits from lock:contention_begin. If some samples measure CPU time, the ticks of other events
/// have a separate track. There are no ticks for tracepoints, because they are shown as events, nor for idle CPUs.
///
/// Cost: about 1 µs for each sample, most of it for the stack.
class Sampling final : public Analysis {
public:
    /// Requires: trace.samples() is not null.
    Sampling(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp) override { }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override
    {
        m_offCpu.forget();
        m_lockWaits.forget();
    }
    void finish(HostTimestamp at) override { m_offCpu.finish(at); }

private:
    struct Kind {
        SampleKindId id{};
        bool isKnown = false; ///< True if the event type is sampled.
        bool hasUserState = false;
        bool hasTicks = false;
        bool measuresTime = true; ///< True if the samples measure CPU time, or if no samples of the trace do.
        std::optional<SwitchFields> switches;
        std::optional<WakeFields> wakes;
        std::optional<ContentionFields> contentions;
    };

    void addKinds();
    void take(const ProcessRecord& record);
    void take(const EventView& event, const Kind& kind, std::uint64_t number);
    void addTicks(const HostSample& sample, SampledTrack* thread, std::size_t ticks);

    const Trace& m_trace;
    const SampleReader& m_reader;
    SampleSink& m_sink;
    SampledTracks m_tracks;
    SampleChains m_chains;
    PrevStateDecoder m_prevStateDecoder;
    OffCpu m_offCpu;
    LockWaits m_lockWaits;
    std::vector<Kind> m_kinds; ///< Sample kinds of the event types, indexed by EventTypeId.
    std::span<const ProcessRecord> m_records; ///< Process records that are not processed yet.
    std::unordered_set<std::int32_t> m_kernelThreads; ///< TIDs of kernel threads, as far as process records show them.
    std::uint64_t m_events = 0; ///< Number of events processed so far.
};

} // namespace helio::sampling
