#pragma once

#include "widgets/async/latest_job.h"

#include <QTimer>

#include <functional>

namespace helio {

/// Keeps what a view shows up to date: asks anew soon after what it depends on changed, on a thread of its own. Until the answer comes the
/// view shows the old one.
///
/// Owned by the view, destroyed before what the answers are given to. UI thread; jobs must heed their token.
class FreshAnswer : public QObject {
    Q_OBJECT

public:
    enum class Pace {
        WhenStill, ///< Asks once changes stop coming, as a range being dragged does: answers take long.
        Live, ///< Asks while they come.
    };
    /// Between an answer and the next one that onceAnswered() asked for.
    struct Rest {
        int ms = 0;
        int times = 0; ///< And so many times as long as the answer took, of which at most 5 s count.
    };

    /// `ask` posts what is to be asked, cancels where there is nothing to ask about, or leaves it while the view is not looked at.
    /// `delay` is from a change to the question, in ms.
    FreshAnswer(Pace pace, int delay, std::function<void()> ask);

    void setRest(Rest rest) { m_rest = rest; } ///< At first: the delay.

    void soon();
    void now() { m_soon.start(0); }
    /// The timeline was read further: asks after what is being asked is answered, else nothing would be while timelines come quickly. Where
    /// nothing is being asked, soon.
    void onceAnswered();

    void post(LatestJob::Job job);
    /// From inside of a job: see LatestJob::deliver().
    void deliver(std::stop_token stop, LatestJob::Delivery part) { m_job.deliver(std::move(stop), std::move(part)); }
    void cancel();

    bool isBusy() const { return m_job.isBusy(); } ///< A posted job is not answered yet.
    bool isDue() const { return m_soon.isActive(); } ///< It will ask of itself.

signals:
    void failed(const QString& why); ///< See LatestJob::failed().

private:
    Pace m_pace;
    int m_delay; ///< ms.
    Rest m_rest;
    bool m_asksAgain = false; ///< Once what is being asked is answered.
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
