#include "app/gui/main_window/recording_export.h"

#include <chrono>
#include <memory>
#include <utility>

namespace helio {

using namespace std::chrono_literals;

RecordingExport::RecordingExport(QObject* parent)
    : QObject(parent)
{
    connect(&m_task, &LatestTask::failed, this, &RecordingExport::end);
}

void RecordingExport::start(const ExportFormat& format, ExportRequest request)
{
    m_share = 0;
    emit shareChanged();
    m_task.post([this, &format, request = std::move(request)](const std::stop_token& stop) mutable -> LatestTask::Delivery {
        request.stop = stop;
        auto lastReport = std::chrono::steady_clock::now();
        request.progress = [&, this](double share) {
            const auto now = std::chrono::steady_clock::now();
            if (now - lastReport < 100ms)
                return;
            lastReport = now;
            m_task.deliver(stop, [this, share] {
                m_share = share;
                emit shareChanged();
            });
        };
        QStringList notes;
        request.note = [&](const std::string& sentence) { notes << QString::fromStdString(sentence); };
        const Status written = writeExport(format, request);
        notes.prepend(tr("Saved to %1").arg(QString::fromStdString(request.output.string())));
        const QString message = written ? notes.join(". ") : QString::fromStdString(written.error().what);
        return [this, message] { end(message); };
    });
}

void RecordingExport::cancel()
{
    if (!m_share)
        return;
    m_task.cancel();
    end(tr("Export stopped. Nothing was written."));
}

void RecordingExport::end(const QString& message)
{
    m_share.reset();
    emit shareChanged();
    emit ended(message);
}

} // namespace helio
