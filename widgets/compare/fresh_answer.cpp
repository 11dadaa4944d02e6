#include "widgets/compare/fresh_answer.h"

#include <utility>

namespace helio {

FreshAnswer::FreshAnswer(Pace pace, int delay, std::function<void()> ask)
    : m_pace(pace)
    , m_delay(delay)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, [ask = std::move(ask)] { ask(); });
}

void FreshAnswer::followTimelines(CompareContext& context)
{
    for (ViewContext* side : {&context.a(), &context.b()})
        connect(side, &ViewContext::timelineChanged, this, [this] {
            m_isOld = m_job.isBusy();
            if (!m_isOld)
                soon();
        });
}

void FreshAnswer::follow(CompareContext& context)
{
    followTimelines(context);
    for (ViewContext* side : {&context.a(), &context.b()})
        connect(&side->time(), &TimeWindow::selectionChanged, this, &FreshAnswer::soon);
    connect(&context, &CompareContext::subjectChanged, this, &FreshAnswer::soon);
    connect(&context, &CompareContext::settledChanged, this, &FreshAnswer::soon);
}

void FreshAnswer::soon()
{
    if (m_pace == Pace::WhenStill || !m_soon.isActive())
        m_soon.start(m_delay);
}

void FreshAnswer::post(LatestJob::Job job)
{
    m_job.post([this, job = std::move(job)](std::stop_token stop) -> LatestJob::Delivery {
        return [this, delivery = job(stop)] {
            if (std::exchange(m_isOld, false))
                soon();
            if (delivery)
                delivery();
        };
    });
}

void FreshAnswer::cancel()
{
    m_job.cancel();
    m_isOld = false;
}

} // namespace helio
