#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// Time that threads were on a CPU, from the states of their rows, for any number of ranges.
///
/// A guest takes steal time for running time. With `Stolen::LeftOut`, steal time is left out for threads of a guest.
///
/// Threads: to be used by one thread; the timeline outlives the object.
/// Cost: for each thread about 50 ns for each of its states in the window at the first question, then two binary searches. Memory: 24 bytes
/// for each time on a CPU.
class ThreadCpuTimes {
public:
    enum class Stolen : std::uint8_t { AsRecorded, LeftOut };

    ThreadCpuTimes(const Timeline& timeline, TimeRange window, std::stop_token stop = {}, Stolen stolen = Stolen::AsRecorded);

    /// True if any thread of the experiment has known states.
    bool hasStates() const { return !m_rows.empty(); }
    /// Returns the row with the states of a thread. `of`: a row of any view for that thread. If its TID has several lives, the first
    /// one that overlaps the range. Not valid: the states were not recorded, or the TID is a container's.
    TrackRef rowOf(TrackRef of, TimeRange range) const;
    /// Returns rowOf() if the thread's states are known in all of the range, else an invalid reference.
    TrackRef rowThroughout(TrackRef of, TimeRange range) const;
    /// Returns the row with the most complete states for a row from rowOf(): with `Stolen::LeftOut`, the row of a guest's thread that also
    /// shows steal time, if there is one; else `row`.
    TrackRef knowing(TrackRef row) const;
    /// Returns the time that a row from rowOf() was on a CPU, in the part of the range that lies in the window.
    Duration onCpu(TrackRef row, TimeRange range);

private:
    struct OnCpuInterval {
        Timestamp begin;
        Duration before{}; ///< Sum of the times on a CPU before this one.
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
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Life>> m_rows; ///< Keyed by host and tid; lives in time order.
    std::map<TrackRef, TrackRef> m_knowing; ///< Rows with steal time, by the recorded row that lacks it; empty with Stolen::AsRecorded.
    std::map<TrackRef, std::vector<OnCpuInterval>> m_clocks;
};

} // namespace helio
