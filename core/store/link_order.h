#pragma once

#include "core/store/time_limits.h"
#include "core/store/track.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

namespace helio {

/// The one order of links: by fromTime; what follows only makes it total.
inline bool comesBefore(const Link& a, const Link& b)
{
    const auto key = [](const Link& l) { return std::tie(l.fromTime, l.toTime, l.kind, l.from, l.to, l.cpu, l.detail); };
    return key(a) < key(b);
}

/// `kinds`: bit n for LinkKind n.
inline bool isOneOf(std::uint32_t kinds, LinkKind kind) { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }

/// A link without length overlaps the window that holds its time.
inline bool overlaps(const Link& link, HostRange window)
{
    const auto [first, last] = std::minmax(link.fromTime, link.toTime);
    return first < window.end && (last > window.begin || first >= window.begin);
}

/// When a link touches a track: it leaves `from` at fromTime and reaches `to` at toTime.
/// The first such time after `at`; nothing where there is none.
inline std::optional<HostTimestamp> touchAfter(const Link& link, TrackId track, HostTimestamp at)
{
    std::optional<HostTimestamp> result;
    if (link.from == track && link.fromTime > at)
        result = link.fromTime;
    if (link.to == track && link.toTime > at && (!result || link.toTime < *result))
        result = link.toTime;
    return result;
}

/// The last time before `at`.
inline std::optional<HostTimestamp> touchBefore(const Link& link, TrackId track, HostTimestamp at)
{
    std::optional<HostTimestamp> result;
    if (link.from == track && link.fromTime < at)
        result = link.fromTime;
    if (link.to == track && link.toTime < at && (!result || link.toTime > *result))
        result = link.toTime;
    return result;
}

/// The better of the links seen so far for nextLink() and previousLink(): nearest touch, then the order of links.
struct NearestLink {
    std::optional<Link> link;
    HostTimestamp touch;

    void offerNext(const Link& candidate, TrackId track, HostTimestamp at) { offer(candidate, touchAfter(candidate, track, at), 1); }
    void offerPrevious(const Link& candidate, TrackId track, HostTimestamp at) { offer(candidate, touchBefore(candidate, track, at), -1); }

private:
    void offer(const Link& candidate, std::optional<HostTimestamp> at, int direction)
    {
        if (!at)
            return;
        const Duration distance = (*at - touch) * direction;
        if (!link || distance < Duration(0) || (distance == Duration(0) && comesBefore(candidate, *link))) {
            link = candidate;
            touch = *at;
        }
    }
};

} // namespace helio
