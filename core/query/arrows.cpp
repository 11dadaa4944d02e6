#include "core/query/arrows.h"

#include "core/experiment/timeline.h"

#include <algorithm>
#include <tuple>

namespace helio {
namespace {

/// Above this many links of any kind in a window, a limited answer counts them and lists none.
constexpr std::uint64_t ExactBelow = 200'000;

bool isShown(LinkKind kind, std::string_view view)
{
    switch (kind) {
    case LinkKind::Wakeup:
    case LinkKind::Sched: return view == "control-flow";
    case LinkKind::Migration: return view == "resources";
    case LinkKind::Packet: return true;
    }
    return false;
}

Arrow arrowOf(const TimelineTrace& t, std::uint32_t trace, const Link& link)
{
    const auto end = [&](TrackId track) { return track == NoTrack ? TrackRef{} : TrackRef{trace, track}; };
    return {link.kind, end(link.from), end(link.to), t.clock(link.fromTime), t.clock(link.toTime), link.cpu,
            std::string(t.store->text(link.detail))};
}

std::vector<Arrow> oneArrow(const Timeline& timeline, std::uint32_t trace, const std::vector<Link>& links)
{
    if (links.empty())
        return {};
    return {arrowOf(timeline.traces[trace], trace, links.front())};
}

} // namespace

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

std::vector<Arrow> arrows(const Timeline& timeline, std::string_view view, TimeRange window, std::size_t limit, std::uint64_t* total,
                          std::stop_token stop)
{
    std::vector<Arrow> all;
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (!t.store)
            continue;
        const HostRange own = t.clock.inverse(window);
        std::uint64_t inStore = 0;
        if (limit > 0)
            t.store->links(own, 1, &inStore, stop);
        const bool isExact = limit == 0 || inStore <= ExactBelow;
        // So many that a picture cannot show them: a first part alone would mislead.
        const std::vector<Link> links = isExact ? t.store->links(own, 0, nullptr, stop) : std::vector<Link>();
        const std::size_t before = all.size();
        for (const Link& link : links)
            if (isShown(link.kind, view))
                all.push_back(arrowOf(t, i, link));
        count += isExact ? all.size() - before : inStore;
    }
    if (timeline.traces.size() > 1)
        std::stable_sort(all.begin(), all.end(), [](const Arrow& a, const Arrow& b) { return a.fromTime < b.fromTime; });
    if (limit > 0 && all.size() > limit)
        all.resize(limit);
    if (total)
        *total = count;
    return all;
}

std::vector<Arrow> nextArrow(const Timeline& timeline, TrackRef track, Timestamp at)
{
    if (track.trace >= timeline.traces.size() || !timeline.traces[track.trace].store)
        return {};
    const TimelineTrace& t = timeline.traces[track.trace];
    return oneArrow(timeline, track.trace, t.store->nextLink(track.track, t.clock.inverse(at)));
}

std::vector<Arrow> previousArrow(const Timeline& timeline, TrackRef track, Timestamp at)
{
    if (track.trace >= timeline.traces.size() || !timeline.traces[track.trace].store)
        return {};
    const TimelineTrace& t = timeline.traces[track.trace];
    return oneArrow(timeline, track.trace, t.store->previousLink(track.track, t.clock.inverse(at)));
}

} // namespace helio
