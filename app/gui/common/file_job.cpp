#include "app/gui/common/file_job.h"

#include <chrono>
#include <utility>

namespace helio {

using namespace std::chrono_literals;

FileJob::FileJob(const QString& title, const QString& stopped, QObject* parent)
    : QObject(parent)
    , m_title(title)
    , m_stopped(stopped)
{
    connect(&m_task, &LatestTask::failed, this, &FileJob::end);
}

void FileJob::start(const QString& path, Work work)
{
    m_share = 0;
    m_stop = std::stop_source();
    m_task.post([this, path, work = std::move(work), stop = m_stop](const std::stop_token& quit) mutable -> LatestTask::Delivery {
        const std::stop_callback alsoThen(quit, [&stop] { stop.request_stop(); });
        auto lastReport = std::chrono::steady_clock::now();
        const auto report = [&](double share) {
            const auto now = std::chrono::steady_clock::now();
            if (now - lastReport < 100ms)
                return;
            lastReport = now;
            m_task.deliver(quit, [this, share] {
                m_share = share;
                emit progressChanged();
            });
        };
        const Result<QStringList> written = work(report, stop.get_token());
        const QString message = written ? (QStringList(tr("Saved to %1").arg(path)) + *written).join(QStringLiteral(". "))
            : written.error().kind == Error::Kind::Cancelled ? m_stopped
                                                             : QString::fromStdString(written.error().what);
        return [this, message] { end(message); };
    });
    emit progressChanged();
}

void FileJob::cancel()
{
    if (!isBusy())
        return;
    m_stop.request_stop();
    emit progressChanged();
}

QString FileJob::text() const { return m_stop.stop_requested() ? tr("Stopping") : m_title; }

void FileJob::end(const QString& message)
{
    emit progressChanged();
    emit ended(message);
}

} // namespace helio
