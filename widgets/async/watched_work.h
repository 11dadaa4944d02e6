#pragma once

#include "widgets/async/fresh_answer.h"

#include <QString>

#include <memory>
#include <vector>

class QWidget;

namespace helio {

struct QueryProgress;

/// What several views show and none of them works out itself: work for all of them, done only while one of them is visible, again soon
/// after what it depends on changed.
///
/// What derives from it calls soon() on changes, posts its work in ask() and keeps what comes. UI thread; the work is done on a thread of
/// its own, which ends after what derives from it is gone: jobs use what they were given, deliveries alone touch members. Owned by its
/// parent.
class WatchedWork : public QObject {
    Q_OBJECT

public:
    /// Works from now on while this view is visible. The views are others'.
    void serve(QWidget* view);

    /// Work under way, in words; empty: none.
    QString work() const { return m_work; }
    /// How far it is, 0 to 1; below 0: not known.
    double workShare() const;

signals:
    void workChanged();

protected:
    /// `delay` and `rest`: see FreshAnswer, whose pace is live.
    WatchedWork(int delay, FreshAnswer::Rest rest, QObject* parent);

    /// Posts the work, or cancels where there is none to do.
    virtual void ask() = 0;
    /// Somebody looks at what comes of it.
    virtual bool isWatched() const;

    /// What it depends on changed.
    void soon();
    /// It was read further: see FreshAnswer::onceAnswered().
    void onceAnswered();
    bool isOld() const { return m_isOld; } ///< Something changed that was not asked for since.
    bool isBusy() const { return m_answer.isBusy(); }

    /// The work ends when the job's delivery runs.
    void post(LatestJob::Job job);
    /// From inside of a job: see LatestJob::deliver().
    void deliver(std::stop_token stop, LatestJob::Delivery part) { m_answer.deliver(std::move(stop), std::move(part)); }
    /// The work ends now; nothing comes of it.
    void cancel();
    void setWork(const QString& what, std::shared_ptr<const QueryProgress> progress);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;

    std::vector<QWidget*> m_views;
    QString m_work;
    std::shared_ptr<const QueryProgress> m_progress;
    bool m_isOld = true;
    FreshAnswer m_answer;
};

} // namespace helio
