#include "core/query/rows/arrows.h"

#include "core/query/rows/arrow_walk.h"
#include "core/query/rows/composed.h"

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

std::uint32_t linkKindsIn(std::string_view view)
{
    if (view == "control-flow")
        return bitOf(LinkKind::Wakeup) | bitOf(LinkKind::Sched) | bitOf(LinkKind::Packet);
    return bitOf(LinkKind::Packet) | (view == "resources" ? bitOf(LinkKind::Migration) : 0);
}

std::string_view linkName(LinkKind kind)
{
    switch (kind) {
    case LinkKind::Wakeup: return "wakeup";
    case LinkKind::Sched: return "sched";
    case LinkKind::Migration: return "migration";
    case LinkKind::Packet: return "packet";
    }
    return {};
}

namespace {

/// How many links of these kinds there are in the window.
std::uint64_t linkCount(const Timeline& timeline, std::uint32_t kinds, TimeRange window, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    eachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace& t) {
        std::uint64_t own = 0;
        store.links(t.clock.inverse(window), 1, &own, stop, kinds);
        count += own;
    });
    return count;
}

} // namespace

std::vector<Arrow> arrows(const Timeline& timeline, std::uint32_t kinds, TimeRange window, std::size_t limit, std::uint64_t* total,
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
