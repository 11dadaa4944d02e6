#pragma once

#include "core/query/segments/segments.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <vector>

namespace helio {

/// How the recording of a call ends.
enum class CallEnd : std::uint8_t {
    Exit, ///< With its exit, as far as the trace shows.
    NotSeen, ///< With the exit of a caller, or with lost events: the time of its own exit is not known.
    StillOpen, ///< With the trace: it lasted at least so long.
};

/// Returns how a call ends, from the way its row draws it; Exit if no row shows it.
/// Cost: reads a block of intervals.
CallEnd endOf(const Timeline& timeline, const Segment& call);

/// Tells which of many calls end without a recorded exit, so that their lengths mean nothing.
///
/// Threads: to be used by one thread; the timeline outlives the object.
/// Cost: reads a row's sums at the first call on it; if calls of the row have no exits, all its intervals. Memory: 8 bytes for each such
/// call.
class UnfinishedCalls {
public:
    explicit UnfinishedCalls(const Timeline& timeline, std::stop_token stop = {});

    bool contains(const Segment& call);

private:
    std::vector<Timestamp> beginsOn(TrackRef row) const;

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::map<TrackRef, std::vector<Timestamp>> m_begins; ///< Begins of unfinished calls, ascending, for each row asked about so far.
};

} // namespace helio
