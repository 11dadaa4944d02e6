#pragma once

#include "core/query/rows/rows.h"

namespace helio {

/// A link with both ends on the experiment's time.
struct Arrow {
    LinkKind kind = LinkKind::Wakeup;
    TrackRef from; ///< A wake-up's: the thread that did it, else the CPU: see Link.
    TrackRef to;
    Timestamp fromTime;
    Timestamp toTime;
    std::uint32_t cpu = 0;
    std::string detail;
    std::int32_t targetCpu = NoCpu;
    std::int32_t ranOn = NoCpu;
    bool operator==(const Arrow&) const = default;
};

/// "wakeup", "sched", "migration", "packet".
std::string_view linkName(LinkKind kind);

/// The kinds of links that a view shows ("control-flow": wakeup, sched; "resources": migration; every view: packet): bit n for LinkKind n.
std::uint32_t linkKindsIn(std::string_view view);

/// The arrows of some kinds (as linkKindsIn() tells them) that overlap the window, by fromTime, at most `limit` (0: all). `total` gets how
/// many there are. Of far too many for any picture (200,000) none is listed where there is a limit.
std::vector<Arrow> arrows(const Timeline& timeline, std::uint32_t kinds, TimeRange window, std::size_t limit = 0,
                          std::uint64_t* total = nullptr, std::stop_token stop = {});

/// The next or previous of the chosen arrows that touches the track. Count 0 or 1.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice = {});
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice = {});

} // namespace helio
