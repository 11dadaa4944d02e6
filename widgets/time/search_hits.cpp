#include "widgets/time/search_hits.h"

namespace helio {

void SearchHits::begin(const QString& text)
{
    m_text = text;
    m_problem.clear();
    m_hits.clear();
    m_share = text.isEmpty() ? 1 : 0;
    m_isCut = false;
    m_current.reset();
    emit changed();
    emit currentChanged();
}

void SearchHits::append(const std::vector<EventHit>& hits, double share)
{
    m_hits.insert(m_hits.end(), hits.begin(), hits.end());
    m_share = share;
    emit changed();
}

void SearchHits::finish(bool isCut)
{
    m_share = 1;
    m_isCut = isCut;
    emit changed();
}

void SearchHits::fail(const QString& text, const QString& problem)
{
    begin({});
    m_text = text;
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
