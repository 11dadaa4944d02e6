#include "core/query/rows/arrows.h"

#include "core/correlation/transmissions.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <string>

namespace helio {

class ArrowWalk::Source {
public:
    virtual ~Source() = default;
    virtual bool isAtEnd() const = 0;
    virtual Timestamp time() const = 0; ///< Start time of the current arrow.
    virtual Arrow arrow() const = 0;
    virtual void step(const std::stop_token& stop) = 0;
};

namespace {

/// Limit for queries that list only some links: if the time range contains more links than this, such a query counts
/// them and lists none.
constexpr std::uint64_t ExactBelow = 200'000;

/// Calls visit(kinds) with the link kinds of each store and of each correlator that ran.
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

/// Returns the number of links of the given kinds that overlap `window`.
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

/// Returns the time at which the arrow touches the track: the time of its begin or of its end. If both ends are on the track, returns the
/// time nearest to `at` in the search direction: after `at` if `isForward` is true, else before `at`.
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

/// Returns the nearest arrow from the track's store and all correlators.
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

/// Returns a rank for the choice of a link kind for a view, lowest is best: 0 if the kind was made for this view, 1 if it was made for all
/// views, 2 if it was made for other views.
int distanceFrom(const LinkKindInfo& kind, const std::string& view)
{
    if (kind.views.empty())
        return 1;
    return std::ranges::find(kind.views, view) != kind.views.end() ? 0 : 2;
}

/// True if the view should show link kind number `kind`. If several kinds have the same id, the view shows only the one with the
/// smallest distanceFrom(); if several have that distance, the first of them.
bool isKindForView(std::span<const LinkKindInfo> own, std::size_t kind, const std::string& view)
{
    const int distance = distanceFrom(own[kind], view);
    for (std::size_t other = 0; other < own.size(); ++other)
        if (own[other].id == own[kind].id && std::pair(distanceFrom(own[other], view), other) < std::pair(distance, kind))
            return false;
    return true;
}

/// Iterator over the links of one store, restricted to the kinds in a mask.
class StoreSource final : public ArrowWalk::Source {
public:
    StoreSource(const Timeline& timeline, StoreIndex store, TimeRange window, std::uint32_t mask)
        : m_timeline(timeline)
        , m_store(store)
        , m_parts(storeAt(timeline, store).makeLinkReader(clockOf(timeline, store).inverse(window), mask))
    {
    }

    bool isAtEnd() const override { return m_at == m_part.size(); }
    Timestamp time() const override { return clockOf(m_timeline, m_store)(m_part[m_at].fromTime); }
    Arrow arrow() const override { return arrowOf(m_timeline, m_store, m_part[m_at]); }

    void step(const std::stop_token& stop) override
    {
        if (m_at < m_part.size() && ++m_at < m_part.size())
            return;
        m_at = 0;
        if (stop.stop_requested() || !m_parts->next(m_part))
            m_part.clear();
    }

private:
    const Timeline& m_timeline;
    const StoreIndex m_store;
    std::unique_ptr<LinkReader> m_parts;
    std::vector<Link> m_part;
    std::size_t m_at = 0;
};

/// Iterator over the links of one correlator, restricted to the kinds in a mask.
class CrossSource final : public ArrowWalk::Source {
public:
    CrossSource(const Timeline& timeline, RelationIndex relation, const InterTraceLinks& links, TimeRange window, std::uint32_t mask)
        : m_timeline(timeline)
        , m_relation(relation)
        , m_links(links.around(window))
        , m_window(window)
        , m_mask(mask)
    {
    }

    bool isAtEnd() const override { return m_links.empty(); }
    Timestamp time() const override { return m_links.front().fromTime; }
    Arrow arrow() const override { return arrowOf(m_timeline, m_relation, m_links.front()); }

    void step(const std::stop_token&) override
    {
        if (m_isStarted && !m_links.empty())
            m_links = m_links.subspan(1);
        m_isStarted = true;
        const auto isAsked = [&](const InterTraceLink& link) { return (m_mask & bitOf(link.kind)) != 0 && overlaps(link, m_window); };
        m_links = m_links.subspan(static_cast<std::size_t>(std::ranges::find_if(m_links, isAsked) - m_links.begin()));
    }

private:
    const Timeline& m_timeline;
    const RelationIndex m_relation;
    std::span<const InterTraceLink> m_links; ///< Links that the iterator has not visited yet.
    const TimeRange m_window;
    const std::uint32_t m_mask;
    bool m_isStarted = false;
};

std::string detailOf(const Timeline& timeline, RelationIndex relation, const InterTraceLink& link)
{
    const auto& messages = timeline.relations[static_cast<std::size_t>(relation)]->messages;
    const bool isOfMessage = link.detail.empty() && messages && link.message < messages->all.size();
    return isOfMessage ? textOf(*messages, messages->all[link.message]) : link.detail;
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

std::uint32_t linkMask(std::span<const LinkKindInfo> own, const LinkIds& kinds)
{
    std::uint32_t mask = 0;
    for (std::size_t kind = 0; kind < own.size() && kind < MostLinkKinds; ++kind)
        if (!own[kind].id.empty() && std::ranges::find(kinds.ids, own[kind].id) != kinds.ids.end() && isKindForView(own, kind, kinds.view))
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

ArrowWalk::ArrowWalk(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::stop_token stop)
    : m_stop(std::move(stop))
{
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (const std::uint32_t mask = linkMask(store.linkKinds(), kinds); mask != 0)
            m_sources.push_back(std::make_unique<StoreSource>(timeline, index, window, mask));
    });
    forEachInterTraceLinks(timeline, [&](RelationIndex index, const InterTraceLinks& links) {
        if (const std::uint32_t mask = linkMask(links.kinds(), kinds); mask != 0)
            m_sources.push_back(std::make_unique<CrossSource>(timeline, index, links, window, mask));
    });
    for (const auto& source : m_sources)
        source->step(m_stop);
}

ArrowWalk::~ArrowWalk() = default;

bool ArrowWalk::next()
{
    if (m_isStarted && m_current < m_sources.size())
        m_sources[m_current]->step(m_stop);
    m_isStarted = true;
    choose();
    return m_current < m_sources.size() && !m_stop.stop_requested();
}

/// Selects the source with the earliest arrow. Uses a linear search, which is faster than a heap for few sources.
void ArrowWalk::choose()
{
    m_current = m_sources.size();
    Timestamp first;
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
        if (m_sources[i]->isAtEnd())
            continue;
        const Timestamp time = m_sources[i]->time();
        if (m_current == m_sources.size() || time < first) {
            m_current = i;
            first = time;
        }
    }
}

Arrow ArrowWalk::arrow() const { return m_sources[m_current]->arrow(); }

Arrow arrowOf(const Timeline& timeline, StoreIndex store, const Link& link)
{
    const ClockTransform& clock = clockOf(timeline, store);
    const Store& own = storeAt(timeline, store);
    const auto end = [&](TrackId track) { return track == NoTrack ? TrackRef{} : TrackRef{store, track}; };
    return {link.kind,
            end(link.from),
            end(link.to),
            clock(link.fromTime),
            clock(link.toTime),
            link.cpu,
            std::string(own.text(link.detail)),
            link.targetCpu,
            link.ranOn,
            store};
}

Arrow arrowOf(const Timeline& timeline, RelationIndex relation, const InterTraceLink& link)
{
    Arrow arrow;
    arrow.kind = link.kind;
    arrow.from = link.from;
    arrow.to = link.to;
    arrow.fromTime = link.fromTime;
    arrow.toTime = link.toTime;
    arrow.detail = detailOf(timeline, relation, link);
    arrow.relation = relation;
    arrow.message = link.message;
    return arrow;
}

} // namespace helio
