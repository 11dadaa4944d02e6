#include "app/gui/common/report_job.h"

#include "app/cli/report/report.h"

#include <algorithm>
#include <utility>

namespace helio {

ReportJob::ReportJob(QObject* parent)
    : QObject(parent)
    , m_progress(std::make_shared<Progress>())
{
    connect(&m_task, &LatestTask::failed, this, [this](const QString& why) {
        emit progressChanged();
        emit ended(why);
    });
}

void ReportJob::start(ReportRequest request, const QString& path)
{
    m_progress = std::make_shared<Progress>();
    m_task.post([this, request = std::make_shared<const ReportRequest>(std::move(request)), path,
                 progress = m_progress](std::stop_token stop) -> LatestTask::Delivery {
        const auto show = [&](std::size_t done, std::size_t total) {
            progress->done = done;
            progress->total = total;
            m_task.deliver(stop, [this] { emit progressChanged(); });
        };
        const Status saved = saveReport(*request, path.toStdString(), show, stop);
        const QString remark = saved ? tr("Saved to %1").arg(path)
            : saved.error().kind == Error::Kind::Cancelled
            ? tr("Report stopped. Nothing was written.")
            : tr("Cannot save the report: %1").arg(QString::fromStdString(saved.error().what));
        return [this, remark] {
            emit progressChanged();
            emit ended(remark);
        };
    });
}

void ReportJob::cancel()
{
    if (!isBusy())
        return;
    m_task.cancel();
    emit progressChanged();
    emit ended(tr("Report stopped. Nothing was written."));
}

double ReportJob::share() const { return double(m_progress->done) / double(std::max<std::size_t>(1, m_progress->total)); }

} // namespace helio
