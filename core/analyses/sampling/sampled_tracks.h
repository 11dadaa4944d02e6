#pragma once

#include "core/store/store.h"
#include "core/trace/process/sample_view.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace helio::sampling {

/// Returns the index into SampledTrack::ticks for samples of a code mode.
std::size_t ticksOf(CodeMode mode);
constexpr std::size_t EventTicks = 3; ///< Index into SampledTrack::ticks for samples of events that do not measure CPU time.

/// The track of a sampled thread or CPU, and its child tracks with a tick (an interval of 1 ns) for each sample.
struct SampledTrack {
    /// A track of ticks, and the end of its last tick. A tick at the time of the previous tick is moved by 1 ns, so that both are counted.
    struct Ticks {
        TrackId track = NoTrack;
        HostTimestamp end;
    };
    TrackId track = NoTrack;
    std::array<Ticks, 4> ticks; ///< Ticks for samples in user mode, in the kernel, in other modes, and of other events.
};

/// The tracks of the sampled threads (by TID) and CPUs, and their child tracks with a tick for each sample.
///
/// Ticks are intervals of 1 ns on attribute tracks: "samples-user", "samples-kernel", "samples-other" and "samples-events". The number of
/// ticks in a time range is therefore the number of samples. All threads that reuse a TID share one track; core/query/rows/sampled_rows.h
/// divides it among the rows of these threads.
class SampledTracks {
public:
    explicit SampledTracks(StateSink& sink);

    /// Returns the track of a thread; adds the track if it is new. References to tracks of threads and CPUs stay valid.
    SampledTrack& thread(std::int32_t tid, std::int32_t pid)
    {
        if (!m_last || tid != m_lastTid)
            findThread(tid, pid);
        return *m_last;
    }
    /// Returns the track of a thread that is identified by TID and name, for samples without a time or without a TID (-1).
    SampledTrack& thread(std::int32_t tid, std::int32_t pid, std::string_view command);
    /// Returns the track of a CPU; nullptr if the number exceeds Linux's limit.
    SampledTrack* cpu(std::int32_t number);

    void addTick(HostTimestamp at, SampledTrack& row, std::size_t kind);

private:
    void findThread(std::int32_t tid, std::int32_t pid);
    TrackId addThread(std::int32_t tid, std::int32_t pid, std::string key, std::string label);

    StateSink& m_sink;
    StateSetId m_states{};
    std::unordered_map<std::int32_t, SampledTrack> m_threads; ///< Tracks of threads that samples identify by TID alone, keyed by TID.
    /// Tracks of threads that need the name, too (samples without a time or TID), keyed by TID and name.
    std::map<std::pair<std::int32_t, std::string>, SampledTrack, std::less<>> m_named;
    std::unordered_map<std::int32_t, SampledTrack> m_cpus; ///< Tracks of CPUs, keyed by CPU number.
    std::int32_t m_lastTid = -1; ///< TID of m_last, which caches the last thread: consecutive samples are mostly of one thread.
    SampledTrack* m_last = nullptr;
};

} // namespace helio::sampling
