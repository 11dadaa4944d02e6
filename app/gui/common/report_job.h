#pragma once

#include "widgets/async/latest_task.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>

namespace helio {

struct ReportRequest;

/// Makes and saves a report in a background thread, so that the window stays responsive.
/// Threads: UI thread.
class ReportJob : public QObject {
    Q_OBJECT

public:
    explicit ReportJob(QObject* parent = nullptr);

    /// Starts to make a report and to save it to `path`. Requires: !isBusy().
    void start(ReportRequest request, const QString& path);
    /// Stops the report after its current part; nothing is written. Does nothing if no report is made.
    void cancel();

    bool isBusy() const { return m_task.isBusy(); }
    double share() const; ///< Share of the report that is made, 0 to 1.

signals:
    void progressChanged();
    void ended(const QString& remark); ///< The report was saved, stopped, or failed; `remark` says which.

private:
    /// Parts made and parts in all; shared with the thread that makes the report.
    struct Progress {
        std::atomic<std::size_t> done = 0;
        std::atomic<std::size_t> total = 1;
    };

    LatestTask m_task;
    std::shared_ptr<Progress> m_progress;
};

} // namespace helio
