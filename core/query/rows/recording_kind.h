#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <map>

namespace helio {

struct Timeline;

/// Kind of data that a recording can show; decides which panel a window opens on.
enum class RecordingKind {
    States, ///< Scheduler events: the states of every thread over time.
    Slices, ///< Slices or function calls as call stacks, but no scheduler events.
    Samples, ///< Samples, but no scheduler events: the functions in which time was spent.
    Untimed, ///< Samples without times, e.g. folded stacks; a time axis would be empty.
    Events, ///< Events, but neither scheduler events nor slices nor samples.
};

/// Returns the kind of recording according to the traces' metadata; needs no index.
/// Cost: a few µs.
RecordingKind recordingKind(const Timeline& timeline);

/// True if the trace's metadata promise rows: states of threads, or slices of call stacks. Profiles have neither.
/// Cost: a few µs.
bool promisesRows(const Timeline& timeline, std::uint32_t trace);

/// True if the trace's metadata promise call stacks, of function calls or slices.
/// Cost: a few µs.
bool promisesCalls(const Timeline& timeline, std::uint32_t trace);

/// True if the trace recorded only selected threads or CPUs.
bool isPartialRecording(const Timeline& timeline, std::uint32_t trace);

/// Determines whether threads and CPUs of a trace may have run in a range without being recorded. This is the case if at least one of
/// these conditions is met:
/// - The trace recorded only a part of the system.
/// - Events were lost in the range.
/// - The state of a CPU is unknown for more than 1 % of the range, because some kernels record no switches from idle threads.
/// Threads: to be used by one thread; the timeline outlives the object.
/// Cost: reads some blocks per CPU, once for each trace.
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
    std::map<std::uint32_t, bool> m_known; ///< Cached results of mayExistIn(), keyed by trace.
};

/// True if every trace recorded only selected threads, for example a program and its child threads.
bool hasSelectedThreadsOnly(const Timeline& timeline);

} // namespace helio
