#pragma once

#include "core/export/export_format.h"
#include "widgets/async/latest_task.h"

#include <QObject>

#include <optional>

namespace helio {

/// An export of the recording that runs on another thread.
/// Threads: UI thread.
class RecordingExport : public QObject {
    Q_OBJECT

public:
    explicit RecordingExport(QObject* parent = nullptr);

    /// Starts an export; ExportRequest::stop and ExportRequest::progress are set here. Requires: no export is running.
    void start(const ExportFormat& format, ExportRequest request);
    /// Stops the running export, which then leaves no files behind.
    void cancel();
    /// Returns the finished share of the running export, from 0 to 1; nullopt if none is running.
    std::optional<double> share() const { return m_share; }

signals:
    void shareChanged();
    void ended(const QString& message); ///< Emitted at the end of an export, with a message for the user.

private:
    void end(const QString& message);

    std::optional<double> m_share;
    LatestTask m_task;
};

} // namespace helio
