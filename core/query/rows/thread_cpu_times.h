#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// Returns the traces that recorded when threads were on a CPU: those in which any thread was. A log of system calls (strace) has states of
/// threads, but in none of them a thread is on a CPU.
/// Cost: a lookup for each thread of a trace, up to the first thread that was on a CPU.
std::set<std::uint32_t> tracesWithCpuTimes(const Timeline& timeline);

/// Computes the time that threads were on a CPU, from the states of their rows, for many ranges.
///
/// A guest's trace shows steal time as running time. With `Stolen::LeftOut`, steal time is subtracted for threads of a guest.
///
/// Threads: to be used by one thread; the timeline outlives the object.
/// Cost: the first query of a thread takes about 50 ns for each of its states in the time range, later queries two binary searches. Memory:
/// 24 bytes for each interval on a CPU.
class ThreadCpuTimes {
public:
    enum class Stolen : std::uint8_t { AsRecorded, LeftOut };

    ThreadCpuTimes(const Timeline& timeline, TimeRange window, std::stop_token stop = {}, Stolen stolen = Stolen::AsRecorded);

    /// True if any thread of the experiment has known states.
    bool hasStates() const { return !m_rows.empty(); }
    /// Returns the row with the states of a thread; `of` is a row of any view for that thread. If the TID was reused, returns the first
    /// thread that existed in the range. Not valid if the states were not recorded, or if only the TID in a container is known.
    TrackRef rowOf(TrackRef of, TimeRange range) const;
    /// Returns the row with the states of a thread, like rowOf(), but only if the thread existed during the whole range; otherwise an
    /// invalid reference.
    TrackRef rowThroughout(TrackRef of, TimeRange range) const;
    /// Returns the row from which onCpu() takes the states of `row`, a result of rowOf(). This is `row` itself or, with
    /// Stolen::LeftOut and a thread of a guest, the correlator's row that also has steal time.
    TrackRef stateRowOf(TrackRef row) const;
    /// True if the trace of `row` recorded when threads were on a CPU; otherwise the result of onCpu() is 0 although it is unknown.
    bool hasCpuTimes(TrackRef row);
    /// Returns the time in `range` in which the thread of `row`, a result of rowOf(), was on a CPU. Time outside of the constructor's
    /// `window` does not count.
    Duration onCpu(TrackRef row, TimeRange range);

private:
    struct OnCpuInterval {
        Timestamp begin;
        Duration before{}; ///< Total time of the thread on a CPU in all earlier intervals, i.e. before `begin`.
        Duration length{};
    };
    struct Life {
        TimeRange range;
        TrackRef row;
    };

    const Life* lifeOf(TrackRef of, TimeRange range) const;
    Duration until(const std::vector<OnCpuInterval>& clock, Timestamp at) const;
    const std::vector<OnCpuInterval>& clockOf(TrackRef row);

    const Timeline& m_timeline;
    const TimeRange m_window;
    std::stop_token m_stop;
    /// Rows and lifetimes of threads by host and TID; the lifetimes of a TID are in time order.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Life>> m_rows;
    /// Rows with steal time, keyed by the recorded row without steal time; empty with Stolen::AsRecorded.
    std::map<TrackRef, TrackRef> m_knowing;
    std::map<TrackRef, std::vector<OnCpuInterval>> m_clocks;
    std::optional<std::set<std::uint32_t>> m_tracesWithCpuTimes; ///< Result of tracesWithCpuTimes(); nullopt until it is needed.
};

} // namespace helio
