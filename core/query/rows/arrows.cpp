#include "core/query/rows/arrows.h"

#include "core/query/rows/arrow_walk.h"
#include "core/query/rows/composed.h"

#include <algorithm>

namespace helio {
namespace {

/// Above this many links of any kind in a window, a limited answer counts them and lists none.
constexpr std::uint64_t ExactBelow = 200'000;

std::vector<Arrow> oneArrow(const Timeline& timeline, StoreIndex store, const std::vector<Link>& links)
{
    if (links.empty())
        return {};
    return {arrowOf(timeline, store, links.front())};
}

} // namespace

LinkIds linksIn(const Timeline& timeline, std::string_view view, bool all)
{
    LinkIds ids;
    eachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        for (const LinkKindInfo& kind : store.linkKinds()) {
            const bool isShown = kind.views.empty() || std::ranges::find(kind.views, view) != kind.views.end();
            if (!kind.id.empty() && isShown && (all || !kind.isHiddenFirst) && std::ranges::find(ids, kind.id) == ids.end())
                ids.push_back(kind.id);
        }
    });
    return ids;
}

std::uint32_t linkMask(const Store& store, const LinkIds& kinds)
{
    std::uint32_t mask = 0;
    const auto own = store.linkKinds();
    for (std::size_t kind = 0; kind < own.size() && kind < MostLinkKinds; ++kind)
        if (!own[kind].id.empty() && std::ranges::find(kinds, own[kind].id) != kinds.end())
            mask |= bitOf(LinkKind(kind));
    return mask;
}

std::uint32_t linkMask(const Timeline& timeline, TrackRef track, const LinkIds& kinds)
{
    const Store* store = storeOf(timeline, track);
    return store ? linkMask(*store, kinds) : 0;
}

const LinkKindInfo& kindOf(const Timeline& timeline, const Arrow& arrow)
{
    static const LinkKindInfo none;
    const auto place = static_cast<std::size_t>(arrow.kind);
    const auto kinds = linkKindsOf(timeline, arrow.store);
    return place < kinds.size() ? kinds[place] : none;
}

namespace {

/// How many links of these kinds there are in the window.
std::uint64_t linkCount(const Timeline& timeline, const LinkIds& kinds, TimeRange window, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    eachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace& t) {
        std::uint64_t own = 0;
        if (const std::uint32_t mask = linkMask(store, kinds); mask != 0)
            store.links(t.clock.inverse(window), 1, &own, stop, mask);
        count += own;
    });
    return count;
}

} // namespace

std::vector<Arrow> arrows(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::size_t limit, std::uint64_t* total,
                          std::stop_token stop)
{
    std::vector<Arrow> all;
    std::uint64_t count = limit > 0 ? linkCount(timeline, kinds, window, stop) : 0;
    if (count <= ExactBelow) {
        count = 0;
        for (ArrowWalk walk(timeline, kinds, window, std::move(stop)); walk.next(); ++count)
            if (limit == 0 || all.size() < limit)
                all.push_back(walk.arrow());
    }
    if (total)
        *total = count;
    return all;
}

std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice)
{
    const Store* store = storeOf(timeline, track);
    if (!store)
        return {};
    return oneArrow(timeline, track.store, store->nextLink(track.track, clockOf(timeline, track.store).inverse(at), choice));
}

std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkChoice choice)
{
    const Store* store = storeOf(timeline, track);
    if (!store)
        return {};
    return oneArrow(timeline, track.store, store->previousLink(track.track, clockOf(timeline, track.store).inverse(at), choice));
}

} // namespace helio
