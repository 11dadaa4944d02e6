#pragma once

#include "widgets/async/latest_task.h"

#include <QTimer>

#include <functional>

namespace helio {

/// Keeps the result that a view shows up to date: runs a query on its own thread soon after its inputs changed. Until the result arrives,
/// the view shows the previous one.
/// Ownership: the view owns it and destroys it before the objects that results are delivered to.
/// Threads: UI thread. Jobs run on another thread and must heed their stop token.
class DebouncedQuery : public QObject {
    Q_OBJECT

public:
    enum class Pace {
        Debounce, ///< Asks once changes stop coming, e.g. while a range is dragged: for queries that take long.
        Live, ///< Asks while changes still come, at most once per delay.
    };
    /// Pause between a result and the next query that queueQuery() requested: `ms` plus `times` the duration of the last query.
    struct Rest {
        int ms = 0;
        int times = 0; ///< Factor of the last query's duration, which counts with at most 5 s.
    };

    /// `ask` posts a query, calls cancel() if there is nothing to ask, or does nothing while the view is hidden. `delay`: time from a
    /// change to the call of `ask`, in ms.
    DebouncedQuery(Pace pace, int delay, std::function<void()> ask);

    void setRest(Rest rest) { m_rest = rest; } ///< `delay` ms unless set otherwise.

    void soon();
    void now() { m_soon.start(0); }
    /// Requests another query after the running one is answered; without a running query, the same as soon(). For timelines that are read
    /// further: restarting the query at each new timeline would never let one finish.
    void queueQuery();

    void post(LatestTask::Job job);
    /// For use inside a job: see LatestTask::deliver().
    void deliver(std::stop_token stop, LatestTask::Delivery part) { m_job.deliver(std::move(stop), std::move(part)); }
    void cancel();

    bool isBusy() const { return m_job.isBusy(); } ///< True from post() until the job's result was delivered or the job was cancelled.
    bool isDue() const { return m_soon.isActive(); } ///< True if a call of `ask` is scheduled.

signals:
    void failed(const QString& why); ///< See LatestTask::failed().

private:
    Pace m_pace;
    int m_delay; ///< ms.
    Rest m_rest;
    bool m_asksAgain = false; ///< True if `ask` is to be called once the running query is answered.
    QTimer m_soon;
    LatestTask m_job;
};

} // namespace helio
