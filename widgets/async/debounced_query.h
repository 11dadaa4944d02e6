#pragma once

#include "widgets/async/latest_task.h"

#include <QTimer>

#include <functional>

namespace helio {

/// Query for a result that a view shows: runs on a thread of its own soon after its inputs changed. The view shows the previous result
/// until the new one arrives.
/// Ownership: owned by the view, which must destroy the query before the objects to which results are delivered.
/// Threads: UI thread. Jobs run on another thread and must check their stop token.
class DebouncedQuery : public QObject {
    Q_OBJECT

public:
    enum class Pace {
        Debounce, ///< The query runs after the changes have stopped, e.g. when the user stops dragging. Suits queries that take long.
        Live, ///< The query also runs while changes continue, at most once per delay.
    };
    /// Pause between a result and the next query requested by queueQuery(): `ms` plus `durationFactor` times the duration of the last
    /// query.
    struct Pause {
        int ms = 0;
        int durationFactor = 0; ///< Multiple of the last query's duration that is added to `ms`; a duration above 5 s counts as 5 s.
    };

    /// `ask` posts a query; it calls cancel() if there is nothing to query, and does nothing while the view is hidden. `delay`: time in ms
    /// between a change and the call of `ask`.
    DebouncedQuery(Pace pace, int delay, std::function<void()> ask);

    /// Sets the pause between a result and a query queued by queueQuery(); by default, it is the `delay` of the constructor.
    void setPause(Pause pause) { m_pause = pause; }

    void soon();
    void now() { m_soon.start(0); }
    /// Requests another query after the running query has ended; calls soon() if no query is running. Used for timelines that grow while
    /// traces are read: a query that is restarted for each new timeline would never complete.
    void queueQuery();

    void post(LatestTask::Job job);
    /// Delivers a partial result from inside a job; see LatestTask::deliver().
    void deliver(std::stop_token stop, LatestTask::Delivery part) { m_job.deliver(std::move(stop), std::move(part)); }
    void cancel();

    /// True from post() until the result of the job was delivered, or the job was cancelled.
    bool isBusy() const { return m_job.isBusy(); }
    bool isDue() const { return m_soon.isActive(); } ///< True if a call of `ask` is scheduled.

signals:
    void failed(const QString& why); ///< Emitted when a job threw an exception; see LatestTask::failed().

private:
    Pace m_pace;
    int m_delay; ///< Time between a change and the query, in ms.
    Pause m_pause;
    bool m_asksAgain = false; ///< True if `ask` must be called after the running query.
    QTimer m_soon;
    LatestTask m_job;
};

} // namespace helio
