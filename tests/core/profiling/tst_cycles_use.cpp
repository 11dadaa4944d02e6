// Running times of threads, computed from cycles that were sampled at a frequency (perf record's default).

#include "core/experiment/experiment.h"
#include "core/experiment/timeline.h"
#include "core/profiling/samples/sampled_code.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "tests/support/perf_builder.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

constexpr std::uint32_t Hardware = 0;
constexpr std::uint64_t Cycles = 0, Instructions = 1;
constexpr std::uint64_t IsFrequency = 1ull << 10;

/// A recording of two threads: the first is sampled each ms during the first half second, with varying cycles; the second once at the
/// end.
class Recorded {
public:
    Recorded(std::uint64_t config, std::uint64_t flags)
        : Recorded(oneEvent(config, flags))
    {
    }
    explicit Recorded(const MadePerfData& made)
    {
        QFile file(m_folder.filePath("cycles.data"));
        if (!file.open(QIODevice::WriteOnly) || file.write(made.file()) <= 0)
            qFatal("cannot write");
        file.close();
        ExperimentOptions options;
        options.storeDirectory = m_folder.filePath("stores").toStdString();
        m_experiment = std::move(*Experiment::open({file.fileName().toStdString()}, options));
        m_experiment->start();
        if (!m_experiment->wait())
            qFatal("cannot be read");
        timeline = m_experiment->timeline();
    }

    TrackRef thread() const
    {
        for (const Row& row : rows(*timeline, "control-flow"))
            if (row.tid == 11)
                return row.ref;
        return {};
    }
    TimeRange range() const { return {timestamp(0), timestamp(1'000'000'000)}; }

    std::shared_ptr<const Timeline> timeline;

private:
    static MadePerfData oneEvent(std::uint64_t config, std::uint64_t flags)
    {
        MadePerfData made;
        MadeAttribute attribute;
        attribute.type = Hardware;
        attribute.config = config;
        attribute.period = 1000;
        attribute.flags |= flags;
        made.addAttribute(attribute);
        for (std::uint64_t i = 1; i <= 500; ++i)
            made.addSample(0x401000, 10, 11, i * 1'000'000, 0, 3'000'000 + 1000 * i);
        made.addSample(0x401000, 20, 20, 1'000'000'000, 0, 3'000'000);
        return made;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<Experiment> m_experiment;
};

} // namespace

class CyclesUseTest : public QObject {
    Q_OBJECT

private slots:
    void eachStandsForTheTimeBetweenTwo()
    {
        const Recorded recorded(Cycles, IsFrequency);
        QVERIFY(recorded.thread().isValid());

        const EstimatedCpuTime use = EstimatedCpuTimes(*recorded.timeline, recorded.range()).of(recorded.thread());

        QCOMPARE(use.samples, 500u);
        // 500 samples with 1 ms between two. The time on a CPU does not depend on the number of cycles.
        QCOMPARE(use.onCpu(), Duration(500'000'000));
        QCOMPARE(samplePeriod(*recorded.timeline, 0), Duration(1'000'000));
        const TrackRef thread = recorded.thread();
        // The share refers to the recorded time; the range is a little longer.
        const TimeRange covered = recorded.timeline->range;
        QCOMPARE(busyShares(*recorded.timeline, std::span(&thread, 1), recorded.range()).front().second.share,
                 5e8 / double(covered.duration().count()));
    }

    void whatIsSampledByPeriodOrCountsSomethingElseShowsNoTime_data()
    {
        QTest::addColumn<quint64>("config");
        QTest::addColumn<quint64>("flags");
        QTest::newRow("by period") << quint64(Cycles) << quint64(0);
        QTest::newRow("instructions") << quint64(Instructions) << quint64(IsFrequency);
    }
    void whatIsSampledByPeriodOrCountsSomethingElseShowsNoTime()
    {
        QFETCH(quint64, config);
        QFETCH(quint64, flags);
        const Recorded recorded(config, flags);

        QCOMPARE(EstimatedCpuTimes(*recorded.timeline, recorded.range()).of(recorded.thread()).samples, 0u);
        QCOMPARE(samplePeriod(*recorded.timeline, 0), Duration(0));
    }

    void otherEventsAndIdleCpusAreNoTime()
    {
        constexpr std::uint64_t HasIdentifier = 1 << 16;
        MadePerfData made;
        for (const std::uint64_t config : {Instructions, Cycles}) {
            MadeAttribute attribute;
            attribute.type = Hardware;
            attribute.config = config;
            attribute.period = 1000;
            attribute.flags |= IsFrequency;
            attribute.sampleType |= HasIdentifier;
            attribute.ids = {100 + config};
            made.addAttribute(attribute);
        }
        const auto add = [&](std::uint64_t config, std::uint32_t tid, std::uint64_t ms) {
            made.add(9, 2, made.make().u64(100 + config).u64(0x401000 + config).u32(tid).u32(tid).u64(ms * 1'000'000).u32(0).u32(0).u64(7));
        };
        for (std::uint64_t ms = 1; ms <= 100; ++ms) {
            add(Instructions, 11, ms);
            add(Cycles, 11, ms);
            add(Cycles, 0, ms + 100); // A sample of the idle thread.
        }
        const Recorded recorded(made);
        const Timeline& timeline = *recorded.timeline;

        const SampleCounts thread = sampleCounts(timeline, recorded.thread(), recorded.range());
        QCOMPARE(thread.user, 100u);
        QCOMPARE(thread.otherEvents, 100u);
        QCOMPARE(EstimatedCpuTimes(timeline, recorded.range()).of(recorded.thread()).onCpu(), Duration(100'000'000));
        for (const Row& row : rows(timeline, "resources"))
            if (row.kind == "cpu")
                QCOMPARE(sampleCounts(timeline, row.ref, recorded.range()).user, 100u);
        const auto nearest = nearestSample(timeline, recorded.thread(), timestamp(50'200'000));
        QVERIFY(nearest && nearest->isRead);
        QCOMPARE(nearest->time, timestamp(50'000'000));
        QCOMPARE(nearest->stack.size(), std::size_t(1));
        QCOMPARE(nearest->mode, CodeMode::User);
    }

    void theOverviewShowsIt()
    {
        const Recorded recorded(Cycles, IsFrequency);
        const auto use = cpuUtilization(*recorded.timeline, 0, recorded.range(), 2);
        QVERIFY2(use[0].user > 0.49f, qPrintable(QString::number(use[0].user)));
        QVERIFY(use[1].user < 0.01f);
    }
};

HELIO_TEST(CyclesUseTest)
#include "tst_cycles_use.moc"
