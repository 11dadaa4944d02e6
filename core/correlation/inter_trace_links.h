#pragma once

#include "core/base/time.h"
#include "core/store/links.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

constexpr std::uint32_t NoMessage = 0xffffffff;

/// An arrow between two tracks, which may be in different stores and traces. `from` or `to` is not valid if that end is unknown.
struct InterTraceLink {
    LinkKind kind = LinkKind::Packet;
    TrackRef from;
    TrackRef to;
    /// Beginning of the arrow, on the experiment's time axis like `toTime`. Because of clock errors, `fromTime` may be later than `toTime`.
    Timestamp fromTime;
    Timestamp toTime;
    std::string detail{};
    std::uint32_t message = NoMessage; ///< Index of a message in Correlation::messages with more detail; NoMessage if there is none.
    bool operator==(const InterTraceLink&) const = default;
};

/// The links that a correlator found, ordered by fromTime. Immutable, in memory.
///
/// Threads: all methods may be called from several threads at once.
/// Cost: a binary search for each query of a time range or a track.
class InterTraceLinks {
public:
    InterTraceLinks() = default;
    /// `kinds` is indexed by LinkKind; an element without an id is an unused kind. Links of unused kinds are dropped.
    InterTraceLinks(std::vector<LinkKindInfo> kinds, std::vector<InterTraceLink> links);

    std::span<const LinkKindInfo> kinds() const { return m_kinds; }
    std::span<const InterTraceLink> all() const { return m_links; }

    /// Returns consecutive links that include all links that overlap `window`, and possibly further links.
    std::span<const InterTraceLink> around(TimeRange window) const;

    /// Return the next or previous link after or before `at` that matches `choice` and touches the track; null if no link does. A link
    /// touches its `from` track at `fromTime`, and its `to` track at `toTime`. Links at exactly `at` are not returned.
    const InterTraceLink* next(TrackRef track, Timestamp at, LinkFilter choice = {}) const;
    const InterTraceLink* previous(TrackRef track, Timestamp at, LinkFilter choice = {}) const;

private:
    /// One end of a link: the time at which the link leaves or reaches a track.
    struct Touch {
        Timestamp time;
        std::uint32_t link;
        bool isFrom;
    };
    const InterTraceLink* chosen(const Touch& touch, LinkFilter choice) const;
    void addTouches();

    std::vector<LinkKindInfo> m_kinds;
    std::vector<InterTraceLink> m_links;
    std::vector<Timestamp> m_latest; ///< Indexed by link: the latest `fromTime` or `toTime` among this link and all links before it.
    std::vector<Timestamp> m_earliest; ///< Indexed by link: the earliest `fromTime` or `toTime` among this link and all links after it.
    std::unordered_map<TrackRef, std::vector<Touch>, TrackRefHash> m_touches; ///< Ends of links for each track, in time order.
};

/// Returns true if the link overlaps the time range. A link of zero length overlaps a time range that contains its time.
bool overlaps(const InterTraceLink& link, TimeRange window);

} // namespace helio
