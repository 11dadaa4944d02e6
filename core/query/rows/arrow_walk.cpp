#include "core/query/rows/arrow_walk.h"

#include "core/correlation/transmissions.h"
#include "core/query/rows/timeline_access.h"

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

/// The links of the wanted kinds of one store.
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

/// The links of the wanted kinds found by one correlator.
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
    std::span<const InterTraceLink> m_links; ///< Links not handed out yet.
    const TimeRange m_window;
    const std::uint32_t m_mask;
    bool m_isStarted = false;
};

} // namespace

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

/// Chooses the source with the earliest arrow. There are few sources, so a plain scan beats a heap.
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

namespace {

std::string detailOf(const Timeline& timeline, RelationIndex relation, const InterTraceLink& link)
{
    const auto& messages = timeline.relations[static_cast<std::size_t>(relation)]->messages;
    const bool isOfMessage = link.detail.empty() && messages && link.message < messages->all.size();
    return isOfMessage ? textOf(*messages, messages->all[link.message]) : link.detail;
}

} // namespace

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
