#pragma once

#include "core/store/links.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

namespace helio {

/// True if `a` comes before `b` in the order of links. Links are ordered by fromTime; links with equal fromTime by their other
/// members, so that the order is unique.
inline bool comesBefore(const Link& a, const Link& b)
{
    const auto key = [](const Link& l) {
        return std::tie(l.fromTime, l.toTime, l.kind, l.from, l.to, l.cpu, l.detail, l.targetCpu, l.ranOn);
    };
    return key(a) < key(b);
}

/// True if `kinds` contains `kind` (bit n stands for LinkKind n).
inline bool isOneOf(std::uint32_t kinds, LinkKind kind) { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }

/// True if the link overlaps `window`. A link without length overlaps the windows that contain its time.
inline bool overlaps(const Link& link, HostRange window)
{
    const auto [first, last] = std::minmax(link.fromTime, link.toTime);
    return first < window.end && (last > window.begin || first >= window.begin);
}

/// Finds the result of nextLink() and previousLink() among candidates: the link that touches the track at the time nearest to `at`. Among
/// links with the same time, the first in the order of comesBefore() wins.
///
/// A link touches a track at its fromTime if it begins on the track, and at its toTime if it ends on the track.
class NearestLink {
public:
    NearestLink(TrackId track, HostTimestamp at, LinkFilter choice)
        : m_track(track)
        , m_at(at)
        , m_choice(choice)
    {
    }

    void offerNext(const Link& candidate) { offer(candidate, 1); }
    void offerPrevious(const Link& candidate) { offer(candidate, -1); }

    std::optional<Link> link;
    HostTimestamp touch;

private:
    void offer(const Link& candidate, int direction)
    {
        if (!isOneOf(m_choice.kinds, candidate.kind))
            return;
        if (m_choice.acceptsOutgoing && candidate.from == m_track)
            offer(candidate, candidate.fromTime, direction);
        if (m_choice.acceptsIncoming && candidate.to == m_track)
            offer(candidate, candidate.toTime, direction);
    }

    void offer(const Link& candidate, HostTimestamp time, int direction)
    {
        if (direction > 0 ? time <= m_at : time >= m_at)
            return;
        const Duration distance = (time - touch) * direction;
        if (!link || distance < Duration(0) || (distance == Duration(0) && comesBefore(candidate, *link))) {
            link = candidate;
            touch = time;
        }
    }

    TrackId m_track;
    HostTimestamp m_at;
    LinkFilter m_choice;
};

} // namespace helio
