#include "core/query/rows/arrow_walk.h"

#include "core/query/rows/composed.h"

#include <string>

namespace helio {

/// One store's links, those of the kinds.
struct ArrowWalk::StoreLinks {
    StoreIndex store{};
    std::unique_ptr<LinkParts> parts;
    std::vector<Link> part;
    std::size_t at = 0;

    bool isAtEnd() const { return at == part.size(); }
    const Link& link() const { return part[at]; }

    void step(const std::stop_token& stop)
    {
        if (at < part.size() && ++at < part.size())
            return;
        at = 0;
        if (stop.stop_requested() || !parts->next(part))
            part.clear();
    }
};

ArrowWalk::ArrowWalk(const Timeline& timeline, const LinkIds& kinds, TimeRange window, std::stop_token stop)
    : m_timeline(timeline)
    , m_stop(std::move(stop))
{
    eachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& t) {
        const std::uint32_t mask = linkMask(store, kinds);
        if (mask == 0)
            return;
        StoreLinks links{index, store.linkParts(t.clock.inverse(window), mask), {}, 0};
        links.step(m_stop);
        m_stores.push_back(std::move(links));
    });
}

ArrowWalk::~ArrowWalk() = default;

bool ArrowWalk::next()
{
    if (m_isStarted && m_current < m_stores.size())
        m_stores[m_current].step(m_stop);
    m_isStarted = true;
    choose();
    return m_current < m_stores.size() && !m_stop.stop_requested();
}

/// Few stores, so a plain scan beats a heap.
void ArrowWalk::choose()
{
    m_current = m_stores.size();
    Timestamp first;
    for (std::size_t i = 0; i < m_stores.size(); ++i) {
        if (m_stores[i].isAtEnd())
            continue;
        const Timestamp time = clockOf(m_timeline, m_stores[i].store)(m_stores[i].link().fromTime);
        if (m_current == m_stores.size() || time < first) {
            m_current = i;
            first = time;
        }
    }
}

const Link& ArrowWalk::link() const { return m_stores[m_current].link(); }

StoreIndex ArrowWalk::store() const { return m_stores[m_current].store; }

Arrow ArrowWalk::arrow() const { return arrowOf(m_timeline, store(), link()); }

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

} // namespace helio
