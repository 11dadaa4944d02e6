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

/// Which ticks a sample has, by what ran.
std::size_t ticksOf(CodeMode mode);
constexpr std::size_t EventTicks = 3; ///< Of other events than the one that measures CPU time.

/// What samples are of: a thread or a CPU.
struct SampledTrack {
    /// Its last tick: one that comes at the same time stands a ns later, so that it is counted.
    struct Ticks {
        TrackId track = NoTrack;
        HostTimestamp end;
    };
    TrackId track = NoTrack;
    std::array<Ticks, 4> ticks; ///< User, kernel, other, events.
};

/// The tracks of threads, by tid, and CPUs that were sampled, and below them the ticks of their samples.
///
/// Ticks are intervals of 1 ns on attribute tracks, one track for each of "samples-user", "samples-kernel", "samples-other" and
/// "samples-events": the spans' counts say how many there are in a stretch of time. One track is for all lives of a tid: whose row a
/// stretch of it belongs to says the query room (core/query/rows/sampled_rows.h).
class SampledTracks {
public:
    explicit SampledTracks(StateSink& sink);

    // Where it is first asked for, it is added. Both stay where they are.
    SampledTrack& thread(std::int32_t tid, std::int32_t pid)
    {
        if (!m_last || tid != m_lastTid)
            findThread(tid, pid);
        return *m_last;
    }
    /// A thread that its name tells from others, too: of samples without a time or a tid (-1).
    SampledTrack& thread(std::int32_t tid, std::int32_t pid, std::string_view command);
    /// Null for a number that no machine has.
    SampledTrack* cpu(std::int32_t number);

    void addTick(HostTimestamp at, SampledTrack& row, std::size_t kind);

private:
    void findThread(std::int32_t tid, std::int32_t pid);
    TrackId addThread(std::int32_t tid, std::int32_t pid, std::string key, std::string label);

    StateSink& m_sink;
    StateSetId m_states{};
    std::unordered_map<std::int32_t, SampledTrack> m_threads; ///< By tid.
    std::map<std::pair<std::int32_t, std::string>, SampledTrack, std::less<>> m_named; ///< By tid and name.
    std::unordered_map<std::int32_t, SampledTrack> m_cpus; ///< By number.
    std::int32_t m_lastTid = -1; ///< Samples come from the same thread again and again.
    SampledTrack* m_last = nullptr;
};

} // namespace helio::sampling
