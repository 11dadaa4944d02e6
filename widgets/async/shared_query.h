#pragma once

#include "widgets/async/debounced_query.h"

#include <QString>

#include <memory>
#include <vector>

class QWidget;

namespace helio {

struct QueryProgress;

/// Base class of queries with a single result that several views show. A query runs only while a view is visible, and again soon after its
/// inputs changed.
///
/// A derived class calls soon() on changes, posts its job in ask() and stores the result.
/// Threads: UI thread; jobs run on another thread. That thread ends after the members of the derived class are destroyed: jobs must only
/// use what they captured; only deliveries may access members.
/// Ownership: owned by its parent.
class SharedQuery : public QObject {
    Q_OBJECT

public:
    /// Registers a view: from now on, queries also run while `view` is visible. `view` stays owned by its parent, and may be destroyed
    /// first.
    void serve(QWidget* view);

    /// Description of the running work for the user; empty if none is running.
    QString work() const { return m_work; }
    /// Progress of the running work, 0 to 1; below 0 if unknown.
    double workShare() const;

signals:
    void workChanged();

protected:
    /// Makes a query that calls ask() `delay` ms after a change, also while changes go on (Pace::Live). `pause`: pause between a result and
    /// a queued query.
    SharedQuery(int delay, DebouncedQuery::Pause pause, QObject* parent);

    /// Posts the job, or calls cancel() if there is nothing to query.
    virtual void ask() = 0;
    /// True if a registered view is visible.
    virtual bool isWatched() const;

    /// Schedules a query. Must be called when an input changed.
    void soon();
    /// Schedules a query after the running one. Must be called when an input grew, e.g. because more of a trace was read; see
    /// DebouncedQuery::queueQuery().
    void queueQuery();
    bool isOld() const { return m_isOld; } ///< True if an input changed after the latest query began.
    bool isBusy() const { return m_answer.isBusy(); }

    /// Runs a job on a background thread. Views show the progress passed to setWork() until the job's result is delivered.
    void post(LatestTask::Job job);
    /// Delivers a partial result from inside a job; see LatestTask::deliver().
    void deliver(std::stop_token stop, LatestTask::Delivery part) { m_answer.deliver(std::move(stop), std::move(part)); }
    /// Cancels the running job, and clears the progress that views show.
    void cancel();
    void setWork(const QString& what, std::shared_ptr<const QueryProgress> progress);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;

    std::vector<QWidget*> m_views;
    QString m_work;
    std::shared_ptr<const QueryProgress> m_progress;
    bool m_isOld = true;
    DebouncedQuery m_answer;
};

/// Shared query without a job of its own: its owner starts and runs the work, and reports the progress with setWork(), so that views can
/// show it.
class ManualQuery final : public SharedQuery {
    Q_OBJECT

public:
    explicit ManualQuery(QObject* parent)
        : SharedQuery(0, {}, parent)
    {
    }
    /// Returns the object for `owner`; created by the first call. It has the lifetime of `owner`, so views may be destroyed earlier.
    static ManualQuery& of(QObject& owner)
    {
        auto* there = owner.findChild<ManualQuery*>(QString(), Qt::FindDirectChildrenOnly);
        return there ? *there : *new ManualQuery(&owner);
    }
    using SharedQuery::setWork;

private:
    void ask() override { }
};

} // namespace helio
