#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <map>

namespace helio {

struct Timeline;

/// What a recording has to show: what a window brings to the front of it.
enum class RecordingKind {
    States, ///< Scheduler events: what every thread did, along time.
    Samples, ///< No scheduler events, but samples: where time went.
    Untimed, ///< Samples without a time, as folded stacks: nothing is along time.
    Events, ///< Neither: events alone.
};

/// Known from what the traces declare, before they are read. Some µs.
RecordingKind recordingKind(const Timeline& timeline);

/// Whether the trace is of some threads or CPUs alone, and nothing is known of others.
bool isOfPart(const Timeline& timeline, std::uint32_t trace);

/// Whether threads and CPUs of a trace of which not all of a range is known may have run more than is known: it is of a part, events were
/// lost in the range, or a CPU of it is unknown for more than a hundredth of the range, as where a kernel records no switches from idle
/// threads. One thread; the timeline outlives it. Cost: some blocks a CPU, once a trace.
class UnseenRuns {
public:
    UnseenRuns(const Timeline& timeline, TimeRange range)
        : m_timeline(timeline)
        , m_range(range)
    {
    }
    bool mayBeOf(std::uint32_t trace);

private:
    const Timeline& m_timeline;
    TimeRange m_range;
    std::map<std::uint32_t, bool> m_known; ///< By trace.
};

/// Whether every trace is of threads that were asked for, such as a program and those it starts, and of no others.
bool isOfSomeThreads(const Timeline& timeline);

} // namespace helio
