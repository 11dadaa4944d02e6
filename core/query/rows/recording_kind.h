#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <map>

namespace helio {

struct Timeline;

/// Kind of data that a recording can show; decides which panel a window opens on.
enum class RecordingKind {
    States, ///< Scheduler events: what every thread did, along time.
    Samples, ///< No scheduler events, but samples: where time went.
    Untimed, ///< Samples without times, e.g. folded stacks: nothing lies on a time axis.
    Events, ///< Neither scheduler events nor samples.
};

/// Returns the kind of recording, from what the traces declare before they are read.
/// Cost: a few µs.
RecordingKind recordingKind(const Timeline& timeline);

/// True if the trace is of selected threads or CPUs only, and knows nothing about others.
bool isPartialRecording(const Timeline& timeline, std::uint32_t trace);

/// Tells for which traces threads and CPUs may have run more than is known in a range. That is so if the trace is of a part of the system,
/// if events were lost in the range, or if a CPU is unknown for more than a hundredth of the range. The last happens with kernels that
/// record no switches from idle threads.
/// Threads: to be used by one thread; the timeline outlives the object.
/// Cost: some blocks a CPU, once a trace.
class UnrecordedRuns {
public:
    UnrecordedRuns(const Timeline& timeline, TimeRange range)
        : m_timeline(timeline)
        , m_range(range)
    {
    }
    bool mayExistIn(std::uint32_t trace);

private:
    const Timeline& m_timeline;
    TimeRange m_range;
    std::map<std::uint32_t, bool> m_known; ///< Keyed by trace.
};

/// True if every trace is of selected threads only, for example of a program and the threads that it starts.
bool hasSelectedThreadsOnly(const Timeline& timeline);

} // namespace helio
