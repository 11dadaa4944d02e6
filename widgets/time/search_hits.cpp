#include "widgets/time/search_hits.h"

#include <algorithm>
#include <utility>

namespace helio {

std::optional<std::size_t> SearchHits::next(Timestamp cursor, bool isForward, TimeRange within) const
{
    if (within.isEmpty())
        return nextOfAll(cursor, isForward);
    if (isForward && cursor < within.begin)
        cursor = within.begin - Duration(1);
    else if (!isForward && cursor > within.end)
        cursor = within.end;
    const auto found = nextOfAll(cursor, isForward);
    return found && within.contains(m_hits[*found].time) ? found : std::nullopt;
}

std::optional<std::size_t> SearchHits::nextOfAll(Timestamp cursor, bool isForward) const
{
    if (m_hits.empty())
        return {};
    if (m_current && m_hits[*m_current].time == cursor) {
        if (isForward)
            return *m_current + 1 < m_hits.size() ? std::optional(*m_current + 1) : std::nullopt;
        return *m_current > 0 ? std::optional(*m_current - 1) : std::nullopt;
    }
    if (isForward) {
        const auto after = std::ranges::upper_bound(m_hits, cursor, {}, &EventHit::time);
        return after == m_hits.end() ? std::nullopt : std::optional(std::size_t(after - m_hits.begin()));
    }
    const auto at = std::ranges::lower_bound(m_hits, cursor, {}, &EventHit::time);
    return at == m_hits.begin() ? std::nullopt : std::optional(std::size_t(at - m_hits.begin()) - 1);
}

void SearchHits::await(const QString& text)
{
    m_awaited = text;
    m_problem.clear();
    emit changed();
}

void SearchHits::begin(const QString& text)
{
    m_text = text;
    m_awaited.clear();
    m_problem.clear();
    m_hits.clear();
    m_places.clear();
    m_share = text.isEmpty() ? 1 : 0;
    m_isCut = false;
    m_current.reset();
    emit begun();
    emit changed();
    emit currentChanged();
}

void SearchHits::append(const std::vector<EventHit>& hits, double share)
{
    m_hits.insert(m_hits.end(), hits.begin(), hits.end());
    m_share = share;
    emit changed();
}

void SearchHits::setPlaces(std::vector<HitRange> places) { m_places = std::move(places); }

std::optional<SearchHits::HitRange> SearchHits::placeOf(std::size_t index) const
{
    return index < m_places.size() ? std::optional(m_places[index]) : std::nullopt;
}

void SearchHits::finish(bool isCut)
{
    m_share = 1;
    m_isCut = isCut;
    emit changed();
}

void SearchHits::fail(const QString& problem)
{
    m_isCut |= m_share < 1;
    m_share = 1;
    m_awaited.clear();
    m_problem = problem;
    emit changed();
}

void SearchHits::setCurrent(std::optional<std::size_t> index)
{
    if (m_current == index || (index && *index >= m_hits.size()))
        return;
    m_current = index;
    emit currentChanged();
}

} // namespace helio
