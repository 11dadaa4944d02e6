#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

KernelScript& expire(KernelScript& script, std::int64_t time, int cpu, int timer)
{
    return script.event(time, cpu, "timer_hrtimer_expire_entry", {{"hrtimer", timer}, {"now", time}, {"function", 1}});
}
KernelScript& done(KernelScript& script, std::int64_t time, int cpu, int timer)
{
    return script.event(time, cpu, "timer_hrtimer_expire_exit", {{"hrtimer", timer}});
}

} // namespace

class TimerWakeupsTest : public QObject {
    Q_OBJECT

private slots:
    void fromTheExpiryToTheSwitchOnWhicheverCpu()
    {
        KernelScript s;
        expire(s, 10, 0, 77);
        s.waking(11, 1, 6, 1); // No timer has expired on CPU 1, so that this wake-up is not caused by a timer.
        s.waking(12, 0, 5, 1);
        s.waking(13, 0, 7, 1); // Only the first thread counts: a timer wakes one thread.
        done(s, 14, 0, 77);
        expire(s, 15, 0, 88); // This timer wakes no thread.
        done(s, 16, 0, 88);
        s.waking(17, 0, 8, 0);
        s.sw(20, 1, 0, 0, 6).sw(22, 1, 6, 1, 5).sw(24, 0, 0, 0, 8).sw(26, 0, 8, 1, 7);
        const DeclaredRun run(shippedText("timer-wakeups"), s);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.segments(), "t5 10-22 tid=5;timer_cpu=0;cpu=1\n");
        QCOMPARE(run.view("timer-wakeups-rows"),
                 "CPUs\nCPUs/0 \"CPU 0\": timer runs 10-14, timer runs 15-16\nThreads\n"
                 "Threads/5 \"t5\": woken, not running yet 12-22\n");
    }

    void whoWasRunningDidNotWait()
    {
        KernelScript s;
        s.sw(5, 1, 0, 0, 5);
        expire(s, 10, 0, 77);
        s.waking(12, 0, 5, 1);
        done(s, 14, 0, 77);
        s.sw(20, 1, 5, 1, 0).sw(30, 1, 0, 0, 5);
        const DeclaredRun run(shippedText("timer-wakeups"), s);
        QCOMPARE(run.segments(), "");
        QCOMPARE(run.view("timer-wakeups-rows"),
                 "CPUs\nCPUs/0 \"CPU 0\": timer runs 10-14\nThreads\n"
                 "Threads/5 \"t5\": woken, not running yet 12-20\n");
    }

    void theTimerThatExpiredLastWakes()
    {
        KernelScript s;
        expire(s, 10, 0, 77);
        expire(s, 12, 0, 88);
        s.waking(13, 0, 6, 0);
        done(s, 14, 0, 88);
        s.waking(15, 0, 5, 0);
        done(s, 16, 0, 77);
        s.sw(20, 0, 0, 0, 5).sw(30, 0, 5, 1, 6);
        const DeclaredRun run(shippedText("timer-wakeups"), s);
        QCOMPARE(run.segments(), "t5 10-20 tid=5;timer_cpu=0;cpu=0\nt6 12-30 tid=6;timer_cpu=0;cpu=0\n");
        QCOMPARE(run.view("timer-wakeups-rows"),
                 "CPUs\nCPUs/0 \"CPU 0\": timer runs 10-16\nThreads\n"
                 "Threads/5 \"t5\": woken, not running yet 15-20\n"
                 "Threads/6 \"t6\": woken, not running yet 13-30\n");
    }

    void whatWasLostLeavesNothingBehind()
    {
        KernelScript s;
        expire(s, 10, 0, 77); // The exit event of this expiry was lost.
        s.sw(20, 0, 0, 0, 6);
        s.waking(22, 0, 5, 0);
        s.sw(24, 0, 6, 1, 5).sw(26, 0, 5, 1, 0);
        expire(s, 30, 0, 88);
        s.waking(31, 0, 5, 0);
        done(s, 32, 0, 88);
        expire(s, 40, 0, 88); // The switch-in of the woken thread was lost.
        s.waking(41, 0, 5, 0);
        done(s, 42, 0, 88);
        s.sw(50, 0, 0, 0, 5);
        const DeclaredRun run(shippedText("timer-wakeups"), s);
        QCOMPARE(run.segments(), "t5 40-50 tid=5;timer_cpu=0;cpu=0\n");
        QVERIFY(
            run.view("timer-wakeups-rows").starts_with("CPUs\nCPUs/0 \"CPU 0\": timer runs 10-20, timer runs 30-32, timer runs 40-42\n"));
    }

    // Expected values were counted in the traces' text by another program.
    void recordedWakeupsAreThose_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        test::addRow("plain", "lttng-kernel", "plain", "", "788, 908074763 ns, at most 39698886");
        test::addRow("a thread's", "lttng-kernel", "plain", "worker-3", "60, 141255662 ns, at most 39698886");
        test::addRow("ctx", "lttng-kernel", "ctx", "", "706, 588924486 ns, at most 20611321");
        test::addRow("disks", "disks", "disks", "", "2253, 563506013 ns, at most 15449842");
    }
    void recordedWakeupsAreThose()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(QString, name);
        QFETCH(QString, expected);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto store = shippedStore("timer-wakeups", path);
        QVERIFY(store);
        const std::string wanted = name.toStdString();
        QCOMPARE(described(sumOf(segmentsOf(*store), [&](const PatternSegment& it) { return wanted.empty() || it.name == wanted; })),
                 expected);
    }
};

HELIO_TEST(TimerWakeupsTest)

#include "tst_timer_wakeups.moc"
