#include "widgets/async/debounced_query.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

/// Maximum query duration in ms that Pause::durationFactor multiplies; a longer query counts as 5000 ms.
constexpr qint64 MaxCountedDurationMs = 5000;

} // namespace

DebouncedQuery::DebouncedQuery(Pace pace, int delay, std::function<void()> ask)
    : m_pace(pace)
    , m_delay(delay)
    , m_pause{delay, 0}
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, [ask = std::move(ask)] { ask(); });
    connect(&m_job, &LatestTask::failed, this, [this](const QString& why) {
        m_asksAgain = false; // No further query is posted, because it would fail as well.
        emit failed(why);
    });
}

void DebouncedQuery::soon()
{
    if (m_pace == Pace::Debounce || !m_soon.isActive())
        m_soon.start(m_delay);
}

void DebouncedQuery::queueQuery()
{
    m_asksAgain = isBusy();
    if (!m_asksAgain)
        soon();
}

void DebouncedQuery::post(LatestTask::Job job)
{
    m_asksAgain = false; // The query posted now covers all changes so far, so no further query is needed.
    m_job.post([this, job = std::move(job)](std::stop_token stop) -> LatestTask::Delivery {
        QElapsedTimer clock;
        clock.start();
        LatestTask::Delivery delivery = job(stop);
        return [this, delivery = std::move(delivery), took = clock.elapsed()] {
            if (std::exchange(m_asksAgain, false) && !isDue())
                m_soon.start(m_pause.ms + m_pause.durationFactor * int(std::min(took, MaxCountedDurationMs)));
            if (delivery)
                delivery();
        };
    });
}

void DebouncedQuery::cancel()
{
    m_job.cancel();
    m_asksAgain = false;
}

} // namespace helio
