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

/// Returns the index into SampledTrack::ticks for a sample in that mode.
std::size_t ticksOf(CodeMode mode);
constexpr std::size_t EventTicks = 3; ///< Index into SampledTrack::ticks for samples of events that do not measure CPU time.

/// A track that samples belong to: a thread or a CPU.
struct SampledTrack {
    /// A track of ticks and the end of its last tick. A tick at the same time as the previous one is moved by 1 ns, so that it is counted.
    struct Ticks {
        TrackId track = NoTrack;
        HostTimestamp end;
    };
    TrackId track = NoTrack;
    std::array<Ticks, 4> ticks; ///< Ticks of the modes user, kernel and other, and of other events.
};

/// The tracks of the threads (by tid) and CPUs that were sampled, and their child tracks with the ticks of the samples.
///
/// Ticks are intervals of 1 ns on attribute tracks: one track each for "samples-user", "samples-kernel", "samples-other" and
/// "samples-events". The counts of spans tell how many samples a time range has. One track serves all threads that reuse a tid;
/// core/query/rows/sampled_rows.h divides it among their rows.
class SampledTracks {
public:
    explicit SampledTracks(StateSink& sink);

    /// Returns the track of a thread and adds it if it is new. References to threads and CPUs stay valid.
    SampledTrack& thread(std::int32_t tid, std::int32_t pid)
    {
        if (!m_last || tid != m_lastTid)
            findThread(tid, pid);
        return *m_last;
    }
    /// Returns the track of a thread that is identified by tid and name; for samples without a time or without a tid (-1).
    SampledTrack& thread(std::int32_t tid, std::int32_t pid, std::string_view command);
    /// Returns the track of a CPU; nullptr if the number exceeds Linux's limit.
    SampledTrack* cpu(std::int32_t number);

    void addTick(HostTimestamp at, SampledTrack& row, std::size_t kind);

private:
    void findThread(std::int32_t tid, std::int32_t pid);
    TrackId addThread(std::int32_t tid, std::int32_t pid, std::string key, std::string label);

    StateSink& m_sink;
    StateSetId m_states{};
    std::unordered_map<std::int32_t, SampledTrack> m_threads; ///< Indexed by tid.
    std::map<std::pair<std::int32_t, std::string>, SampledTrack, std::less<>> m_named; ///< Indexed by tid and name.
    std::unordered_map<std::int32_t, SampledTrack> m_cpus; ///< Indexed by CPU.
    std::int32_t m_lastTid = -1; ///< Cache: consecutive samples mostly come from the same thread.
    SampledTrack* m_last = nullptr;
};

} // namespace helio::sampling
