#pragma once

#include "core/query/rows.h"

namespace helio {

/// A link with both ends on the experiment's time.
struct Arrow {
    LinkKind kind = LinkKind::Wakeup;
    TrackRef from;                ///< Not valid: from no row (an interrupt on an idle CPU).
    TrackRef to;
    Timestamp fromTime;
    Timestamp toTime;
    std::uint32_t cpu = 0;
    std::string detail;
};

/// "wakeup", "sched", "migration", "packet".
std::string_view linkName(LinkKind kind);

/// The arrows a view shows ("control-flow": wakeup, sched; "resources": migration; every view: packet) that overlap the window, by fromTime,
/// at most `limit` (0: all). `total` gets how many there are. Of far too many for any picture (200,000) none is listed where there is a limit.
std::vector<Arrow> arrows(const Timeline& timeline, std::string_view view, TimeRange window, std::size_t limit = 0,
                          std::uint64_t* total = nullptr, std::stop_token stop = {});

/// The next or previous arrow that touches the track. Count 0 or 1.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at);
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at);

} // namespace helio
