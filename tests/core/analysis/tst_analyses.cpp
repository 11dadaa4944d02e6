#include "core/analysis/analyses.h"
#include "tests/support/made_analysis.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using test::MadeKind;

namespace {

std::shared_ptr<MadeKind> kindOf(std::string id, std::vector<std::string_view> needs = {}, std::vector<std::string_view> yieldsTo = {})
{
    auto kind = std::make_shared<MadeKind>();
    kind->name = std::move(id);
    kind->needed = std::move(needs);
    kind->better = std::move(yieldsTo);
    return kind;
}

} // namespace

class AnalysesTest : public QObject {
    Q_OBJECT

private slots:
    void theShelfIsThereWhole()
    {
        const auto builtin = Analyses::builtin();
        QCOMPARE(builtin->all().size(), builtinAnalyses().size());
        QVERIFY(builtin->find("kernel"));
        QVERIFY(!builtin->find("kernels"));
    }

    void kindsAreAddedAtRunTime()
    {
        Analyses analyses = *Analyses::builtin();
        QVERIFY(analyses.add(kindOf("irq-time")));
        QVERIFY(analyses.add(kindOf("irq-time-of-cpu-3")));
        QCOMPARE(analyses.all().back()->id(), std::string_view("irq-time-of-cpu-3"));
        QVERIFY(!Analyses::builtin()->find("irq-time")); // The list of built-in analyses is unchanged.
    }

    void noTwoHaveOneId()
    {
        Analyses analyses = *Analyses::builtin();
        const Status status = analyses.add(kindOf("kernel"));
        QVERIFY(!status);
        QCOMPARE(status.error().kind, Error::Kind::Unsupported);
        QVERIFY(QString::fromStdString(status.error().what).contains("\"kernel\""));
        QCOMPARE(analyses.all().size(), builtinAnalyses().size());
    }

    void whatAKindNeedsIsThereBeforeIt()
    {
        Analyses analyses;
        const Status status = analyses.add(kindOf("late", {"early"}));
        QVERIFY(!status);
        QVERIFY(QString::fromStdString(status.error().what).contains("\"early\""));
        QVERIFY(analyses.add(kindOf("early")));
        QVERIFY(analyses.add(kindOf("late", {"early"})));
    }

    void aKindRunsWhereAllThatItNeedsDoes()
    {
        Analyses analyses;
        const auto first = kindOf("first");
        QVERIFY(analyses.add(first));
        QVERIFY(analyses.add(kindOf("second", {"first"})));
        QVERIFY(analyses.add(kindOf("third", {"second"})));
        const MadeTrace trace;
        QCOMPARE(analyses.runningOn(trace), (std::vector<std::size_t>{0, 1, 2}));
        first->applies = false;
        QVERIFY(analyses.runningOn(trace).empty());
    }

    void aKindYieldsToOneThatKnowsMore()
    {
        Analyses analyses;
        const auto better = kindOf("better");
        QVERIFY(analyses.add(kindOf("modest", {}, {"better", "not there"})));
        QVERIFY(analyses.add(better));
        const MadeTrace trace;
        QCOMPARE(analyses.runningOn(trace), (std::vector<std::size_t>{1}));
        better->applies = false;
        QCOMPARE(analyses.runningOn(trace), (std::vector<std::size_t>{0}));
    }
};

HELIO_TEST(AnalysesTest)
#include "tst_analyses.moc"
