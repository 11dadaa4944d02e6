#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

/// How long threads were on a CPU, from the states of their rows: for any number of ranges.
///
/// Of threads of a virtual machine's guest it can leave out what was stolen of them, which the guest took for running: `Stolen::LeftOut`.
///
/// One thread; the timeline outlives it. Cost: of a thread some 50 ns for each of its states in the window when it is asked for first, then
/// two binary searches. Memory: 24 bytes a stretch on a CPU.
class ThreadClocks {
public:
    enum class Stolen : std::uint8_t { AsRecorded, LeftOut };

    ThreadClocks(const Timeline& timeline, TimeRange window, std::stop_token stop = {}, Stolen stolen = Stolen::AsRecorded);

    /// Some thread of the experiment has known states.
    bool hasStates() const { return !m_rows.empty(); }
    /// The row with the states of the thread that a row of any view is of, as of a range: of the lives of its TID the first that overlaps
    /// it. Not valid: nobody recorded them, or the TID is a container's.
    TrackRef rowOf(TrackRef of, TimeRange range) const;
    /// The same where its states are known all through the range.
    TrackRef rowAllThrough(TrackRef of, TimeRange range) const;
    /// The row that knows the most of the states of one of rowOf(): that of a guest's thread which knows what was stolen of it too, where
    /// there is one and it is left out; else the same.
    TrackRef knowing(TrackRef row) const;
    /// Of a row of rowOf(), in the part of the range that lies in the window.
    Duration onCpu(TrackRef row, TimeRange range);

private:
    struct Stretch {
        Timestamp begin;
        Duration before{}; ///< On a CPU until then.
        Duration length{};
    };
    struct Life {
        TimeRange range;
        TrackRef row;
    };

    const Life* lifeOf(TrackRef of, TimeRange range) const;
    Duration until(const std::vector<Stretch>& clock, Timestamp at) const;
    const std::vector<Stretch>& clockOf(TrackRef row);

    const Timeline& m_timeline;
    const TimeRange m_window;
    std::stop_token m_stop;
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Life>> m_rows; ///< By host and tid, in time order.
    std::map<TrackRef, TrackRef> m_knowing; ///< By the row that does not know what was stolen; empty as recorded.
    std::map<TrackRef, std::vector<Stretch>> m_clocks;
};

} // namespace helio
