#include "core/query/rows/arrow_walk.h"

#include "core/experiment/timeline.h"

#include <string>

namespace helio {
/// One trace's links, those of the kinds.
struct ArrowWalk::TraceLinks {
    std::uint32_t trace = 0;
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

ArrowWalk::ArrowWalk(const Timeline& timeline, std::uint32_t kinds, TimeRange window, std::stop_token stop)
    : m_timeline(timeline)
    , m_stop(std::move(stop))
{
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (!t.store)
            continue;
        TraceLinks links{i, t.store->linkParts(t.clock.inverse(window), kinds), {}, 0};
        links.step(m_stop);
        m_traces.push_back(std::move(links));
    }
}

ArrowWalk::~ArrowWalk() = default;

bool ArrowWalk::next()
{
    if (m_isStarted && m_current < m_traces.size())
        m_traces[m_current].step(m_stop);
    m_isStarted = true;
    choose();
    return m_current < m_traces.size() && !m_stop.stop_requested();
}

/// Few traces, so a plain scan beats a heap.
void ArrowWalk::choose()
{
    m_current = m_traces.size();
    Timestamp first;
    for (std::size_t i = 0; i < m_traces.size(); ++i) {
        if (m_traces[i].isAtEnd())
            continue;
        const Timestamp time = m_timeline.traces[m_traces[i].trace].clock(m_traces[i].link().fromTime);
        if (m_current == m_traces.size() || time < first) {
            m_current = i;
            first = time;
        }
    }
}

const Link& ArrowWalk::link() const { return m_traces[m_current].link(); }

std::uint32_t ArrowWalk::trace() const { return m_traces[m_current].trace; }

Arrow ArrowWalk::arrow() const { return arrowOf(m_timeline, trace(), link()); }

Arrow arrowOf(const Timeline& timeline, std::uint32_t trace, const Link& link)
{
    const TimelineTrace& t = timeline.traces[trace];
    const auto end = [&](TrackId track) { return track == NoTrack ? TrackRef{} : TrackRef{trace, track}; };
    return {link.kind,
            end(link.from),
            end(link.to),
            t.clock(link.fromTime),
            t.clock(link.toTime),
            link.cpu,
            std::string(t.store->text(link.detail)),
            link.targetCpu,
            link.ranOn};
}

} // namespace helio
