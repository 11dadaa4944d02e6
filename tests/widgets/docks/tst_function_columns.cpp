// Tests the columns that the Functions dock shows for calls, and the call to which a line leads.

#include "core/profiling/samples/sample_stacks.h"
#include "tests/core/analyses/calls/call_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/docks/functions/function_model.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

class FunctionColumnsTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Timeline> m_timeline;

    std::shared_ptr<const FunctionLines> lines(TimeRange range, const FunctionChoices& choices = {}, const char* kind = "call") const
    {
        CollectedSamples shown;
        shown.timeline = m_timeline;
        shown.filter.kinds = {kind};
        shown.filter.ranges = {range};
        shown.profile = std::make_shared<const StackProfile>(collectStacks(*m_timeline, shown.filter));
        shown.names = std::make_shared<const StackNames>(nameStacks(*shown.profile, *m_timeline));
        return std::make_shared<const FunctionLines>(FunctionLinesCache().list(shown, choices, WeightBy::Weight, true, {}));
    }

    static void show(FunctionModel& model, std::shared_ptr<const FunctionLines> lines)
    {
        auto rows = FunctionModel::arrangeRows(*lines, model.order(), {});
        model.setLines(std::move(lines), std::move(rows));
    }

    /// Cells of a function's line as text: "calls; total, min, mean, p50, p99, max, CPU".
    static QString textOf(const FunctionModel& model, const char* function)
    {
        const int row = model.find({function, "prog.py"});
        const auto text = [&](int column) { return model.index(row, column).data().toString().replace(QChar(0x2009), u' '); };
        QStringList texts;
        for (int column = FunctionModel::TotalTime; column <= FunctionModel::OnCpu; ++column)
            texts << text(column);
        return row < 0 ? QString() : text(FunctionModel::Samples) + "; " + texts.join(", ");
    }

private slots:
    /// Input: the function work() runs for 300, 100 and 50 ns. Its thread has a CPU for 250 ns of every 400 ns, first from 150 to 400 ns.
    void initTestCase()
    {
        CallScript script;
        script.call(100, 100, "main").call(200, 100, "work").ret(500, 100, "work").call(600, 100, "work").ret(700, 100, "work");
        script.call(760, 100, "work").ret(810, 100, "work").ret(1000, 100, "main");
        script.run(4000);
        auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(2));
        timeline->stores.push_back({0, script.sharedStore()});
        m_timeline = timeline;
    }

    void columnsOfCallsAreThoseOfTheRange()
    {
        FunctionModel model;
        show(model, lines({timestamp(0), timestamp(4000)}));
        QCOMPARE(textOf(model, "work"), "3; 450 ns, 50 ns, 150 ns, 100 ns, 300 ns, 300 ns, 340 ns");
        QCOMPARE(textOf(model, "main"), "1; 900 ns, 900 ns, 900 ns, 900 ns, 900 ns, 900 ns, 550 ns");
        // The first call of work begins before the range: its part in the range counts in the total, but its duration is not measured.
        show(model, lines({timestamp(400), timestamp(900)}));
        QCOMPARE(textOf(model, "work"), "3; 250 ns, 50 ns, 75 ns, 50 ns, 100 ns, 100 ns, 140 ns");
        QCOMPARE(textOf(model, "main"), "1; 500 ns, , , , , , ");
    }

    void besideTimeOnACpuLengthsAreSaidToBeOfWallTime()
    {
        FunctionModel model;
        const auto titles = [&] {
            QStringList titles;
            for (int column = FunctionModel::TotalTime; column <= FunctionModel::OnCpu; ++column)
                titles << model.headerData(column, Qt::Horizontal).toString();
            return titles.join("; ");
        };
        show(model, lines({timestamp(0), timestamp(4000)}));
        QCOMPARE(titles(), "Total time; Min; Mean; p50; p99; Max; CPU time");
        show(model, lines({timestamp(0), timestamp(4000)}, {}, "call:cpu"));
        QCOMPARE(titles(), "Total time; Min, wall; Mean, wall; p50, wall; p99, wall; Max, wall; CPU time");
        QCOMPARE(textOf(model, "work"), "3; 340 ns, 50 ns, 150 ns, 100 ns, 300 ns, 300 ns, 340 ns");
    }

    void aLineLeadsToItsLongestCall()
    {
        FunctionModel model;
        show(model, lines({timestamp(0), timestamp(4000)}));
        const Segment* longest = model.findLongestCall(model.find({"work", "prog.py"}));
        QVERIFY(longest);
        QCOMPARE(longest->range, TimeRange({timestamp(200), timestamp(500)}));
        show(model, lines({timestamp(400), timestamp(900)}));
        QCOMPARE(model.findLongestCall(model.find({"work", "prog.py"}))->range, TimeRange({timestamp(600), timestamp(700)}));
        QVERIFY(!model.findLongestCall(model.find({"main", "prog.py"})));
    }

    void theyCanBeSortedBy()
    {
        FunctionModel model;
        show(model, lines({timestamp(0), timestamp(4000)}));
        for (const auto& [column, first] : {std::pair(FunctionModel::Least, "main"), std::pair(FunctionModel::OnCpu, "main")}) {
            model.sort(column, Qt::DescendingOrder);
            show(model, model.lines());
            QCOMPARE(model.functionOf(0).name, std::string(first));
            model.sort(column, Qt::AscendingOrder);
            show(model, model.lines());
            QCOMPARE(model.functionOf(0).name, std::string("work"));
        }
    }

    void linesOfSomethingElseHaveNone()
    {
        FunctionChoices choices;
        choices.byThread = true;
        QVERIFY(lines({timestamp(0), timestamp(4000)}, choices)->lengths.empty());
        choices = {};
        choices.group = FunctionGroup::Module;
        QVERIFY(lines({timestamp(0), timestamp(4000)}, choices)->lengths.empty());
    }
};

HELIO_TEST(FunctionColumnsTest)
#include "tst_function_columns.moc"
