#include "core/query/rows/arrows.h"

#include "core/query/rows/arrow_walk.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {
namespace {

/// Above this many links of any kind in a window, a limited answer counts them and lists none.
constexpr std::uint64_t ExactBelow = 200'000;

/// Calls visit(kinds) for each store and each correlator that has links.
template <typename Visit> void eachKinds(const Timeline& timeline, const Visit& visit)
{
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) { visit(store.linkKinds()); });
    forEachInterTraceLinks(timeline, [&](RelationIndex, const InterTraceLinks& links) { visit(links.kinds()); });
}

std::span<const LinkKindInfo> kindsBeside(const Timeline& timeline, const Arrow& arrow)
{
    if (arrow.relation == NoRelation)
        return linkKindsOf(timeline, arrow.store);
    const InterTraceLinks* links = crossLinksOf(timeline, arrow.relation);
    return links ? links->kinds() : std::span<const LinkKindInfo>();
}

/// Returns the number of links of these kinds in the window.
std::uint64_t linkCount(const Timeline& timeline, const LinkIds& kinds, TimeRange window, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        std::uint64_t own = 0;
        if (const std::uint32_t mask = linkMask(store.linkKinds(), kinds); mask != 0)
            store.links(clockOf(timeline, index).inverse(window), 1, &own, stop, mask);
        count += own;
    });
    forEachInterTraceLinks(timeline, [&](RelationIndex, const InterTraceLinks& links) {
        const std::uint32_t mask = linkMask(links.kinds(), kinds);
        count += static_cast<std::uint64_t>(std::ranges::count_if(
            links.around(window), [&](const InterTraceLink& link) { return (mask & bitOf(link.kind)) != 0 && overlaps(link, window); }));
    });
    return count;
}

/// Returns the time at which the arrow touches the track, after `at` or before it.
Timestamp touchOf(const Arrow& arrow, TrackRef track, Timestamp at, bool isForward, ArrowEnds ends)
{
    const auto counts = [&](Timestamp time) { return isForward ? time > at : time < at; };
    const bool isFrom = ends.isFrom && arrow.from == track && counts(arrow.fromTime);
    const bool isTo = ends.isTo && arrow.to == track && counts(arrow.toTime);
    if (isFrom && isTo)
        return isForward ? std::min(arrow.fromTime, arrow.toTime) : std::max(arrow.fromTime, arrow.toTime);
    return isFrom ? arrow.fromTime : arrow.toTime;
}

std::vector<Arrow> oneArrow(const Timeline& timeline, StoreIndex store, const std::vector<Link>& links)
{
    if (links.empty())
        return {};
    return {arrowOf(timeline, store, links.front())};
}

/// Returns the nearest arrow, of those in the track's store and in all correlators.
std::vector<Arrow> nearestArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends,
                                bool isForward)
{
    const Store* store = storeOf(timeline, track);
    if (!store)
        return {};
    const LinkFilter own{linkMask(store->linkKinds(), kinds), ends.isFrom, ends.isTo};
    std::vector<Arrow> found;
    if (own.kinds != 0)
        found = isForward ? nextArrow(timeline, track, at, own) : previousArrow(timeline, track, at, own);
    forEachInterTraceLinks(timeline, [&](RelationIndex index, const InterTraceLinks& links) {
        const LinkFilter choice{linkMask(links.kinds(), kinds), ends.isFrom, ends.isTo};
        const InterTraceLink* link = isForward ? links.next(track, at, choice) : links.previous(track, at, choice);
        if (!link)
            return;
        const Arrow arrow = arrowOf(timeline, index, *link);
        const auto touch = [&](const Arrow& it) { return touchOf(it, track, at, isForward, ends); };
        if (found.empty() || (isForward ? touch(arrow) < touch(found[0]) : touch(arrow) > touch(found[0])))
            found = {arrow};
    });
    return found;
}

} // namespace

LinkIds linkKindsInView(const Timeline& timeline, std::string_view view, bool all)
{
    LinkIds ids;
    ids.view = view;
    const bool isForAll = !viewDescription(timeline, view).hidesCommonLinks;
    eachKinds(timeline, [&](std::span<const LinkKindInfo> kinds) {
        for (const LinkKindInfo& kind : kinds) {
            const bool isShown = kind.views.empty() ? isForAll : std::ranges::find(kind.views, view) != kind.views.end();
            if (!kind.id.empty() && isShown && (all || !kind.isHiddenByDefault) && std::ranges::find(ids.ids, kind.id) == ids.ids.end())
                ids.ids.push_back(kind.id);
        }
    });
    return ids;
}

namespace {

/// Returns how well a kind fits a view, as a distance: 0 if made for it, 1 if made for all views, 2 if made for other views.
int distanceFrom(const LinkKindInfo& kind, const std::string& view)
{
    if (kind.views.empty())
        return 1;
    return std::ranges::find(kind.views, view) != kind.views.end() ? 0 : 2;
}

/// True if, among the kinds with the same id, this one fits the view best; the first of several that fit equally.
bool isTheOne(std::span<const LinkKindInfo> own, std::size_t kind, const std::string& view)
{
    const int distance = distanceFrom(own[kind], view);
    for (std::size_t other = 0; other < own.size(); ++other)
        if (own[other].id == own[kind].id && std::pair(distanceFrom(own[other], view), other) < std::pair(distance, kind))
            return false;
    return true;
}

} // namespace

std::uint32_t linkMask(std::span<const LinkKindInfo> own, const LinkIds& kinds)
{
    std::uint32_t mask = 0;
    for (std::size_t kind = 0; kind < own.size() && kind < MostLinkKinds; ++kind)
        if (!own[kind].id.empty() && std::ranges::find(kinds.ids, own[kind].id) != kinds.ids.end() && isTheOne(own, kind, kinds.view))
            mask |= bitOf(LinkKind(kind));
    return mask;
}

bool hasLinkKind(const Timeline& timeline, TrackRef track, const LinkIds& kinds, LinkKind known)
{
    const Store* store = storeOf(timeline, track);
    return store && (linkMask(store->linkKinds(), kinds) & bitOf(known)) != 0;
}

const LinkKindInfo& kindOf(const Timeline& timeline, const Arrow& arrow)
{
    static const LinkKindInfo none;
    const auto place = static_cast<std::size_t>(arrow.kind);
    const auto kinds = kindsBeside(timeline, arrow);
    return place < kinds.size() ? kinds[place] : none;
}

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

std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends)
{
    return nearestArrow(timeline, track, at, kinds, ends, true);
}

std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, const LinkIds& kinds, ArrowEnds ends)
{
    return nearestArrow(timeline, track, at, kinds, ends, false);
}

std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkFilter choice)
{
    const Store* store = storeOf(timeline, track);
    if (!store)
        return {};
    return oneArrow(timeline, track.store, store->nextLink(track.track, lastNotAfter(clockOf(timeline, track.store), at), choice));
}

std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at, LinkFilter choice)
{
    const Store* store = storeOf(timeline, track);
    if (!store)
        return {};
    return oneArrow(timeline, track.store, store->previousLink(track.track, clockOf(timeline, track.store).inverse(at), choice));
}

} // namespace helio
