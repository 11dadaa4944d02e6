// The card of Details that explains a wait.

#include "core/query/rows/state_causes.h"
#include "tests/core/correlators/critical_path/two_threads.h"
#include "tests/support/test_program.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/docks/details/wait_card.h"
#include "widgets/workspace/path_choice.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Details for a trace with two threads: thread 7 waits from 100 to 300 ns for work of thread 8.
struct ExplainedThreads {
    MadeMachines made;
    ViewContext context;
    DetailsView view{context};
    TrackRef waiter, holder;

    ExplainedThreads()
    {
        const auto trace = made.add(twoThreads(), "host", 500);
        const auto timeline = std::make_shared<const Timeline>(made.timeline());
        waiter = threadRow(*timeline, trace, 7, timestamp(50));
        holder = threadRow(*timeline, trace, 8, timestamp(200));
        context.setTimeline(timeline);
        context.time().setFull(timeline->range);
        view.resize(416, 600);
        view.show();
    }
    WaitCard& card() { return view.waitCard(); }
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
    QStringList visibleTexts()
    {
        QStringList all;
        for (const QLabel* it : view.findChildren<QLabel*>())
            if (it->isVisible() && !it->text().isEmpty())
                all << it->text();
        return all;
    }
};

/// Makes an explanation of a wait whose parts have these durations and texts.
std::shared_ptr<const Why> madeWhy(TrackRef row, const std::vector<std::pair<Duration, std::string>>& parts, const std::string& conclusion,
                                   std::vector<std::string> shorter = {})
{
    auto why = std::make_shared<Why>();
    why->conclusion = conclusion;
    why->shorterConclusions = std::move(shorter);
    for (const auto& [total, what] : parts)
        why->parts.push_back({row, PathKind::Disk, what, total, {timestamp(0), timestamp(total.count())}});
    return why;
}

} // namespace

class WaitCardTest : public QObject {
    Q_OBJECT

private slots:
    void partsAreListedLongestFirstAndAddUp()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        QVERIFY(it.card().isVisible());
        QCOMPARE(it.card().lineCount(), std::size_t(2)); // Thread 8 waits for a CPU, then runs.
        QVERIFY2(it.card().words(0).endsWith("90.0 %, 180 ns"), qPrintable(it.card().words(0)));
        QVERIFY2(it.card().words(1).endsWith("10.0 %, 20 ns"), qPrintable(it.card().words(1)));
        const QString copied = it.card().copyText();
        QVERIFY2(copied.contains("t7 (7) waited for a lock: futex, held by t8 (8) in futex"), qPrintable(copied));
    }

    /// Property: a wait leads to all waits with its kind of cause, searched for periodicity. Nothing was throttled here, so no button
    /// leads to throttling.
    void aWaitLeadsToThePeriodicityOfItsKind()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        std::optional<ViewContext::DurationsRequest> asked;
        connect(&it.context, &ViewContext::durationsRequested, &it.view,
                [&](const ViewContext::DurationsRequest& request) { asked = request; });
        QPushButton* periodicity = it.button("Find periodicity");
        QVERIFY(periodicity->isVisible());
        QVERIFY(!it.button("CPU throttling")->isVisible());
        periodicity->click();
        QVERIFY(asked && asked->findsPeriods);
        QCOMPARE(asked->kind, QStringLiteral("wait"));
        QCOMPARE(asked->name, QStringLiteral("lock"));
        it.lookAt(it.waiter, 50); // The thread runs, so there is no wait.
        QVERIFY(!periodicity->isVisible());
    }

    void theCardStandsAboveTheFields()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        const auto top = [&](const QWidget* widget) { return widget->mapTo(&it.view, QPoint()).y(); };
        QPushButton* path = it.button("Critical path");
        QVERIFY(path->isVisible() && path->isDefault());
        QVERIFY(top(&it.card()) < top(path));
        for (const QLabel* label : it.view.findChildren<QLabel*>())
            if (label->text() == "Start")
                QVERIFY(top(path) < top(label));
    }

    void furtherFieldsAreShownOnDemand()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        QVERIFY(it.visibleTexts().contains("Woken by"));
        QVERIFY(!it.visibleTexts().contains("Woken at"));
        for (QLabel* label : it.view.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains("more fields"))
                emit label->linkActivated({});
        QVERIFY(it.visibleTexts().contains("Woken at"));
    }

    void aPartLeadsToItsRowAndMoment()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        QTest::mouseClick(&it.card(), Qt::LeftButton, Qt::NoModifier, it.card().lineRect(0).center());
        QCOMPARE(it.context.time().row(), it.holder);
        QCOMPARE(it.context.time().cursor(), timestamp(120));
    }

    void thePathOfTheWaitIsAskedFor()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        QSignalSpy shown(&it.context, &ViewContext::viewRequested);
        it.button("Critical path")->click();
        QCOMPARE(shown.count(), 1);
        QCOMPARE(shown.front().front().toString(), QString("waited_for"));
        const auto question = PathChoice::of(it.context).question();
        QVERIFY(question.has_value());
        QCOMPARE(question->thread, it.waiter);
        QCOMPARE(question->range, (TimeRange{timestamp(100), timestamp(300)}));
    }

    void theActionBringsTheCardIntoView()
    {
        ExplainedThreads it;
        it.view.resize(416, 120);
        it.lookAt(it.waiter, 200);
        it.view.verticalScrollBar()->setValue(it.view.verticalScrollBar()->maximum());
        QVERIFY(it.view.verticalScrollBar()->value() > 0);
        it.context.explainWait();
        QTRY_VERIFY(!it.view.isBusy());
        QTRY_COMPARE(it.view.verticalScrollBar()->value(), 0);
    }

    /// Property: if there is no wait at the cursor, the command to explain a wait says why. The text disappears when the cursor moves.
    void theActionSaysWhyThereIsNothing()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 50);
        QVERIFY(!it.card().why());
        QVERIFY(it.card().isHidden());
        QVERIFY(!it.button("Critical path")->isVisible());
        const QString running("The thread is running here. Place the cursor where it waits.");
        QVERIFY(!it.visibleTexts().contains(running));
        it.context.explainWait();
        QTRY_VERIFY(it.visibleTexts().contains(running));
        it.lookAt(it.waiter, 200);
        QVERIFY(!it.visibleTexts().contains(running));
    }

    /// Input: the range of a call, which begins and ends with running. Property: its longest wait is explained, and the range stays.
    void theLongestWaitOfASelectedRangeIsExplained()
    {
        ExplainedThreads it;
        const TimeRange call{timestamp(90), timestamp(305)};
        it.context.time().setSelection(call);
        it.lookAt(it.waiter, 90);
        QVERIFY(!it.card().why());
        it.context.explainWait();
        QTRY_COMPARE(it.context.time().cursor(), timestamp(100));
        QTRY_VERIFY(!it.view.isBusy());
        QVERIFY(it.card().why());
        QCOMPARE(it.card().why()->wait, (TimeRange{timestamp(100), timestamp(300)}));
        QCOMPARE(it.context.time().selection(), call);
    }

    /// Property: a wait at a cursor that the user placed inside the range is explained, even if another one is longer.
    void aWaitAtTheCursorIsExplainedRatherThanALongerOne()
    {
        ExplainedThreads it;
        it.context.time().setSelection({timestamp(90), timestamp(310)});
        it.lookAt(it.waiter, 305);
        it.context.explainWait();
        QTRY_VERIFY(!it.view.isBusy());
        QCOMPARE(it.context.time().cursor(), timestamp(305));
    }

    /// Property: Details shows the selected event while the row and the time of its selection are selected.
    void aSelectedEventGoesWhenSomethingElseIsSelected()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        auto event = std::make_shared<EventRow>();
        event->name = "timer_expire";
        event->time = timestamp(200);
        it.context.setEvent(event);
        QVERIFY(it.visibleTexts().contains("timer_expire"));
        it.lookAt(it.waiter, 50);
        QVERIFY(!it.visibleTexts().contains("timer_expire"));
        it.lookAt(it.waiter, 200);
        QVERIFY(it.visibleTexts().contains("timer_expire"));
        it.lookAt(it.holder, 200);
        QVERIFY(!it.visibleTexts().contains("timer_expire"));
        it.context.setEvent(event);
        QVERIFY(it.visibleTexts().contains("timer_expire"));
    }

    void nothingIsLeftOfATraceThatIsClosed()
    {
        ExplainedThreads it;
        it.lookAt(it.waiter, 200);
        it.context.setTimeline({});
        QTRY_VERIFY(!it.view.isBusy());
        QVERIFY(!it.card().why());
        QVERIFY(it.card().copyText().isEmpty());
    }

    void wordsWrapAndSharesGoBeforeTextIsCut()
    {
        ExplainedThreads it;
        const std::string words = "vdb: write of 14 KiB by jbd2/vdb-8 (154), before the flush by kworker/1:1H (54)";
        WaitCard card(it.context);
        card.setWait(it.context.timeline(), it.holder,
                     madeWhy(it.holder, {{Duration(900), words}, {Duration(100), "vdb: flush"}}, "Waited 1 ms"));
        int before = 0;
        for (const int width : {900, 640, 416, 320, 292}) {
            card.resize(width, card.heightForWidth(width));
            QCOMPARE(card.showsShares(), width >= 640);
            QVERIFY2(card.height() >= before, qPrintable(QString::number(width)));
            before = card.height();
            const QImage picture = card.grab().toImage();
            QCOMPARE(picture.width(), width);
            QVERIFY(card.lineRect(1).right() < width && card.lineRect(1).bottom() < card.height());
        }
        card.resize(320, card.heightForWidth(320));
        QVERIFY(card.lineRect(0).height() > 2 * card.lineRect(1).height() - 8); // The long text has several lines.
    }

    void theConclusionFitsIntoTwoLines()
    {
        ExplainedThreads it;
        WaitCard card(it.context);
        const std::string whole =
            "Waited 84.193 ms for a disk: fsync, ended by jbd2/vdb-8 (154); for 50.901 ms of that (60 %) jbd2/vdb-8 (154) "
            "waited for a disk: vdb: write of 8 KiB by jbd2/vdb-8 (154)";
        card.setWait(it.context.timeline(), it.holder,
                     madeWhy(it.holder, {{Duration(900), "vdb"}}, whole,
                             {"Waited for jbd2/vdb-8 (154), which waited for a disk for 50.901 ms", "jbd2/vdb-8 (154) waited 50.901 ms"}));
        card.resize(1400, 200);
        QCOMPARE(card.conclusion().toStdString(), whole);
        card.resize(416, 200);
        QCOMPARE(card.conclusion(), QString("Waited for jbd2/vdb-8 (154), which waited for a disk for 50.901 ms"));
        card.resize(200, 200);
        QCOMPARE(card.conclusion(), QString("jbd2/vdb-8 (154) waited 50.901 ms"));
    }

    void manyPartsAreSummedUpInTheLastLine()
    {
        ExplainedThreads it;
        WaitCard card(it.context);
        std::vector<std::pair<Duration, std::string>> parts;
        for (int i = 0; i < 20; ++i)
            parts.emplace_back(Duration(100 - i), "part " + std::to_string(i));
        card.setWait(it.context.timeline(), it.holder, madeWhy(it.holder, parts, "Waited 1.8 µs"));
        QCOMPARE(card.lineCount(), WaitCard::MostParts);
        QVERIFY2(card.words(WaitCard::MostParts - 1).startsWith("and 13 more, 62.5 %"), qPrintable(card.words(WaitCard::MostParts - 1)));
        QVERIFY(!card.isFollowable(WaitCard::MostParts - 1));
    }
};

HELIO_TEST(WaitCardTest)
#include "tst_wait_card.moc"
