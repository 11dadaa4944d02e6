// Property: the step commands lead to the next, previous, longest or typical call of a function.

#include "app/gui/common/navigator.h"
#include "core/query/rows/facts.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace helio;
using namespace helio::test;

class CallStepsTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Timeline> m_timeline;

    TrackRef row(const char* key) const
    {
        const auto tracks = m_timeline->stores.back().store->tracks();
        const auto found = std::ranges::find(tracks, key, &Track::key);
        return {StoreIndex{1}, TrackId(found - tracks.begin())};
    }

private slots:
    /// Makes two threads: f is called three times, once by g and twice as the outermost call.
    void initTestCase()
    {
        CallScript script;
        script.call(100, 100, "f").ret(400, 100, "f").call(500, 101, "g").call(600, 101, "f").ret(700, 101, "f");
        script.call(800, 100, "f").ret(1000, 100, "f").ret(1500, 101, "g");
        script.run(4000);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(2));
        timeline->stores.push_back({0, script.sharedStore()});
        m_timeline = timeline;
    }

    void aStepLeadsToTheCall_data()
    {
        QTest::addColumn<CallSelector>("step");
        QTest::addColumn<QString>("row");
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("end");
        QTest::newRow("next") << CallSelector::Next << "calls:100/1" << 800 << 1000;
        QTest::newRow("previous") << CallSelector::Previous << "calls:100/1" << 100 << 400;
        QTest::newRow("longest") << CallSelector::Longest << "calls:100/1" << 100 << 400;
        QTest::newRow("typical") << CallSelector::Typical << "calls:100/1" << 800 << 1000;
    }
    void aStepLeadsToTheCall()
    {
        QFETCH(CallSelector, step);
        QFETCH(QString, row);
        QFETCH(int, begin);
        QFETCH(int, end);
        ViewContext context;
        context.setTimeline(m_timeline);
        TimeWindow& time = context.time();
        time.setFull(rangeOf(*m_timeline));
        time.setVisible({timestamp(600), timestamp(640)});
        time.setRow(this->row("calls:101/2"));
        time.setCursor(timestamp(650));
        Navigator navigator(context);
        QSignalSpy remarks(&navigator, &Navigator::remark);
        navigator.stepCall(step);
        QTRY_COMPARE(time.row(), this->row(qPrintable(row)));
        QCOMPARE(remarks.count(), 1); // The only remark is an empty text, which clears an earlier message.
        QCOMPARE(remarks[0][0].toString(), QString());
        QCOMPARE(time.cursor(), timestamp(begin));
        QCOMPARE(time.selection(), TimeRange({timestamp(begin), timestamp(end)}));
        QVERIFY(time.visible().contains(timestamp(begin)));
        QVERIFY(time.canGoBack());
    }

    void whereThereIsNoOtherOneNothingMoves_data()
    {
        QTest::addColumn<CallSelector>("step");
        QTest::addColumn<int>("cursor");
        QTest::addColumn<QString>("remark");
        QTest::newRow("next") << CallSelector::Next << 900 << "No later call of this function";
        QTest::newRow("previous") << CallSelector::Previous << 200 << "No earlier call of this function";
        QTest::newRow("longest") << CallSelector::Longest << 200 << "This is the longest call of this function";
        QTest::newRow("no call") << CallSelector::Next << 450 << "No call is selected";
    }
    void whereThereIsNoOtherOneNothingMoves()
    {
        QFETCH(CallSelector, step);
        QFETCH(int, cursor);
        QFETCH(QString, remark);
        ViewContext context;
        context.setTimeline(m_timeline);
        context.time().setFull(rangeOf(*m_timeline));
        context.time().setRow(row("calls:100/1"));
        context.time().setCursor(timestamp(cursor));
        Navigator navigator(context);
        QSignalSpy remarks(&navigator, &Navigator::remark);
        navigator.stepCall(step);
        QTRY_COMPARE(remarks.count(), 1);
        QCOMPARE(remarks[0][0].toString(), remark);
        QCOMPARE(context.time().cursor(), timestamp(cursor));
        QVERIFY(context.time().selection().isEmpty());
    }
};

HELIO_TEST(CallStepsTest)
#include "tst_call_steps.moc"
