// The dialog that compares the slow calls of a function with its quick ones.

#include "core/experiment/experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"
#include "widgets/compare/calls/call_comparison.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

using namespace helio;

namespace {

/// The program that was recorded, with its symbols.
std::shared_ptr<const Timeline> opened(const QString& trace, const QTemporaryDir& stores)
{
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    options.symbols.directories = {realTrace("ust-callstack", "bin").toStdString()};
    auto experiment = Experiment::open({trace.toStdString()}, options);
    if (!experiment)
        qFatal("%s", experiment.error().what.c_str());
    (*experiment)->start();
    if (!(*experiment)->wait())
        qFatal("not read");
    return (*experiment)->timeline();
}

SampledFunction functionOf(const std::string& name)
{
    SampledFunction function;
    function.name = name;
    return function;
}

} // namespace

class CallComparisonTest : public QObject {
    Q_OBJECT

private slots:
    void theCallsArePartedWhereThePersonWants()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = opened(trace, stores);
        auto* dialog = new CallComparison(timeline, "call", functionOf("app::request"), {});
        QSignalSpy answers(dialog, &CallComparison::answered);
        dialog->show();
        QVERIFY(answers.wait());
        QCOMPARE(dialog->ledger().runsA + dialog->ledger().runsB, 30u);
        QVERIFY2(dialog->headline().startsWith("A: 15 calls"), qPrintable(dialog->headline()));
        auto* functions = dialog->findChild<QTreeWidget*>();
        QVERIFY(functions->topLevelItemCount() > 10);
        QCOMPARE(functions->topLevelItem(0)->text(0), "app::critical_section");
        Duration sumA{}, sumB{};
        for (const LedgerLine& line : dialog->ledger().lines) {
            sumA += line.a;
            sumB += line.b;
        }
        QVERIFY(sumA == dialog->ledger().a && sumB == dialog->ledger().b && sumA < sumB);

        auto* limit = dialog->findChild<QLineEdit*>();
        limit->setText("1ns");
        QTest::keyClick(limit, Qt::Key_Return);
        QVERIFY(answers.wait());
        QVERIFY(dialog->ledger().lines.empty());
        QVERIFY2(dialog->headline().startsWith("All 30 calls"), qPrintable(dialog->headline()));
        QCOMPARE(functions->topLevelItemCount(), 0);

        limit->setText("soon");
        QTest::keyClick(limit, Qt::Key_Return);
        QVERIFY2(dialog->headline().contains("is no length"), qPrintable(dialog->headline()));
        delete dialog;
    }

    void ofARangeOnlyItsCallsAreCompared()
    {
        HELIO_REQUIRE_TRACE(trace, "ust-callstack", "callstack-fast");
        const QTemporaryDir stores;
        const auto timeline = opened(trace, stores);
        const auto kind = callKind(*timeline, "call");
        const auto all = [](const Row&, std::string_view, TimeRange) { return true; };
        const auto calls = callsOf(*timeline, *kind, "app::request", {Timestamp::min(), Timestamp::max()}, all).calls;
        QCOMPARE(calls.size(), 30u);
        auto* dialog = new CallComparison(timeline, kind->segments, functionOf("app::request"), calls[3].range);
        QSignalSpy answers(dialog, &CallComparison::answered);
        QVERIFY(answers.wait());
        const auto inside = std::ranges::count_if(
            calls, [&](const FunctionCall& it) { return it.range.begin >= calls[3].range.begin && it.range.end <= calls[3].range.end; });
        QVERIFY(inside > 1 && inside < 30); // Other threads worked on requests of theirs meanwhile.
        QCOMPARE(qint64(dialog->ledger().runsA + dialog->ledger().runsB), qint64(inside));
        delete dialog;
    }
};

HELIO_TEST(CallComparisonTest)
#include "tst_call_comparison.moc"
