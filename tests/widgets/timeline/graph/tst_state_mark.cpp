#include "core/query/rows/rows.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/state_mark.h"

#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

Timestamp at(std::int64_t ns) { return timestamp(ns); }

struct Marked {
    Marked()
    {
        for (const Row& row : rows(*timeline, "control-flow"))
            tracks.push_back(row.ref);
        QObject::connect(&mark, &StateMark::changed, &mark, [this](TrackRef row) { changed.push_back(row); });
    }
    void request(std::size_t row, std::int64_t ns)
    {
        mark.request(timeline, tracks[row], at(ns));
        QTRY_VERIFY(!mark.isBusy());
    }

    std::shared_ptr<const Timeline> timeline = MadeTimeline::make(3);
    std::vector<TrackRef> tracks;
    std::vector<TrackRef> changed;
    StateMark mark;
};

} // namespace

class StateMarkTest : public QObject {
    Q_OBJECT

private slots:
    void theStateUnderTheCursorIsMarkedWithItsWords()
    {
        Marked s;
        QSignalSpy came(&s.mark, &StateMark::came);
        s.request(0, 380);
        QCOMPARE(came.count(), 1);
        QCOMPARE(s.mark.row(), s.tracks[0]);
        QCOMPARE(s.mark.state()->interval.range, (TimeRange{at(350), at(400)}));
        QCOMPARE(s.mark.state()->text, QStringLiteral("read   ") + durationText(Duration(50)));
        s.request(0, 200);
        QCOMPARE(s.mark.state()->text, durationText(Duration(200))); // The text has only the duration, because the state has no value.
    }

    void theRowsOfTheOldStateAndOfTheNewOneChange()
    {
        Marked s;
        s.request(0, 200);
        QCOMPARE(s.changed, std::vector{s.tracks[0]});
        s.changed.clear();
        s.request(2, 200);
        QCOMPARE(s.changed, (std::vector{s.tracks[0], s.tracks[2]}));
        s.changed.clear();
        s.mark.forget();
        QCOMPARE(s.changed, std::vector{s.tracks[2]});
        QVERIFY(!s.mark.state());
        s.mark.forget();
        QCOMPARE(s.changed.size(), std::size_t(1));
    }

    void whereNoStateIsNoneIsMarked()
    {
        Marked s;
        s.request(0, 200);
        s.request(0, -500);
        QVERIFY(!s.mark.state());
    }

    void theLatestQuestionIsTheOneAnswered()
    {
        Marked s;
        s.mark.request(s.timeline, s.tracks[0], at(200));
        s.request(1, 200);
        QCOMPARE(s.changed, std::vector{s.tracks[1]});
        s.mark.request(s.timeline, s.tracks[0], at(200));
        s.mark.forget();
        QTest::qWait(50);
        QVERIFY(!s.mark.state());
    }
};

HELIO_TEST(StateMarkTest)
#include "tst_state_mark.moc"
