// Which calls of a function are its slow ones.

#include "core/compare/call_sides.h"
#include "core/compare/difference_text.h"
#include "core/experiment/timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <utility>

using namespace helio;

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
        QTest::addColumn<int>("limit"); // -1: none.
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
        const CallSides sides = partedByLength(callsOf(lengths), limit < 0 ? std::nullopt : std::optional(Duration(limit)));
        QTEST(int(sides.limit.count()), "expected");
        QTEST(lengthsOf(sides.a), "quick");
        QTEST(lengthsOf(sides.b), "slow");
    }

    void aSideWithoutCallsHasNoLedger()
    {
        const Ledger ledger = whySlower(Timeline(), {callsOf({5}), {}, Duration(5)});
        QVERIFY(ledger.lines.empty());
        QCOMPARE(ledger.runsA, 1u);
        QCOMPARE(ledger.runsB, 0u);
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
        QCOMPARE(certaintyText(sum.z(scale)), "surely more");
        std::swap(sum.a, sum.b);
        QCOMPARE(certaintyText(sum.z(scale)), "surely less");
        sum.a = sum.b;
        QVERIFY(sum.z(scale) == 0);
    }

    void timeOfWhichNobodyRecordedStatesIsUnknown()
    {
        const Ledger ledger = whySlower(Timeline(), {callsOf({5, 8}), callsOf({20}), Duration(10)});
        QCOMPARE(ledger.lines.size(), 1u);
        QVERIFY(ledger.lines[0].state.meaning == Meaning::Unknown);
        QCOMPARE(ledger.a.count(), 6); // 6.5, in whole ns.
        QCOMPARE(ledger.b.count(), 20);
    }
};

HELIO_TEST(CallSidesTest)
#include "tst_call_sides.moc"
