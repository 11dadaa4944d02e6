// The dialog that compares the slow calls of a function with its fast ones.

#include "core/profiling/calls/call_names.h"
#include "tests/support/opened_calls.h"
#include "tests/support/test_program.h"
#include "widgets/compare/calls/call_comparison.h"
#include "widgets/compare/calls/call_difference_view.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>

using namespace helio;

namespace {

SampledFunction functionOf(const std::shared_ptr<const Timeline>& timeline, const std::string& name)
{
    const CallNames names(*timeline);
    const auto found = std::ranges::find(names.functions(), name, &SampledFunction::name);
    return found == names.functions().end() ? SampledFunction() : *found;
}

} // namespace

class CallComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void theCallsArePartedWhereThePersonWants()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = test::openedCalls(trace, stores);
        auto* dialog = new CallComparison(timeline, "call", functionOf(timeline, "app::request"), {});
        QSignalSpy answers(dialog, &CallComparison::answered);
        dialog->show();
        QVERIFY(answers.wait());
        QCOMPARE(dialog->breakdown().runsA + dialog->breakdown().runsB, 30u);
        QVERIFY2(dialog->headline().startsWith("app::request: 15 calls of up to "), qPrintable(dialog->headline()));
        QVERIFY2(dialog->headline().endsWith(" (A), 15 calls that are longer (B)"), qPrintable(dialog->headline()));
        QCOMPARE(dialog->detail().count("ms "), 2); // The text of the dialog shows the times of both sides in ms.
        QVERIFY2(dialog->detail().endsWith("All recorded calls."), qPrintable(dialog->detail()));
        auto* functions = dialog->findChild<QTreeWidget*>();
        QVERIFY(functions->topLevelItemCount() > 10);
        QCOMPARE(functions->topLevelItem(0)->text(0), "app::critical_section");
        Duration sumA{}, sumB{};
        for (const BreakdownLine& line : dialog->breakdown().lines) {
            sumA += line.a;
            sumB += line.b;
        }
        QVERIFY(sumA == dialog->breakdown().a && sumB == dialog->breakdown().b && sumA < sumB);

        auto* limit = dialog->findChild<QLineEdit*>();
        limit->setText("1ns");
        QTest::keyClick(limit, Qt::Key_Return);
        QVERIFY(answers.wait());
        QVERIFY(dialog->breakdown().lines.empty());
        QVERIFY2(dialog->headline().startsWith("app::request: all 30 calls"), qPrintable(dialog->headline()));
        QCOMPARE(dialog->detail(), QString());
        QCOMPARE(functions->topLevelItemCount(), 0);

        limit->setText("soon");
        QTest::keyClick(limit, Qt::Key_Return);
        QVERIFY2(dialog->headline().contains("is not a duration"), qPrintable(dialog->headline()));
        delete dialog;
    }

    /// Property: the flame graph below the function shows the mean wall time of its calls, and its frames add up to the breakdown.
    void theFlameGraphIsOfTheSameTimes()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = test::openedCalls(trace, stores);
        auto* dialog = new CallComparison(timeline, "call", functionOf(timeline, "app::request"), {});
        QSignalSpy answers(dialog, &CallComparison::answered);
        dialog->show();
        QVERIFY(answers.wait());
        auto* flame = dialog->findChild<CallDifferenceView*>();
        QTRY_VERIFY(flame->graph().content().tree);
        const DifferenceTree& tree = *flame->shown().graph;
        const auto isMean = [](double ns, Duration mean) { return std::abs(ns - double(mean.count())) < 1; }; // Means are in whole ns.
        QVERIFY(isMean(tree.whole.scaledA(tree.scale), dialog->breakdown().a));
        QVERIFY(isMean(tree.whole.scaledB(tree.scale), dialog->breakdown().b));
        QCOMPARE(tree.childrenOf(0).size(), std::size_t(1));
        QCOMPARE(tree.functions[std::size_t(tree.childrenOf(0)[0].function)].name, "app::request");
        QVERIFY(tree.nodes.size() > 5);
        flame->search("app::critical_section");
        QVERIFY2(flame->found().contains("% of A"), qPrintable(flame->found()));
        delete dialog;
    }

    void ofARangeOnlyItsCallsAreCompared()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = test::openedCalls(trace, stores);
        const auto kind = callKind(*timeline, "call");
        const auto all = [](const Row&, std::string_view, TimeRange) { return true; };
        const auto calls = callsOf(*timeline, *kind, "app::request", {Timestamp::min(), Timestamp::max()}, all).calls;
        QCOMPARE(calls.size(), 30u);
        auto* dialog = new CallComparison(timeline, kind->segments, functionOf(timeline, "app::request"), calls[3].range);
        QSignalSpy answers(dialog, &CallComparison::answered);
        QVERIFY(answers.wait());
        const auto inside = std::ranges::count_if(
            calls, [&](const FunctionCall& it) { return it.range.begin >= calls[3].range.begin && it.range.end <= calls[3].range.end; });
        // Some calls lie outside the selected call's range, because other threads worked on other requests.
        QVERIFY(inside > 1 && inside < 30);
        QCOMPARE(qint64(dialog->breakdown().runsA + dialog->breakdown().runsB), qint64(inside));
        delete dialog;
    }
};

HELIO_TEST(CallComparisonTest)
#include "tst_call_comparison.moc"
