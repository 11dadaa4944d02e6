#include "tests/support/test_program.h"
#include "widgets/time/time_scale.h"
#include "widgets/time/time_window.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;
using namespace std::chrono_literals;

namespace {

Timestamp at(Duration t) { return Timestamp(t); }

} // namespace

class TimeWindowTest : public QObject {
    Q_OBJECT

private slots:
    void itShowsAllOfWhatItIsGivenFirst()
    {
        TimeWindow window;
        window.setFull({at(10s), at(20s)});
        QCOMPARE(window.visible(), (TimeRange{at(10s), at(20s)}));
        QCOMPARE(window.cursor(), at(10s));
    }

    void aGrowingTraceKeepsTheWindowUnlessAllWasShown()
    {
        TimeWindow window;
        window.setFull({at(0s), at(10s)});
        window.setFull({at(0s), at(20s)});
        QCOMPARE(window.visible().end, at(20s));

        window.setVisible({at(2s), at(3s)});
        window.setFull({at(0s), at(30s)});
        QCOMPARE(window.visible(), (TimeRange{at(2s), at(3s)}));
    }

    /// Input: a trace that begins earlier than those known before. Property: the cursor follows the start only if it is still there.
    void anUntouchedCursorMovesToAnEarlierStart()
    {
        TimeWindow window;
        window.setFull({at(5s), at(10s)});
        window.setFull({at(2s), at(10s)});
        QCOMPARE(window.cursor(), at(2s));

        window.setCursor(at(3s));
        window.setFull({at(1s), at(10s)});
        QCOMPARE(window.cursor(), at(3s));
    }

    void whatIsPreviewedLeavesTheCursor()
    {
        TimeWindow window;
        window.setFull({at(0s), at(20s)});
        window.setCursor(at(18s));
        window.setGrowing(true);
        window.setFull({at(5s), at(10s)});
        QCOMPARE(window.cursor(), at(18s));
        QCOMPARE(window.full(), (TimeRange{at(0s), at(20s)}));
        window.setFull({at(5s), at(30s)});
        QCOMPARE(window.full(), (TimeRange{at(0s), at(30s)}));
        window.setFull({at(1s), at(20s)});
        window.setGrowing(false);
        QCOMPARE(window.full(), (TimeRange{at(1s), at(20s)}));
        QCOMPARE(window.cursor(), at(18s));
        // The range is final now and excludes the cursor at 18 s, so the cursor moves to the range's end.
        window.setFull({at(1s), at(10s)});
        QCOMPARE(window.cursor(), at(10s));
    }

    void whatIsDraggedOverStaysInView()
    {
        TimeWindow window;
        window.setFull({at(0s), at(20s)});
        window.setFrozen(true);
        window.setFull({at(0s), at(30s)});
        QCOMPARE(window.visible(), (TimeRange{at(0s), at(20s)}));
        window.setFrozen(false);
        QCOMPARE(window.visible(), (TimeRange{at(0s), at(30s)})); // The whole range was visible and stays so.
        window.setVisible({at(2s), at(3s)});
        window.setFrozen(true);
        window.setFull({at(0s), at(40s)});
        window.setFrozen(false);
        QCOMPARE(window.visible(), (TimeRange{at(2s), at(3s)}));
    }

    void closingATraceLeavesNothingOfIt()
    {
        TimeWindow window;
        window.setFull({at(10s), at(20s)});
        window.setVisible({at(12s), at(13s)});
        window.jump({.visible = TimeRange{at(14s), at(15s)}});
        window.setFull({});
        QVERIFY(window.full().isEmpty());
        QVERIFY(window.visible().isEmpty());
        QVERIFY(!window.canGoBack());

        window.setFull({at(100s), at(200s)});
        QCOMPARE(window.visible(), (TimeRange{at(100s), at(200s)}));
        QCOMPARE(window.cursor(), at(100s));
    }

    void aTraceOfOneMomentCanBeShown()
    {
        TimeWindow window;
        window.setFull({at(10s), at(10s)});
        QVERIFY(!window.visible().isEmpty());
    }

    void theCursorIsNeverOutsideTheTrace()
    {
        TimeWindow window;
        window.setFull({timestamp(0), timestamp(1000)}); // Range according to the packet headers; the events' range is smaller.
        window.setFull({timestamp(300), timestamp(900)});
        QCOMPARE(window.cursor(), timestamp(300));

        window.setCursor(timestamp(500));
        window.setFull({timestamp(300), timestamp(950)});
        QCOMPARE(window.cursor(), timestamp(500));
    }

    void zoomingKeepsThePlaceUnderThePointer()
    {
        TimeWindow window;
        window.setFull({at(0s), at(100s)});
        window.zoom(0.5, at(25s));
        QCOMPARE(window.visible(), (TimeRange{at(12s + 500ms), at(62s + 500ms)}));
    }

    void theWindowNeitherVanishesNorLeavesTheTrace()
    {
        TimeWindow window;
        window.setFull({at(0s), at(100s)});
        for (int i = 0; i < 200; ++i)
            window.zoom(0.5, at(50s));
        QCOMPARE(window.visible().duration(), Duration(10));
        for (int i = 0; i < 200; ++i)
            window.zoom(3, at(50s));
        QVERIFY(window.visible().duration() <= 104s);
        window.setVisible({at(1000s), at(1001s)});
        QVERIFY(window.visible().end <= at(102s));
    }

    void signalsFireOnlyOnChange()
    {
        TimeWindow window;
        window.setFull({at(0s), at(100s)});
        QSignalSpy spy(&window, &TimeWindow::cursorChanged);
        window.setCursor(at(5s));
        window.setCursor(at(5s));
        QCOMPARE(spy.count(), 1);
    }

    void backAndForwardWalkThePlacesVisited()
    {
        TimeWindow window;
        window.setFull({at(0s), at(100s)});
        window.setVisible({at(1s), at(2s)});
        window.jump({.visible = TimeRange{at(50s), at(60s)}});
        window.setCursor(at(55s));

        window.back();
        QCOMPARE(window.visible(), (TimeRange{at(1s), at(2s)}));
        QVERIFY(!window.canGoBack());
        window.forward();
        QCOMPARE(window.visible(), (TimeRange{at(50s), at(60s)}));
        QCOMPARE(window.cursor(), at(55s));
        QVERIFY(!window.canGoForward());
    }

    void aJumpGoesThereAndBackLeadsToWhereItBegan()
    {
        TimeWindow window;
        window.setFull({at(0s), at(100s)});
        window.setVisible({at(1s), at(2s)});
        window.setCursor(at(1s));
        window.jump({.cursor = at(50s)});
        QCOMPARE(window.cursor(), at(50s));
        QVERIFY(window.visible().contains(at(50s)));
        window.jump({.selection = TimeRange{at(70s), at(80s)}, .visible = TimeRange{at(60s), at(90s)}});
        QCOMPARE(window.visible(), (TimeRange{at(60s), at(90s)}));
        QCOMPARE(window.selection(), (TimeRange{at(70s), at(80s)}));

        window.back();
        QCOMPARE(window.cursor(), at(50s));
        QVERIFY(window.selection().isEmpty());
        window.back();
        QCOMPARE(window.cursor(), at(1s));
        QCOMPARE(window.visible(), (TimeRange{at(1s), at(2s)}));
        QVERIFY(!window.canGoBack());
    }

    void ofARunOfStepsThePlaceWhereItBeganIsRemembered()
    {
        TimeWindow window;
        window.setFull({at(0s), at(1000s)});
        window.setVisible({at(1s), at(2s)});
        for (int i = 1; i <= 300; ++i) {
            window.step({.cursor = at(std::chrono::seconds(i))});
            window.setScroll("panel", i); // Scrolling to the row adds no entry to the history.
        }
        window.setCursor(at(500s)); // The 300 calls of step() are one entry of the history. A click ends this entry.
        window.step({.cursor = at(501s)});

        window.back();
        QCOMPARE(window.cursor(), at(500s));
        window.back();
        QCOMPARE(window.visible(), (TimeRange{at(1s), at(2s)}));
        QVERIFY(!window.canGoBack());
    }

    void allThatMovesDuringAStepIsPartOfIt()
    {
        TimeWindow window;
        window.setFull({at(0s), at(1000s)});
        window.setCursor(at(7s));
        window.setSelection({at(7s), at(8s)});
        for (int i = 10; i < 20; ++i) {
            const TimeWindow::Step step(window);
            window.setSelection({at(std::chrono::seconds(i)), at(std::chrono::seconds(i + 1))});
            window.step({.row = TrackRef{StoreIndex{}, TrackId(i)}});
            window.jump({.cursor = at(std::chrono::seconds(i))});
        }

        window.back();
        QCOMPARE(window.cursor(), at(7s));
        QCOMPARE(window.selection(), (TimeRange{at(7s), at(8s)}));
        QVERIFY(!window.row().isValid());
        QVERIFY(!window.canGoBack());
    }

    /// Property: zooms, pans and jumps that change nothing add no place and keep those of forward(); the first move after them does both.
    void movesThatChangeNothingKeepTheHistory()
    {
        TimeWindow window;
        window.setFull({at(0s), at(100s)});
        window.setVisible({at(-2s), at(102s)}); // The largest possible range.
        const auto zoomOut = [&] {
            const TimeWindow::Step step(window, TimeWindow::Series::Zoom);
            window.zoom(2, at(50s));
            window.pan(0.5);
        };
        window.jump({.cursor = at(70s)});
        window.back();
        QVERIFY(window.canGoForward());
        QSignalSpy changed(&window, &TimeWindow::historyChanged);
        zoomOut();
        window.jump({.cursor = window.cursor(), .visible = window.visible()});
        window.step({.visible = window.visible()}, TimeWindow::Series::Drag);
        QVERIFY(changed.isEmpty());
        QVERIFY(window.canGoForward() && !window.canGoBack());

        zoomOut();
        {
            const TimeWindow::Step step(window, TimeWindow::Series::Zoom);
            window.zoom(0.5, at(50s));
        }
        QVERIFY(!window.canGoForward());
        window.back();
        QCOMPARE(window.visible(), (TimeRange{at(-2s), at(102s)}));
        QVERIFY(!window.canGoBack());
    }

    /// Property: each drag is one place of the history, also if two drags follow each other.
    void aDragIsOnePlace()
    {
        TimeWindow window;
        window.setFull({at(0s), at(1000s)});
        window.setVisible({at(0s), at(10s)});
        for (int drag = 1; drag <= 2; ++drag) {
            window.endSeries();
            for (int i = 1; i <= 5; ++i) {
                const Timestamp begin = at(std::chrono::seconds(drag * 100 + i));
                window.step({.visible = TimeRange{begin, begin + 10s}}, TimeWindow::Series::Drag);
            }
        }
        window.back();
        QCOMPARE(window.visible().begin, at(105s));
        window.back();
        QCOMPARE(window.visible().begin, at(0s));
        QVERIFY(!window.canGoBack());
    }

    void farFromTheOriginNanosecondsStillCount()
    {
        const Timestamp epoch = at(1'700'000'000s);
        const TimeScale scale({epoch, epoch + 100ns}, 100);
        QCOMPARE(scale.xAt(epoch + 37ns), 37.0);
        QCOMPARE(scale.timeAt(37.0), epoch + 37ns);
        QCOMPARE(scale.resolution(), Duration(1));
    }
};

HELIO_TEST(TimeWindowTest)
#include "tst_time_window.moc"
