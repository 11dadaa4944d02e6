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

/// An arrow between tracks of any stores, of any traces. Not valid ends are nowhere.
struct CrossLink {
    LinkKind kind = LinkKind::Packet;
    TrackRef from;
    TrackRef to;
    Timestamp fromTime; ///< Of the experiment, as `toTime`. Clocks that are not quite right may make it the later one.
    Timestamp toTime;
    std::string detail{};
    std::uint32_t message = NoMessage; ///< Its place in Relation::messages, which says more of it.
    bool operator==(const CrossLink&) const = default;
};

/// The links that a relation found, by fromTime. Immutable, in memory.
///
/// Threads: any at once. Cost: of a question to a window, and to a track, a binary search.
class CrossLinks {
public:
    CrossLinks() = default;
    /// `kinds`: by LinkKind; those that are not in use have no id. Links of a kind that is not there are dropped.
    CrossLinks(std::vector<LinkKindInfo> kinds, std::vector<CrossLink> links);

    std::span<const LinkKindInfo> kinds() const { return m_kinds; }
    std::span<const CrossLink> all() const { return m_links; }

    /// Those of which some may overlap the window; all others do not.
    std::span<const CrossLink> around(TimeRange window) const;

    /// The next (or previous) of the chosen links that touches the track, from `at` exclusive: at fromTime where it leaves the track, at
    /// toTime where it reaches it. Null: none.
    const CrossLink* next(TrackRef track, Timestamp at, LinkChoice choice = {}) const;
    const CrossLink* previous(TrackRef track, Timestamp at, LinkChoice choice = {}) const;

private:
    /// One end of a link.
    struct Touch {
        Timestamp time;
        std::uint32_t link;
        bool isFrom;
    };
    const CrossLink* chosen(const Touch& touch, LinkChoice choice) const;
    void addTouches();

    std::vector<LinkKindInfo> m_kinds;
    std::vector<CrossLink> m_links;
    std::vector<Timestamp> m_latest; ///< By link: the latest time of it and all before it.
    std::vector<Timestamp> m_earliest; ///< By link: the earliest time of it and all behind it.
    std::unordered_map<TrackRef, std::vector<Touch>, TrackRefHash> m_touches; ///< In time order.
};

/// A link without length overlaps the window that holds its time.
bool overlaps(const CrossLink& link, TimeRange window);

} // namespace helio
