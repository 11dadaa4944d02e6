#include "core/correlation/inter_trace_links.h"

#include <algorithm>

namespace helio {

bool overlaps(const InterTraceLink& link, TimeRange window)
{
    const auto [first, last] = std::minmax(link.fromTime, link.toTime);
    return first < window.end && (last > window.begin || first >= window.begin);
}

InterTraceLinks::InterTraceLinks(std::vector<LinkKindInfo> kinds, std::vector<InterTraceLink> links)
    : m_kinds(std::move(kinds))
    , m_links(std::move(links))
{
    m_kinds.resize(std::min(m_kinds.size(), MostLinkKinds));
    std::erase_if(m_links, [this](const InterTraceLink& link) {
        const auto kind = static_cast<std::size_t>(link.kind);
        return kind >= m_kinds.size() || m_kinds[kind].id.empty();
    });
    std::ranges::stable_sort(m_links, {}, &InterTraceLink::fromTime);
    m_latest.resize(m_links.size());
    m_earliest.resize(m_links.size());
    for (std::size_t i = 0; i < m_links.size(); ++i)
        m_latest[i] = std::max({m_links[i].fromTime, m_links[i].toTime, i > 0 ? m_latest[i - 1] : Timestamp::min()});
    for (std::size_t i = m_links.size(); i-- > 0;)
        m_earliest[i] = std::min({m_links[i].fromTime, m_links[i].toTime, i + 1 < m_links.size() ? m_earliest[i + 1] : Timestamp::max()});
    addTouches();
}

void InterTraceLinks::addTouches()
{
    for (std::uint32_t i = 0; i < m_links.size(); ++i) {
        if (m_links[i].from.isValid())
            m_touches[m_links[i].from].push_back({m_links[i].fromTime, i, true});
        if (m_links[i].to.isValid())
            m_touches[m_links[i].to].push_back({m_links[i].toTime, i, false});
    }
    for (auto& [track, touches] : m_touches)
        std::ranges::stable_sort(touches, {}, &Touch::time);
}

std::span<const InterTraceLink> InterTraceLinks::around(TimeRange window) const
{
    const auto first = std::ranges::lower_bound(m_latest, window.begin) - m_latest.begin();
    const auto last = std::ranges::lower_bound(m_earliest, window.end) - m_earliest.begin();
    return first < last ? std::span(m_links).subspan(std::size_t(first), std::size_t(last - first)) : std::span<const InterTraceLink>();
}

const InterTraceLink* InterTraceLinks::chosen(const Touch& touch, LinkFilter choice) const
{
    const InterTraceLink& link = m_links[touch.link];
    const bool isEnd = touch.isFrom ? choice.acceptsOutgoing : choice.acceptsIncoming;
    return isEnd && (choice.kinds & bitOf(link.kind)) != 0 ? &link : nullptr;
}

const InterTraceLink* InterTraceLinks::next(TrackRef track, Timestamp at, LinkFilter choice) const
{
    const auto touches = m_touches.find(track);
    if (touches == m_touches.end())
        return nullptr;
    for (auto it = std::ranges::upper_bound(touches->second, at, {}, &Touch::time); it != touches->second.end(); ++it)
        if (const InterTraceLink* link = chosen(*it, choice))
            return link;
    return nullptr;
}

/// If several links touch the track at the same time, returns the first of them, as next() does.
const InterTraceLink* InterTraceLinks::previous(TrackRef track, Timestamp at, LinkFilter choice) const
{
    const auto touches = m_touches.find(track);
    if (touches == m_touches.end())
        return nullptr;
    const InterTraceLink* found = nullptr;
    Timestamp time;
    for (auto it = std::ranges::lower_bound(touches->second, at, {}, &Touch::time); it != touches->second.begin();) {
        --it;
        if (found && it->time < time)
            break;
        if (const InterTraceLink* link = chosen(*it, choice)) {
            found = link;
            time = it->time;
        }
    }
    return found;
}

} // namespace helio
