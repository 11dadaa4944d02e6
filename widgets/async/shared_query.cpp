#include "widgets/async/shared_query.h"

#include "core/profiling/samples/sample_stacks.h"

#include <QEvent>
#include <QWidget>

#include <algorithm>

namespace helio {

SharedQuery::SharedQuery(int delay, DebouncedQuery::Pause pause, QObject* parent)
    : QObject(parent)
    , m_answer(DebouncedQuery::Pace::Live, delay, [this] {
        m_isOld = !isWatched();
        if (!m_isOld)
            ask();
    })
{
    m_answer.setPause(pause);
    connect(&m_answer, &DebouncedQuery::failed, this, [this] { setWork({}, nullptr); });
}

void SharedQuery::serve(QWidget* view)
{
    m_views.push_back(view);
    view->installEventFilter(this);
    connect(view, &QObject::destroyed, this, [this, view] { std::erase(m_views, view); });
}

bool SharedQuery::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::Show && (m_isOld || m_answer.isDue()))
        m_answer.now();
    return false;
}

bool SharedQuery::isWatched() const
{
    return std::ranges::any_of(m_views, [](const QWidget* view) { return view->isVisible(); });
}

void SharedQuery::soon()
{
    m_isOld = true;
    if (isWatched())
        m_answer.soon();
}

void SharedQuery::queueQuery()
{
    if (m_answer.isBusy())
        m_answer.queueQuery();
    else
        soon();
}

void SharedQuery::post(LatestTask::Job job)
{
    m_answer.post([this, job = std::move(job)](std::stop_token stop) -> LatestTask::Delivery {
        return [this, delivery = job(stop)] {
            setWork({}, nullptr);
            if (delivery)
                delivery();
        };
    });
}

void SharedQuery::cancel()
{
    m_answer.cancel();
    setWork({}, nullptr);
}

void SharedQuery::setWork(const QString& what, std::shared_ptr<const QueryProgress> progress)
{
    m_work = what;
    m_progress = std::move(progress);
    emit workChanged();
}

double SharedQuery::workShare() const
{
    const std::uint64_t total = m_progress ? m_progress->total.load() : 0;
    return total == 0 ? -1 : std::min(1.0, double(m_progress->done.load()) / double(total));
}

} // namespace helio
