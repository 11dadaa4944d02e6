#include "widgets/eventlist/event_search.h"

#include "core/query/events/event_words.h"
#include "core/query/rows/facts.h"

namespace helio {

Status checkCompleteness(const Timeline* timeline, const SearchHits& hits)
{
    const auto because = [](const QString& why) { return Error{Error::Kind::Unsupported, why.toStdString()}; };
    if (!timeline)
        return because(EventSearch::tr("No trace is open."));
    if (!isComplete(*timeline))
        return because(EventSearch::tr("The trace has not been read completely. Export its events when it has."));
    if (!hits.isComplete())
        return because(EventSearch::tr("The search for events is not finished. Export them when it is."));
    if (hits.isCut())
        return because(
            EventSearch::tr("Only part of the matching events is listed. Make the filter stricter, or use heliograph events --filter."));
    return Done{};
}

EventSearch::EventSearch(SearchHits& hits, QObject* parent)
    : QObject(parent)
    , m_hits(hits)
{
}

void EventSearch::start(std::shared_ptr<const Timeline> timeline, const QString& text)
{
    m_job.cancel();
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty() || !timeline)
        return m_hits.begin({}); // An empty text clears the hits at once; other searches wait for their first hit.
    auto expression = Expression::parse(trimmed.toStdString());
    if (!expression)
        return m_hits.fail(QString::fromStdString(expression.error().what));
    if (const auto why = findMeaninglessWords(**expression, *timeline); !why.empty() && !canMatchEvents(*expression, *timeline))
        return m_hits.fail(QString::fromStdString(why.front()));
    m_hits.await(trimmed);
    m_job.post([this, timeline, trimmed, expression = *expression](std::stop_token stop) -> LatestTask::Delivery {
        auto found = std::make_shared<std::size_t>(0);
        const TimeRange everything{Timestamp::min(), Timestamp::max()};
        findEvents(
            timeline, expression, everything, MostHits,
            [&](std::vector<EventHit> hits, double share) {
                *found += hits.size();
                m_job.deliver(stop, [this, trimmed, hits = std::move(hits), share] {
                    if (!hits.empty()) // Earlier hits are kept until the first new hit, because they are better than an empty list.
                        take(trimmed);
                    m_hits.append(hits, std::min(share, 0.999));
                });
            },
            stop);
        return [this, trimmed, found] {
            take(trimmed);
            m_hits.finish(*found >= MostHits);
        };
    });
}

void EventSearch::take(const QString& text)
{
    if (!text.isEmpty() && m_hits.awaited() == text)
        m_hits.begin(text);
}

void EventSearch::stop()
{
    if (!m_job.isBusy())
        return;
    m_job.cancel();
    take(m_hits.awaited());
    m_hits.finish(true);
}

} // namespace helio
