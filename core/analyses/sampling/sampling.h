#pragma once

#include "core/analyses/sampling/lock_waits.h"
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

/// Puts a recording's samples into a store: with their stacks as addresses in modules, and as ticks.
///
/// It knows threads by their tids alone: which lives a tid had, and what it was called, say the rows of others. A kind of sample for each
/// event, and what OffCpu makes of sched_switch and LockWaits of lock:contention_begin. Where some samples measure CPU time, ticks of other
/// kinds are apart. Tracepoints have no ticks: they are events. Nor has a CPU that was idle. Cost: about a microsecond a sample, most of it
/// for its stack.
class Sampling final : public Analysis {
public:
    /// Requires: trace.samples() is there.
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
        bool isKnown = false; ///< The type is a sample.
        bool hasUserState = false;
        bool hasTicks = false;
        bool measuresTime = true; ///< Or no kind does.
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
    PrevStates m_prevStates;
    OffCpu m_offCpu;
    LockWaits m_lockWaits;
    std::vector<Kind> m_kinds; ///< By EventTypeId.
    std::span<const ProcessRecord> m_records; ///< Those still to be taken.
    std::unordered_set<std::int32_t> m_kernelThreads; ///< Their tids, as far as records say.
    std::uint64_t m_events = 0; ///< Handed over so far.
};

} // namespace helio::sampling
