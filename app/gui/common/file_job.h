#pragma once

#include "core/base/result.h"
#include "widgets/async/latest_task.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <stop_token>

namespace helio {

/// A job that writes a file on another thread, for example a report, so that the window stays responsive.
/// Threads: UI thread.
class FileJob : public QObject {
    Q_OBJECT

public:
    /// Receives the finished share of the work, from 0 to 1.
    using Progress = std::function<void(double share)>;
    /// Writes the file, completely or not at all. Returns remarks about it, for the user.
    /// Threads: the job's.
    /// Errors: Cancelled if the stop request came before the file was complete.
    using Work = std::function<Result<QStringList>(const Progress& progress, const std::stop_token& stop)>;

    /// `title`: text for the progress display, e.g. "Exporting recording". `stopped`: message after a stop, e.g. "Export stopped. Nothing
    /// was written."
    FileJob(const QString& title, const QString& stopped, QObject* parent = nullptr);

    /// Starts the work, which writes the file `path`. Requires: !isBusy().
    void start(const QString& path, Work work);
    /// Requests the running work to stop. ended() follows, and says whether the file was written before.
    void cancel();

    bool isBusy() const { return m_task.isBusy(); }
    double share() const { return m_share; } ///< Finished share of the work, from 0 to 1.
    QString text() const; ///< Title of the job, or "Stopping" after cancel().

signals:
    void progressChanged();
    void ended(const QString& message); ///< Emitted at the end of the work; `message` says whether the file was written.

private:
    void end(const QString& message);

    QString m_title;
    QString m_stopped;
    double m_share = 0;
    std::stop_source m_stop;
    LatestTask m_task;
};

} // namespace helio
