// The explanation of a wait: its content.

#include "core/query/rows/state_causes.h"
#include "tests/core/correlators/critical_path/two_threads.h"
#include "tests/support/test_program.h"
#include "widgets/docks/why/why_view.h"
#include "widgets/workspace/path_choice.h"

#include <QPushButton>
#include <QTest>
#include <QTreeView>

using namespace helio;
using namespace helio::test;

namespace {

/// The view on two threads: thread 7 waits from 100 to 300 for work of thread 8.
struct Looked {
    MadeMachines made;
    ViewContext context;
    WhyView view{context};
    TrackRef waiter, holder;

    Looked()
    {
        const auto trace = made.add(twoThreads(), "host", 500);
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        waiter = threadRow(*timeline, trace, 7, timestamp(50));
        holder = threadRow(*timeline, trace, 8, timestamp(200));
        context.setTimeline(timeline);
        context.time().setFull(timeline->range);
        view.resize(400, 600);
        view.show();
    }
    void lookAt(TrackRef row, std::int64_t at)
    {
        context.time().setRow(row);
        context.time().setCursor(timestamp(at));
        QTRY_VERIFY(!view.isBusy());
    }
    QPushButton* button(const QString& text)
    {
        for (QPushButton* it : view.findChildren<QPushButton*>())
            if (it->text() == text)
                return it;
        return nullptr;
    }
};

} // namespace

class WhyViewTest : public QObject {
    Q_OBJECT

private slots:
    void aWaitIsToldStepByStep()
    {
        Looked it;
        it.lookAt(it.waiter, 200);
        QVERIFY(it.view.why());
        QCOMPARE(QString::fromStdString(it.view.why()->conclusion),
                 QString("Waited 200 ns for a lock: futex, held by t8 (8) in futex; for 180 ns of that (90 %) t8 (8) ran: "
                         "running, futex"));
        const QString copied = it.view.copyText();
        QVERIFY2(copied.contains("t7 (7) waited for a lock: futex, held by t8 (8) in futex"), qPrintable(copied));
        QCOMPARE(it.view.why()->steps.size(), std::size_t(3)); // Three steps: the wait, thread 8's wait before it ran, and its run.
    }

    void aStepLeadsToItsRowAndMoment()
    {
        Looked it;
        it.lookAt(it.waiter, 200);
        auto* steps = it.view.findChild<QTreeView*>();
        emit steps->activated(steps->model()->index(2, 0));
        QCOMPARE(it.context.time().row(), it.holder);
        QCOMPARE(it.context.time().cursor(), timestamp(120));
    }

    void backLeadsToWhereTheWaitWasZoomedFrom()
    {
        Looked it;
        it.lookAt(it.waiter, 200);
        const TimeRange before = it.context.time().visible();
        QPushButton* zoom = it.button("Zoom to wait");
        QVERIFY(zoom);
        zoom->click();
        QCOMPARE(it.context.time().visible(), it.view.why()->wait);
        it.context.time().back();
        QCOMPARE(it.context.time().visible(), before);
    }

    void thePathOfTheWaitIsAskedFor()
    {
        Looked it;
        it.lookAt(it.waiter, 200);
        it.button("Critical path")->click();
        const auto question = PathChoice::of(it.context).question();
        QVERIFY(question.has_value());
        QCOMPARE(question->thread, it.waiter);
        QCOMPARE(question->range, (TimeRange{timestamp(100), timestamp(300)}));
    }

    /// Property: going to a step keeps the explanation; selecting another wait replaces it.
    void theAnswerStaysWhileItsStepsAreGoneTo()
    {
        Looked it;
        it.lookAt(it.waiter, 200);
        auto* steps = it.view.findChild<QTreeView*>();
        emit steps->activated(steps->model()->index(2, 0));
        QTest::qWait(300);
        QVERIFY(it.view.why());
        QCOMPARE(it.view.why()->wait, (TimeRange{timestamp(100), timestamp(300)}));
        it.lookAt(it.waiter, 50);
        QVERIFY(!it.view.why());
    }

    void nothingIsLeftOfATraceThatIsClosed()
    {
        Looked it;
        it.lookAt(it.waiter, 200);
        it.context.setTimeline({});
        QVERIFY(!it.view.why());
        QVERIFY(it.view.copyText().isEmpty());
    }

    void whoRunsDoesNotWait()
    {
        Looked it;
        it.lookAt(it.waiter, 50);
        QVERIFY(!it.view.why());
        QVERIFY(it.view.copyText().isEmpty());
        QVERIFY(it.button("Zoom to wait")->isHidden() || !it.button("Zoom to wait")->isVisible());
    }
};

HELIO_TEST(WhyViewTest)
#include "tst_why_view.moc"
