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

/// An arrow between tracks of any stores, of any traces. An end that is not valid is unknown.
struct InterTraceLink {
    LinkKind kind = LinkKind::Packet;
    TrackRef from;
    TrackRef to;
    Timestamp fromTime; ///< The experiment's times of both ends. If clocks are not exact, `fromTime` may be later than `toTime`.
    Timestamp toTime;
    std::string detail{};
    std::uint32_t message = NoMessage; ///< Index of a message in Correlation::messages with more detail; NoMessage if there is none.
    bool operator==(const InterTraceLink&) const = default;
};

/// The links that a correlator found, ordered by fromTime. Immutable, in memory.
///
/// Threads: all methods from any thread at once.
/// Cost: a binary search for each query of a time window or a track.
class InterTraceLinks {
public:
    InterTraceLinks() = default;
    /// `kinds`: indexed by LinkKind; unused kinds have no id. Links of an unused kind are dropped.
    InterTraceLinks(std::vector<LinkKindInfo> kinds, std::vector<InterTraceLink> links);

    std::span<const LinkKindInfo> kinds() const { return m_kinds; }
    std::span<const InterTraceLink> all() const { return m_links; }

    /// A run of links that contains all links that overlap the window, and possibly others.
    std::span<const InterTraceLink> around(TimeRange window) const;

    /// Find the next and the previous one of the chosen links that touches the track, from `at` exclusive. A link touches the track that it
    /// leaves at fromTime, and the track that it reaches at toTime. Null if there is none.
    const InterTraceLink* next(TrackRef track, Timestamp at, LinkFilter choice = {}) const;
    const InterTraceLink* previous(TrackRef track, Timestamp at, LinkFilter choice = {}) const;

private:
    /// One end of a link.
    struct Touch {
        Timestamp time;
        std::uint32_t link;
        bool isFrom;
    };
    const InterTraceLink* chosen(const Touch& touch, LinkFilter choice) const;
    void addTouches();

    std::vector<LinkKindInfo> m_kinds;
    std::vector<InterTraceLink> m_links;
    std::vector<Timestamp> m_latest; ///< Indexed by link: the latest time of this link and all links before it.
    std::vector<Timestamp> m_earliest; ///< Indexed by link: the earliest time of this link and all links after it.
    std::unordered_map<TrackRef, std::vector<Touch>, TrackRefHash> m_touches; ///< Ends of links by track, in time order.
};

/// True if the link overlaps the window. A link of zero length overlaps the window that contains its time.
bool overlaps(const InterTraceLink& link, TimeRange window);

} // namespace helio
