#pragma once

#include "core/query/segments/segments.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <vector>

namespace helio {

/// How the end of a call was recorded.
enum class CallEnd : std::uint8_t {
    Exit, ///< The exit of the call was recorded, or no row shows how the call ended.
    NotSeen, ///< The call ended with the exit of a caller or with lost events; the time of its own exit is unknown.
    StillOpen, ///< The call was open at the end of the trace, so its length is a minimum.
};

/// Returns how a call ends, as shown by the state of its bar in the call row; Exit if no row shows the call.
/// Cost: reads one block of intervals; for a call of duration 0, all intervals of its row.
CallEnd endOf(const Timeline& timeline, const Segment& call);

/// Set of the calls that end without a recorded exit, so that their lengths are meaningless.
///
/// Threads: to be used by one thread. Ownership: the timeline must outlive the object.
/// Cost: the first query of a row reads the totals of the row's states and, if some of its calls have no exit, all its intervals.
/// Memory: 8 bytes for each call without an exit, 16 bytes for each call of duration 0.
class UnfinishedCalls {
public:
    explicit UnfinishedCalls(const Timeline& timeline, std::stop_token stop = {});

    bool contains(const Segment& call);

private:
    /// Call of duration 0 with a recorded exit, as its row shows it.
    struct Tick {
        Timestamp begin;
        StackId stack{};
    };
    struct RowEnds {
        bool isOfCalls = false;
        std::vector<Timestamp> unfinished; ///< Ends of the intervals of calls without a recorded exit, ascending.
        std::vector<Tick> ticks; ///< In time order.
    };
    RowEnds read(TrackRef row) const;

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::map<TrackRef, RowEnds> m_rows; ///< Ends of the calls of each queried row.
};

} // namespace helio
