#pragma once

#include "core/sql/engine/rows_by_time.h"
#include "core/sql/model/interval_numbers.h"
#include "core/sql/model/recorded_things.h"
#include "core/store/states.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio::sql {

/// State of a thread as the kernel's letters name it, which the tables of the field use.
enum class SchedulerState : std::uint8_t {
    None, ///< The thread's state is unknown, or it is not the scheduler's: no row shows it.
    OffCpu, ///< The thread waited; the letter is unknown.
    Running,
    Runnable, ///< R
    Preempted, ///< R+
    Sleeping, ///< S
    Blocked, ///< D
    Idle, ///< I
    Stopped, ///< T
    Parked, ///< P
    Dead, ///< X
};

/// Returns the text of a state, e.g. "Running" or "R+"; empty for None and OffCpu.
std::string_view textOf(SchedulerState state);
SchedulerState schedulerStateOf(const StateKind& state);

/// A part of a thread's life in one SchedulerState: one or more successive states of the thread's row.
struct ThreadStateRow {
    Timestamp ts;
    std::optional<Timestamp> end; ///< nullopt if the state lasts to the end of the recording, so that its end is unknown.
    std::uint64_t interval = 0; ///< Number of the first interval in the thread's row; only counted on request.
    std::uint32_t thread = 0; ///< Index into RecordedThings::threads().
    SchedulerState state{};
};

/// A thread's run on a CPU, from one switch to the next.
struct ScheduledRow {
    Timestamp ts;
    std::optional<Timestamp> end;
    std::uint64_t interval = 0; ///< Number of the interval in the track of the CPU's threads; only counted on request.
    std::uint32_t cpu = 0; ///< Index into RecordedThings::cpus().
    std::uint32_t thread = 0;
};

/// The scheduler's view of a recording: which thread was in which state, and which CPU ran which thread.
///
/// Threads: any thread at once.
class Scheduling {
public:
    explicit Scheduling(std::shared_ptr<const RecordedThings> things);

    const RecordedThings& things() const { return *m_things; }
    const IntervalNumbers& stateIds() const { return m_stateIds; } ///< Numbers the states of all threads, by thread.
    const IntervalNumbers& runIds() const { return m_runIds; } ///< Numbers the runs on all CPUs, by CPU.

    /// Appends the states of one thread that begin in `part`. If `counts` is not null, the states are numbered.
    void appendStates(std::uint32_t thread, TimeRange part, std::vector<ThreadStateRow>& out, RunningCounts* counts,
                      const std::stop_token& stop) const;
    /// Appends the runs on one CPU that begin in `part`.
    void appendRuns(std::uint32_t cpu, TimeRange part, std::vector<ScheduledRow>& out, RunningCounts* counts,
                    const std::stop_token& stop) const;

    /// Returns the state that a thread is in after it leaves a CPU at a time.
    SchedulerState stateAfterRun(std::uint32_t thread, Timestamp end) const;
    /// Returns the kind of the state that contains `at`.
    /// Cost: small, unlike stateAt(), which searches the begin of the state.
    SchedulerState kindAt(std::uint32_t thread, Timestamp at) const;
    /// Returns the state that contains `at`, with its number; nullopt if it is unknown.
    std::optional<ThreadStateRow> stateAt(std::uint32_t thread, Timestamp at) const;

private:
    SchedulerState stateOf(TrackRef row, State state) const;
    Timestamp recordedUntil(TrackRef track) const;

    std::shared_ptr<const RecordedThings> m_things;
    std::vector<TrackRef> m_threadRows; ///< Row of each thread; not valid for threads without states.
    std::vector<TrackRef> m_cpuThreads; ///< Track with the threads of each CPU.
    IntervalNumbers m_stateIds;
    IntervalNumbers m_runIds;
};

} // namespace helio::sql
