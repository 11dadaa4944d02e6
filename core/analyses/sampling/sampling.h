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

/// Writes the samples of a recording into the store, with their stacks as addresses in modules, and as ticks.
///
/// Threads are known by tid only; their lives and names are on the rows of other analyses. Each event gets a kind of samples; OffCpu adds
/// kinds from sched_switch, and LockWaits from lock:contention_begin. If some samples measure CPU time, the ticks of other events have a
/// track of their own. Tracepoints get no ticks, because they are events; an idle CPU gets none either.
///
/// Cost: about a microsecond for each sample, most of it for its stack.
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
        bool isKnown = false; ///< True if the type is a sample.
        bool hasUserState = false;
        bool hasTicks = false;
        bool measuresTime = true; ///< True if the samples measure CPU time, or if no kind does.
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
    std::vector<Kind> m_kinds; ///< Indexed by EventTypeId.
    std::span<const ProcessRecord> m_records; ///< Process records that are not taken yet.
    std::unordered_set<std::int32_t> m_kernelThreads; ///< Tids of kernel threads, as far as the process records tell.
    std::uint64_t m_events = 0; ///< Count of events taken so far.
};

} // namespace helio::sampling
