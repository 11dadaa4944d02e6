#pragma once

#include "widgets/async/debounced_query.h"

#include <QString>

#include <memory>
#include <vector>

class QWidget;

namespace helio {

struct QueryProgress;

/// Base class of queries with one result that several views show. It asks only while one of the views is visible, and again soon after its
/// inputs changed.
///
/// A derived class calls soon() on changes, posts its job in ask() and keeps the result.
/// Threads: UI thread; jobs run on another thread. That thread ends after the members of the derived class are destroyed: jobs use
/// only what they captured, and deliveries alone touch members.
/// Ownership: its parent.
class SharedQuery : public QObject {
    Q_OBJECT

public:
    /// Asks while `view` is visible, from now on. `view` stays owned by its parent and may be destroyed first.
    void serve(QWidget* view);

    /// Description of the running work, for the user; empty if none runs.
    QString work() const { return m_work; }
    /// Progress of the running work, 0 to 1; below 0 if unknown.
    double workShare() const;

signals:
    void workChanged();

protected:
    /// `delay` and `rest` as in DebouncedQuery, with Pace::Live.
    SharedQuery(int delay, DebouncedQuery::Rest rest, QObject* parent);

    /// Posts the job, or calls cancel() if there is nothing to ask.
    virtual void ask() = 0;
    /// True if a view shows the result.
    virtual bool isWatched() const;

    /// To be called when an input changed.
    void soon();
    /// To be called when an input was read further: see DebouncedQuery::queueQuery().
    void queueQuery();
    bool isOld() const { return m_isOld; } ///< True if an input changed after the latest query.
    bool isBusy() const { return m_answer.isBusy(); }

    /// Runs `job`. The work ends when the job's delivery runs.
    void post(LatestTask::Job job);
    /// For use inside a job: see LatestTask::deliver().
    void deliver(std::stop_token stop, LatestTask::Delivery part) { m_answer.deliver(std::move(stop), std::move(part)); }
    /// Ends the work without a result.
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

/// Shows the progress of work that its owner starts and runs itself.
class ManualQuery final : public SharedQuery {
    Q_OBJECT

public:
    explicit ManualQuery(QObject* parent)
        : SharedQuery(0, {}, parent)
    {
    }
    /// Returns the work of `owner`; the first call makes it. It lives as long as `owner`, so views of it may be destroyed earlier.
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
