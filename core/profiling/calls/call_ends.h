#pragma once

#include "core/query/segments/segments.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <vector>

namespace helio {

/// How the recording of a call ends.
enum class CallEnd : std::uint8_t {
    Exit, ///< With its exit, as far as anybody knows.
    NotSeen, ///< With that of a caller, or a loss: when it was left is not known.
    StillOpen, ///< With the trace: it lasted at least so long.
};

/// As its row draws the call. Exit where no row shows it. Cost: of a block of intervals.
CallEnd endOf(const Timeline& timeline, const Segment& call);

/// Finds out which of many calls end without their exits: their lengths are none.
///
/// One thread; the timeline outlives it. Cost: of a row's sums at its first call; where calls of the row have no exits, of all its
/// intervals, and 8 bytes for each such call.
class UnfinishedCalls {
public:
    explicit UnfinishedCalls(const Timeline& timeline, std::stop_token stop = {});

    bool contains(const Segment& call);

private:
    std::vector<Timestamp> beginsOn(TrackRef row) const;

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::map<TrackRef, std::vector<Timestamp>> m_begins; ///< Ascending; by rows that were asked for.
};

} // namespace helio
