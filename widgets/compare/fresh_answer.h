#pragma once

#include "widgets/compare/compare_context.h"
#include "widgets/work/latest_job.h"

#include <QTimer>

#include <functional>

namespace helio {

/// Keeps what a view of a comparison shows up to date: asks anew soon after what it depends on changed, on a thread of its own. Until the
/// answer comes the view shows the old one.
///
/// Owned by the view, destroyed before what the answers are given to. UI thread; jobs must heed their token.
class FreshAnswer : public QObject {
    Q_OBJECT

public:
    enum class Pace {
        WhenStill, ///< Asks once changes stop coming, as a range being dragged does: answers take long.
        Live, ///< Asks while they come.
    };

    /// `ask` posts what is to be asked, cancels where there is nothing to ask about, or leaves it while the view is not looked at.
    FreshAnswer(Pace pace, int delay, std::function<void()> ask);

    /// Asks when a timeline changes. What is being asked comes first, else nothing would while timelines come quickly.
    void followTimelines(CompareContext& context);
    /// And when what is selected or compared changes, or all is read.
    void follow(CompareContext& context);

    void soon();
    void now() { m_soon.start(0); }

    void post(LatestJob::Job job);
    void cancel();

private:
    Pace m_pace;
    int m_delay; ///< ms.
    bool m_isOld = false; ///< A newer timeline came while this one was asked.
    QTimer m_soon;
    LatestJob m_job;
};

} // namespace helio
