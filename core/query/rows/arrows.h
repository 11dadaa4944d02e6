#pragma once

#include "core/query/rows/rows.h"
#include "core/store/links.h"

namespace helio {

class Store;

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
    StoreIndex store{}; ///< That has the link.
    bool operator==(const Arrow&) const = default;
};

/// Kinds of links, by their ids: the same in all stores.
using LinkIds = std::vector<std::string>;

/// The kinds that a view shows of what the stores have; those hidden at first only with `all`.
LinkIds linksIn(const Timeline& timeline, std::string_view view, bool all = true);

/// What the arrow's kind is called and looks like. One without id where its store is not there or does not say.
const LinkKindInfo& kindOf(const Timeline& timeline, const Arrow& arrow);

/// Those of the kinds that a store has: bit n for LinkKind n.
std::uint32_t linkMask(const Store& store, const LinkIds& kinds);

/// The arrows of some kinds that overlap the window, by fromTime, at most `limit` (0: all). `total` gets how many there are. Of far too
/// many for any picture (200,000) none is listed where there is a limit.
std::vector<Arrow> arrows(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::size_t limit = 0,
                          std::uint64_t* total = nullptr, std::stop_token stop = {});

/// The next or previous of the chosen arrows that touches the track; kinds are by their number in its store. Count 0 or 1.
std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice = {});
std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice = {});

/// The numbers that kinds have in the track's store: for a LinkChoice.
std::uint32_t linkMask(const Timeline& timeline, TrackRef track, const LinkIds& kinds);

} // namespace helio
