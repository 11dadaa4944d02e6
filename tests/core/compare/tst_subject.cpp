#include "core/compare/breakdown.h"
#include "core/compare/subject.h"
#include "tests/core/compare/made_processes.h"
#include "tests/core/compare/side_breakdown.h"
#include "tests/support/perf_recording.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <cmath>

using namespace helio;

namespace {

using M = MadeProcesses;

TrackRef threadOf(const Timeline& timeline, int tid)
{
    for (const Row& row : rows(timeline, "control-flow"))
        if (row.tid == tid)
            return row.ref;
    return {};
}

/// Times in seconds of the first sample, and of the first sample with the function, from perf script's output.
std::pair<double, double> timesOfPerf(const QString& path, const QString& function)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    double first = -1;
    for (const QString& sample : QString::fromUtf8(file.readAll()).split("\n\n", Qt::SkipEmptyParts)) {
        const double time = sample.section(']', 1).section(':', 0, 0).toDouble();
        if (first < 0)
            first = time;
        if (sample.contains(' ' + function + '+'))
            return {first, time};
    }
    return {first, -1};
}

} // namespace

class SubjectTest : public QObject {
    Q_OBJECT

private slots:
    void aThreadIsComparedWhateverItsProgram()
    {
        M made;
        made.process("solver", 100, 1000, {{M::User, 500}});
        made.process("monitor", 101, 1000, {{M::User, 200}, {M::Preempted, 100}});
        const Timeline timeline = made.finish();
        const Subject solver{"solver", {}};
        const Subject monitor{"solver", threadOf(timeline, 101)};

        const auto alone = runsOf(timeline, solver, timeline.range);
        const auto other = runsOf(timeline, monitor, {M::at(1100), M::at(9000)});

        QCOMPARE(alone.at(0).leader.tid, 100);
        QCOMPARE(other.size(), std::size_t(1));
        QCOMPARE(other[0].leader.tid, 101);
        QCOMPARE(other[0].range, (TimeRange{M::at(1100), M::at(1300)}));
        QVERIFY(!other[0].isWhole);
        QVERIFY(runsOf(timeline, monitor, {M::at(2000), M::at(9000)}).empty());
        const Breakdown breakdown = breakdownOfSides(timeline, alone, timeline, other);
        QCOMPARE(breakdown.a, Duration(500));
        QCOMPARE(breakdown.b, Duration(200));
    }

    void theBusiestProgramIsKnownFromSamplesToo()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        const PerfRecording recorded("parallel4");
        const auto all = programs(*recorded.timeline, recorded.timeline->range);
        QCOMPARE(all.front().name, "matinit");
        QCOMPARE(all.front().runs, 4u);
        QVERIFY(all.front().busy > Duration(18'000'000'000)); // About 2 × 9.2 s, because the program was busy on two CPUs for 9.2 s.
        QVERIFY(all.front().busy < Duration(18'400'000'000));
    }

    void allThreadsOfAProgramCount()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        const auto all = programs(*timeline, timeline->range);
        QCOMPARE(all.front().name, "mixwork"); // The time of all threads counts, because the first one sleeps.
    }

    void withoutRunsNoSamplePasses()
    {
        const SampleFilter none = samplesOf(M().finish(), {"solver", {}}, {});
        QCOMPARE(none.ranges.size(), std::size_t(1));
        QVERIFY(none.ranges[0].isEmpty());
    }

    void theFirstSampleInAFunctionIsPerfs_data()
    {
        QTest::addColumn<QString>("function");
        QTest::newRow("solo initprm_") << "initprm_";
        QTest::newRow("solo kvdw_") << "kvdw_";
        QTest::newRow("parallel4 initprm_") << "initprm_";
    }
    void theFirstSampleInAFunctionIsPerfs()
    {
        HELIO_REQUIRE_TRACE(folder, PerfRecording::Collection);
        QFETCH(QString, function);
        const QString name = QString(QTest::currentDataTag()).section(' ', 0, 0);
        const PerfRecording recorded(name);
        const Timeline& timeline = *recorded.timeline;
        const auto first = findFirstSample(timeline, function.toStdString(), {});
        const auto [ofAll, ofFunction] = timesOfPerf(folder + "/text/" + name + ".script.txt", function);
        QVERIFY(first);
        QVERIFY(ofFunction > 0);

        const StackProfile all = collectStacks(timeline, {});
        QVERIFY(std::abs(double((*first - all.range.begin).count()) / 1e9 - (ofFunction - ofAll)) < 2e-6);
        QVERIFY(!findFirstSample(timeline, "no such function", {}));
        SampleFilter emptyFilter;
        emptyFilter.ranges.emplace_back();
        QVERIFY(!findFirstSample(timeline, function.toStdString(), emptyFilter));
    }
};

HELIO_TEST(SubjectTest)
#include "tst_subject.moc"
