// Division of a function's calls into slow and fast ones. Input: synthetic calls.

#include "core/compare/call_sides.h"
#include "core/compare/difference_text.h"
#include "core/experiment/timeline.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <utility>

using namespace helio;
using namespace helio::test;

namespace {

std::vector<FunctionCall> callsOf(const QList<int>& lengths)
{
    std::vector<FunctionCall> calls;
    for (const int length : lengths)
        calls.push_back({{}, {timestamp(100), timestamp(100 + length)}, {}});
    return calls;
}

QList<int> lengthsOf(const std::vector<FunctionCall>& calls)
{
    QList<int> lengths;
    for (const FunctionCall& it : calls)
        lengths << int(it.range.duration().count());
    return lengths;
}

} // namespace

class CallSidesTest : public QObject {
    Q_OBJECT

private slots:
    void theyArePartedAtALength_data()
    {
        QTest::addColumn<QList<int>>("lengths");
        QTest::addColumn<int>("limit"); // Expected limit between fast and slow in ns; -1 if the calls cannot be divided.
        QTest::addColumn<int>("expected");
        QTest::addColumn<QList<int>>("quick");
        QTest::addColumn<QList<int>>("slow");
        using L = QList<int>;
        QTest::newRow("half of them") << L{8, 1, 4, 2} << -1 << 2 << L{1, 2} << L{8, 4};
        QTest::newRow("the middle one is quick") << L{3, 1, 2} << -1 << 2 << L{1, 2} << L{3};
        QTest::newRow("most are the longest") << L{9, 5, 9, 9, 4} << -1 << 5 << L{5, 4} << L{9, 9, 9};
        QTest::newRow("all alike") << L{7, 7, 7} << -1 << 7 << L{7, 7, 7} << L{};
        QTest::newRow("one") << L{7} << -1 << 7 << L{7} << L{};
        QTest::newRow("none") << L{} << -1 << 0 << L{} << L{};
        QTest::newRow("without length") << L{0, 0, 1} << -1 << 0 << L{0, 0} << L{1};
        QTest::newRow("given: as long as that is quick") << L{5, 6, 7} << 6 << 6 << L{5, 6} << L{7};
        QTest::newRow("given, below all") << L{5, 6} << 1 << 1 << L{} << L{5, 6};
        QTest::newRow("given, above all") << L{5, 6} << 9 << 9 << L{5, 6} << L{};
    }
    void theyArePartedAtALength()
    {
        QFETCH(QList<int>, lengths);
        QFETCH(int, limit);
        const SplitCalls sides = splitByDuration(callsOf(lengths), limit < 0 ? std::nullopt : std::optional(Duration(limit)));
        QTEST(int(sides.limit.count()), "expected");
        QTEST(lengthsOf(sides.a), "quick");
        QTEST(lengthsOf(sides.b), "slow");
    }

    void recursionCountsOnceHoweverShort_data()
    {
        QTest::addColumn<QString>("events"); // Calls as text: "10f" enters f at 10, "20)" leaves at 20.
        QTest::addColumn<QString>("expected");
        test::addRow("of itself", "10f 12f 15) 20)", "10-20");
        test::addRow("without length where the outer one ends", "10f 20f 20) 20)", "10-20");
        test::addRow("without length where it begins", "10f 10f 10) 20)", "10-20");
        test::addRow("both without length", "10f 10f 10f 10) 10) 10) 20g 21)", "10-10");
        test::addRow("by another function", "10f 20g 20h 20f 20) 20) 20) 20)", "10-20");
        test::addRow("one after the other", "10f 20) 20f 20) 20f 30)", "10-20 20-30 20-20");
        test::addRow("after it, by another caller", "10g 10f 20) 20) 20h 20f 20) 30)", "10-20 20-20");
        test::addRow("after it, deeper", "10f 20) 20g 20h 20f 20) 20f 25) 30) 30)", "10-20 20-25 20-20");
        test::addRow("at the begin of the next one", "10f 20) 20f 20f 20) 30)", "10-20 20-30");
    }
    void recursionCountsOnceHoweverShort()
    {
        QFETCH(QString, events);
        CallScript script;
        QStringList open;
        for (const QString& event : events.split(' ')) {
            const int at = event.chopped(1).toInt();
            if (!event.endsWith(')'))
                script.call(at, 100, (open << event.last(1)).last().toUtf8().constData());
            else
                script.ret(at, 100, open.takeLast().toUtf8().constData());
        }
        script.run(100);
        Timeline timeline = *MadeTimeline::make(2);
        timeline.stores.push_back({0, script.sharedStore()});
        const auto found = helio::callsOf(timeline, *callKind(timeline, "call"), "f", {timestamp(0), timestamp(1000)},
                                          [](const Row&, std::string_view, TimeRange) { return true; });
        QStringList calls;
        for (const FunctionCall& it : found.calls)
            calls << QStringLiteral("%1-%2").arg(nanoseconds(it.range.begin)).arg(nanoseconds(it.range.end));
        QTEST(calls.join(' '), "expected");
    }

    void aSideWithoutCallsHasNoLedger()
    {
        const Breakdown breakdown = computeBreakdown(Timeline(), {callsOf({5}), {}, Duration(5)});
        QVERIFY(breakdown.lines.empty());
        QCOMPARE(breakdown.runsA, 1u);
        QCOMPARE(breakdown.runsB, 0u);
    }

    void noDifferenceOfAllCallsIsChance()
    {
        ComparedSum sum;
        sum.a = {1, 100};
        sum.b = {1, 101};
        DifferenceScale scale;
        QVERIFY(std::abs(sum.z(scale)) < NoiseZ);
        scale.isMeasured = true;
        QVERIFY(sum.z(scale) > NoiseZ);
        QCOMPARE(certaintyText(sum.z(scale)), "increase");
        std::swap(sum.a, sum.b);
        QCOMPARE(certaintyText(sum.z(scale)), "decrease");
        sum.a = sum.b;
        QVERIFY(sum.z(scale) == 0);
    }

    void timeOfWhichNobodyRecordedStatesIsUnknown()
    {
        const Breakdown breakdown = computeBreakdown(Timeline(), {callsOf({5, 8}), callsOf({20}), Duration(10)});
        QCOMPARE(breakdown.lines.size(), 1u);
        QVERIFY(breakdown.lines[0].state.meaning == StateCategory::Unknown);
        QCOMPARE(breakdown.a.count(), 6); // The mean is 6.5, truncated to whole ns.
        QCOMPARE(breakdown.b.count(), 20);
    }
};

HELIO_TEST(CallSidesTest)
#include "tst_call_sides.moc"
