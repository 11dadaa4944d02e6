#pragma once

#include "core/correlation/cross_links.h"
#include "core/query/rows/rows.h"
#include "core/store/links.h"

#include <initializer_list>
#include <span>

namespace helio {

/// Index in Timeline::relations.
enum class RelationIndex : std::uint32_t {};
constexpr RelationIndex NoRelation{0xffffffff};

/// A link, of a store or of a relation, with both ends on the experiment's time.
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
    StoreIndex store{}; ///< That has the link, where no relation has it.
    RelationIndex relation = NoRelation;
    std::uint32_t message = NoMessage; ///< As CrossLink has it.
    bool operator==(const Arrow&) const = default;
};

/// Kinds of links, by their ids: the same in all stores.
struct LinkIds {
    std::vector<std::string> ids;
    /// Who has several kinds of one id has the same links in them, with ends that other views have rows for: those count that are made for
    /// this view. Empty: those that are made for all.
    std::string view;

    LinkIds() = default;
    LinkIds(std::initializer_list<std::string> these)
        : ids(these)
    {
    }
    bool isEmpty() const { return ids.empty(); }
    bool operator==(const LinkIds&) const = default;
};

/// The kinds that a view shows of what the stores have; those hidden at first only with `all`.
LinkIds linksIn(const Timeline& timeline, std::string_view view, bool all = true);

/// What the arrow's kind is called and looks like. One without id where what has the link is not there or does not say.
const LinkKindInfo& kindOf(const Timeline& timeline, const Arrow& arrow);

/// Those of the kinds that are among a store's or a relation's own: bit n for LinkKind n.
std::uint32_t linkMask(std::span<const LinkKindInfo> own, const LinkIds& kinds);

/// The arrows of some kinds that overlap the window, by fromTime, at most `limit` (0: all). `total` gets how many there are. Of far too
/// many for any picture (200,000) none is listed where there is a limit.
std::vector<Arrow> arrows(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::size_t limit = 0,
                          std::uint64_t* total = nullptr, std::stop_token stop = {});

/// At which of its ends an arrow is to touch a track.
struct ArrowEnds {
    bool isFrom = true;
    bool isTo = true;
};

/// The next or previous arrow of some kinds that touches the track, from `at` exclusive: of its store and of all relations. Count 0 or 1.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends = {});
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends = {});

/// The same of its store alone, by the numbers that mean the same in every store.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice);
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice);

/// Whether the kinds are shown by links with that number in the track's store.
bool hasKind(const Timeline& timeline, TrackRef track, const LinkIds& kinds, LinkKind known);

} // namespace helio
