// Compares the kernel analysis of fixtures with several hosts with reference numbers that were computed from babeltrace2's text output.

#include "tests/support/test_program.h"
#include "thread_times.h"

#include <QTest>

using namespace helio;
using helio::test::KernelRun;
using helio::test::offCpu;
using helio::test::runKernel;

namespace {

QString fixture(const QString& below) { return QStringLiteral(SOURCE_DIR "/tests/fixtures/") + below; }

double milliseconds(Duration duration) { return static_cast<double>(duration.count()) / 1e6; }

/// Key of the row of the thread that ran on a CPU at a time.
std::string threadOn(const KernelRun& run, int cpu, HostTimestamp time)
{
    const int row = run.find("cpu:" + std::to_string(cpu) + "/thread");
    const auto found = row < 0 ? std::vector<HostInterval>() : run.store->intervalAt(static_cast<TrackId>(row), time);
    return found.size() == 1 && run.state(static_cast<std::size_t>(row), found[0]) == "running" ? run.track(found[0].value).key : "";
}

} // namespace

class KernelFixturesTest : public QObject {
    Q_OBJECT
private slots:
    void runningTimesAndSwitchInsEqualTheReference_data()
    {
        QTest::addColumn<QString>("trace");
        for (const char* trace : {"two-hosts-small/web", "two-hosts-small/db", "host-guest-small/host", "host-guest-small/guestA"})
            QTest::newRow(trace) << trace;
    }
    void runningTimesAndSwitchInsEqualTheReference()
    {
        QFETCH(QString, trace);
        const test::Times expected = test::referenceTimes(fixture(trace + ".stats.txt"));
        QVERIFY(expected.size() >= 4);
        QCOMPARE(test::describe(test::timesOf(runKernel(fixture(trace)))), test::describe(expected));
    }

    void theGuestsVirtualCpuWaitedWhileTheOtherGuestsRan()
    {
        const KernelRun run = runKernel(fixture("host-guest-small/host"));
        const int vcpu = run.find("tid:192");
        QVERIFY(vcpu >= 0);
        const test::OffCpu preempted = offCpu(run, static_cast<std::size_t>(vcpu))["preempted"];

        QCOMPARE(QString::number(milliseconds(preempted.longest), 'f', 3), QString("53.751"));
        const Duration longest = preempted.longest;
        const auto intervals = run.intervals(static_cast<std::size_t>(vcpu));
        const auto wait = std::ranges::find_if(intervals, [&](const HostInterval& it) { return it.range.duration() == longest; });
        QVERIFY(wait != intervals.end());
        QCOMPARE(threadOn(run, 1, wait->range.begin + longest / 2), std::string("tid:191"));
    }

    /// Property: the guest's trace does not show steal time. While the guest has no CPU for 57.8 ms, its thread seems to compute without
    /// interruption.
    void theGuestSeesALongStepInstead()
    {
        const KernelRun run = runKernel(fixture("host-guest-small/guestA"));
        const int thread = run.find("tid:174");
        QVERIFY(thread >= 0);
        Duration longest{};
        for (const HostInterval& interval : run.intervals(static_cast<std::size_t>(thread))) {
            if (run.state(static_cast<std::size_t>(thread), interval) == "running-user")
                longest = std::max(longest, interval.range.duration());
        }
        // Expected: 57.8 ms between two readings of the clock, according to the program's log.
        QVERIFY2(longest > Duration(57'500'000) && longest < Duration(58'500'000), qPrintable(QString::number(milliseconds(longest))));
    }
};

HELIO_TEST(KernelFixturesTest)
#include "tst_kernel_fixtures.moc"
