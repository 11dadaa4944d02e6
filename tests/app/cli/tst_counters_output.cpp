#include "app/cli/commands/counter_lines.h"
#include "app/cli/selection/row_selection.h"
#include "tests/app/cli/program.h"
#include "tests/support/made_counters.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes two series of doubles in the view "load": "level" without a row and "cpu:0/load" of a CPU.
std::shared_ptr<const Timeline> timeline()
{
    return withCounters([](StoreBuilder& builder) {
        addSeries(builder, "level", {{1000, 5}, {1500, 5}, {2000, -7}, {2000, 9}, {3000, 9}});
        Track track;
        track.view = "resources";
        track.key = "cpu:0";
        track.label = "CPU 0";
        track.cpu = 0;
        track.states = *builder.stateSet(statesNamed("cpu", {"unknown"}));
        const TrackId cpu = builder.addTrack(track);
        builder.set(hostTime(0), cpu, State{0});
        const auto load =
            *builder.counters().addSeries({"load", "cpu:0/load", "Load", "", CounterSeries::Kind::Gauge, CounterNumber::Real, cpu});
        builder.counters().addReal(load, hostTime(500), 0.1);
        builder.counters().addReal(load, hostTime(2500), 1.0 / 3);
    });
}

QByteArray written(const CountersOptions& options, TimeRange window = {Timestamp(Duration(0)), Timestamp(Duration(10'000))})
{
    Output output;
    const std::vector<std::string> views{"load"};
    {
        TableWriter table(output, options.table.format.output, CounterColumnNames, TimeStyle());
        writeCounters(options, *timeline(), views, window, table);
    }
    return QByteArray::fromStdString(std::exchange(output.buffer(), {})).replace("\r", "");
}

CountersOptions csv()
{
    CountersOptions options;
    options.table.format.output = OutputFormat::Csv;
    return options;
}

TimeRange ns(std::int64_t begin, std::int64_t end) { return {Timestamp(Duration(begin)), Timestamp(Duration(end))}; }

} // namespace

class CountersOutputTest : public QObject {
    Q_OBJECT

private slots:
    void aLineIsAChange()
    {
        QCOMPARE(written(csv()),
                 "time_ns,trace,row,series,value\n"
                 "1000,0,,level,5\n2000,0,,level,-7\n2000,0,,level,9\n"
                 "500,0,cpu:0,cpu:0/load,0.1\n2500,0,cpu:0,cpu:0/load,0.3333333333333333\n");
    }

    void aWindowHasTheChangesInIt()
    {
        // The output has no lines, because the value is 5 throughout this range.
        QCOMPARE(written(csv(), ns(1200, 2000)), "time_ns,trace,row,series,value\n");
        QCOMPARE(written(csv(), ns(2000, 2001)), "time_ns,trace,row,series,value\n2000,0,,level,-7\n2000,0,,level,9\n");
    }

    void stepsSampleEvenly()
    {
        CountersOptions options = csv();
        options.step = Duration(400);
        options.table.selection.row = "level";
        QCOMPARE(written(options, ns(300, 2400)), // The first value is recorded at 1000 ns, so the first step with a value is at 1100 ns.
                 "time_ns,trace,row,series,value\n1100,0,,level,5\n1500,0,,level,5\n1900,0,,level,5\n2300,0,,level,9\n");
        options.step = Duration(500);
        QCOMPARE(written(options, ns(0, 2001)), "time_ns,trace,row,series,value\n1000,0,,level,5\n1500,0,,level,5\n2000,0,,level,9\n");
        options.step = Duration(INT64_MAX);
        QCOMPARE(written(options, ns(0, 4000)), "time_ns,trace,row,series,value\n");
        QCOMPARE(written(options, ns(1000, 4000)), "time_ns,trace,row,series,value\n1000,0,,level,5\n");
    }

    void rowsAndSeriesAreChosenAsByOtherCommands()
    {
        CountersOptions options = csv();
        options.table.selection.cpu = 0;
        QVERIFY(!written(options).contains("level") && written(options).contains("cpu:0/load"));
        options = csv();
        options.table.selection.row = "cpu:0/*"; // The pattern matches the id of the series.
        QVERIFY(!written(options).contains("level") && written(options).contains("cpu:0/load"));
        options.table.selection.row = "CPU 0"; // Selects by the label of the series' row.
        QVERIFY(!written(options).contains("level") && written(options).contains("cpu:0/load"));
        options.table.selection.row = "Title of *";
        QVERIFY(written(options).contains("level") && !written(options).contains("cpu:0/load"));
        options.table.selection.row.clear();
        options.table.selection.host = "elsewhere";
        QVERIFY(!written(options).contains("level"));
    }

    void jsonHasNumbers()
    {
        CountersOptions options;
        options.table.format.output = OutputFormat::Json;
        const QByteArray lines = written(options);
        QVERIFY(lines.contains(R"({"time_ns":2000,"trace":0,"row":"","series":"level","value":-7})"));
        QVERIFY(lines.contains(R"("series":"cpu:0/load","value":0.3333333333333333})"));
    }

    void aViewThatIsNotOfCountersIsWrongUsage()
    {
        for (const char* view : {"control-flow", "nothing"}) {
            const ProgramResult answer = heliograph({"counters", sampleTrace(), "--view", view, "--quiet"});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("there is no view of counters \"" + QByteArray(view) + "\" here; there are: "), answer.err);
        }
        const auto views = findRequestedViews("control-flow", *timeline(), TrackView::Shape::Curves);
        QVERIFY(!views && views.error().what.find(", load") != std::string::npos);
        QVERIFY(bool(findRequestedViews("load", *timeline(), TrackView::Shape::Curves)));
    }

    void aStepIsADuration()
    {
        for (const char* step : {"0", "ten", "-5ms"}) {
            const ProgramResult answer = heliograph({"counters", sampleTrace(), "--view", "x", QString("--step=") + step, "--quiet"});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("--step"), answer.err);
        }
    }
};

HELIO_TEST(CountersOutputTest)
#include "tst_counters_output.moc"
