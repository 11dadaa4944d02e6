// The futex analysis. Input: synthetic futex calls. Results: waits and how they ended.

#include "core/analysis/analyses.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/core/analyses/locks/lock_lines.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

enum Op : int {
    Wait = 0,
    Wake = 1,
    Requeue = 3,
    CmpRequeue = 4,
    WakeOp = 5,
    LockPi = 6,
    UnlockPi = 7,
    TryLockPi = 8,
    WaitBitset = 9,
    WaitRequeuePi = 11,
    CmpRequeuePi = 12,
    LockPi2 = 13,
    Private = 128,
    UntilATimeOfDay = 256
};

/// A script in which threads 1, 2 and 4 belong to process 1, and thread 3 to process 3. Thread N always runs on CPU N.
class FutexScript : public KernelScript {
public:
    FutexScript()
    {
        dump(1, 1, 1, 0, 0, 5).dump(1, 2, 1, 0, 0, 5).dump(1, 4, 1, 0, 0, 5).dump(1, 3, 3, 0, 0, 5);
        for (int thread = 1; thread <= 4; ++thread)
            sw(2, thread, 0, 0, thread);
    }

    /// `count`: argument "val"; by default the value of a contended mutex for waits, and one thread for wakes.
    FutexScript& enter(std::int64_t at, int thread, int op, std::int64_t address = 0x40, std::int64_t second = 0, int count = -1)
    {
        const int plain = op & ~(Private | UntilATimeOfDay);
        if (count < 0)
            count = plain == Wait || plain == WaitBitset || plain == WaitRequeuePi ? 2 : 1;
        event(at, thread, "syscall_entry_futex", {{"uaddr", address}, {"op", op}, {"val", count}, {"uaddr2", second}});
        return *this;
    }
    FutexScript& leave(std::int64_t at, int thread, int ret = 0)
    {
        event(at, thread, "syscall_exit_futex", {{"ret", ret}});
        return *this;
    }
    void runFutexes(std::int64_t end) { run(end, Gaps::ReportedAtBegin, analysisOf("futexes")); }
    QString segments() const { return segmentLines(*this); }
    QString rows() const { return rowLines(*this); }
};

#define COMPARE_LINES(actual, ...) QCOMPARE((actual).split('\n'), QStringList({__VA_ARGS__}))

} // namespace

class FutexesTest : public QObject {
    Q_OBJECT

private slots:
    void aWaitEndsByAWake()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(20, 2, Wake | Private).leave(21, 2, 1).leave(25, 1);
        s.runFutexes(30);
        COMPARE_LINES(s.segments(),
                      "lock 0x40 futex of t1 (1) 10-25 on futex:1/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t2 (2)");
        COMPARE_LINES(s.rows(), "futex:1/0x40/tid:1: waits(t2 (2)) 10-25", "futex:1/0x40: waited-for(1) 10-25");
    }

    /// Property: only a wait for a lock is shown as contention, not a wait for a condition or for the end of a thread. Input: the
    /// values that glibc expects in a mutex, a condition and a thread.
    void waitsForWorkAreQuiet()
    {
        FutexScript s;
        s.enter(10, 1, WaitBitset | Private, 0x40, 0, 0).enter(12, 4, Wait | Private, 0x48, 0, 2).enter(14, 3, WaitBitset, 0x50, 0, 205);
        s.enter(20, 2, Wake | Private).leave(21, 2, 1).leave(25, 1).enter(26, 2, Wake | Private, 0x48).leave(27, 2, 1).leave(28, 4);
        s.leave(29, 3, -110).runFutexes(30);
        COMPARE_LINES(s.rows(), "futex:1/0x40/tid:1: idle-wait(t2 (2)) 10-25", "futex:1/0x40: idle-wait(1) 10-25",
                      "futex:1/0x48/tid:4: waits(t2 (2)) 12-28", "futex:1/0x48: waited-for(1) 12-28",
                      "futex:shared/0x50/tid:3: idle-wait(timeout) 14-29", "futex:shared/0x50: idle-wait(1) 14-29");
        COMPARE_LINES(
            s.segments(),
            "lock 0x40 futex of t1 (1) 10-25 on futex:1/0x40/tid:1 type=WAIT_BITSET;comm=t1;ended_by=wake;woken_by=t2 (2);for=work",
            "lock 0x48 futex of t1 (1) 12-28 on futex:1/0x48/tid:4 type=WAIT;comm=t4;ended_by=wake;woken_by=t2 (2)",
            "lock 0x50 futex, shared 14-29 on futex:shared/0x50/tid:3 type=WAIT_BITSET;comm=t3;ended_by=timeout;for=work");
    }

    /// Property: while some threads wait for work and others for the lock, only the latter are counted as contention.
    void waitsOfBothKindsAreToldApart()
    {
        FutexScript s;
        s.enter(10, 1, WaitBitset | Private, 0x40, 0, 0).enter(15, 4, Wait | Private, 0x40, 0, 2).leave(20, 4, -4).leave(30, 1, -4);
        s.runFutexes(40);
        COMPARE_LINES(s.rows(), "futex:1/0x40/tid:1: idle-wait(signal) 10-30", "futex:1/0x40/tid:4: waits(signal) 15-20",
                      "futex:1/0x40: idle-wait(1) 10-15, waited-for(1) 15-20, idle-wait(1) 20-30");
    }

    /// Property: the call's return value determines how the wait ended. A call that returns EAGAIN, because the value had changed, is no
    /// wait.
    void waitsEndOtherwise()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).leave(15, 1, -110);
        s.enter(20, 1, WaitBitset | Private | UntilATimeOfDay).leave(25, 1, -4);
        s.enter(30, 1, Wait | Private).leave(35, 1, -512).enter(36, 1, Wait | Private).leave(37, 1, -516);
        s.enter(40, 1, Wait | Private).leave(41, 1, -11);
        s.enter(50, 1, Wait | Private).leave(55, 1, -22);
        // The call returns 0 although no thread called wake: for example, a thread's end woke it.
        s.enter(60, 1, Wait | Private).leave(65, 1);
        s.enter(70, 1, Wait | Private); // This wait does not end in the trace.
        s.runFutexes(80);
        const QString at = " on futex:1/0x40/tid:1 ";
        COMPARE_LINES(s.segments(), "lock 0x40 futex of t1 (1) 10-15" + at + "type=WAIT;comm=t1;ended_by=timeout",
                      "lock 0x40 futex of t1 (1) 20-25" + at + "type=WAIT_BITSET;comm=t1;ended_by=signal",
                      "lock 0x40 futex of t1 (1) 30-35" + at + "type=WAIT;comm=t1;ended_by=signal",
                      "lock 0x40 futex of t1 (1) 36-37" + at + "type=WAIT;comm=t1;ended_by=signal",
                      "lock 0x40 futex of t1 (1) 50-55" + at + "type=WAIT;comm=t1;ended_by=error 22",
                      "lock 0x40 futex of t1 (1) 60-65" + at + "type=WAIT;comm=t1;ended_by=wake");
        COMPARE_LINES(s.rows(),
                      "futex:1/0x40/tid:1: waits(timeout) 10-15, waits(signal) 20-25, waits(signal) 30-35, waits(signal) 36-37, "
                      "waits(error 22) 50-55, waits(wake) 60-65, waits 70-80",
                      "futex:1/0x40: waited-for(1) 10-15, waited-for(1) 20-25, waited-for(1) 30-35, waited-for(1) 36-37, waited-for(1) "
                      "50-55, waited-for(1) 60-65, waited-for(1) 70-80");
    }

    /// Input: a futex call that returns without waiting. Property: the waits of other threads do not change.
    void aCallThatDoesNotWaitAmongOthers()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(20, 2, Wait | Private).leave(21, 2, -11);
        s.enter(30, 2, Wait | Private).enter(31, 4, Wait | Private).leave(32, 2, -11).leave(40, 4, -110).leave(50, 1, -110);
        s.runFutexes(60);
        COMPARE_LINES(
            s.rows(), "futex:1/0x40/tid:1: waits(timeout) 10-50", "futex:1/0x40/tid:4: waits(timeout) 31-40",
            "futex:1/0x40: waited-for(1) 10-30, waited-for(2) 30-31, waited-for(3) 31-32, waited-for(2) 32-40, waited-for(1) 40-50");
    }

    /// Property: a wait has no waker if the wake-up call was made before the wait, was for another futex, or woke no thread.
    void wakesThatDidNotEndIt()
    {
        FutexScript s;
        s.enter(5, 2, Wake | Private).leave(6, 2, 1);
        s.enter(10, 1, Wait | Private).enter(12, 2, Wake | Private).leave(13, 2, 0).leave(20, 1);
        s.enter(30, 1, Wait | Private).enter(32, 2, Wake | Private, 0x48).leave(33, 2, 1).leave(40, 1);
        // Thread 2's call wakes a shared futex, but thread 1 waits for a private one.
        s.enter(50, 1, Wait | Private).enter(52, 2, Wake).leave(53, 2, 1).leave(60, 1);
        s.runFutexes(70);
        QCOMPARE(s.segments().count("woken_by"), 0);
        QCOMPARE(s.segments().count("ended_by=wake"), 3);
    }

    /// Property: a wake-up call ends as many waits as its return value says, even if a waiter returns before its waker.
    void eachWakeEndsItsOwn()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(11, 4, Wait | Private);
        s.enter(20, 2, Wake | Private).leave(22, 1).leave(23, 2, 1); // Thread 1 returns before its waker.
        s.enter(30, 1, Wake | Private).leave(31, 1, 1).leave(35, 4);
        s.runFutexes(40);
        COMPARE_LINES(s.segments(), "lock 0x40 futex of t1 (1) 10-22 on futex:1/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t2 (2)",
                      "lock 0x40 futex of t1 (1) 11-35 on futex:1/0x40/tid:4 type=WAIT;comm=t4;ended_by=wake;woken_by=t1 (1)");
    }

    /// Input: two calls that may have ended a wait. Property: no waker is named, unless the kernel's waking event was recorded in one of
    /// the calls.
    void ambiguousWakersAreNotNamed()
    {
        const auto made = [](bool areWakingsRecorded) {
            FutexScript s;
            s.enter(10, 1, Wait | Private).enter(11, 4, Wait | Private);
            s.enter(20, 2, Wake | Private).enter(20, 3, Wait | Private);
            if (areWakingsRecorded)
                // This waking at 21 does not count for the wake call: thread 3 waits for a futex of its own process, which has the same
                // address.
                s.waking(21, 2, 4, 4).waking(21, 2, 3, 3);
            s.leave(22, 2, 1).enter(23, 2, Wait | Private, 0x48).leave(24, 2, -110).leave(25, 3, -110);
            s.enter(26, 3, Wake).leave(27, 3, 1);
            s.sw(28, 2, 2, 0, 5)
                .event(29, 2, "sched_process_fork", {{"parent_tid", 1}, {"child_tid", 5}, {"child_pid", 1}, {"child_comm", "t5"}});
            s.enter(30, 2, Wake | Private);
            if (areWakingsRecorded)
                s.waking(31, 2, 1, 1);
            s.leave(32, 2, 1).leave(40, 4).leave(41, 1);
            s.runFutexes(50);
            return s.segments();
        };
        QVERIFY2(!made(false).contains("woken_by"), qPrintable(made(false)));
        QVERIFY2(made(true).contains("10-41 on futex:1/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t5 (5)"),
                 qPrintable(made(true)));
        QVERIFY2(made(true).contains("11-40 on futex:1/0x40/tid:4 type=WAIT;comm=t4;ended_by=wake;woken_by=t2 (2)"),
                 qPrintable(made(true)));
        QCOMPARE(made(true).count("woken_by"), 2);
    }

    /// Property: equal addresses in two processes are two private futexes; a shared futex is identified by its address alone.
    void equalAddressesOfProcessesAreTwoFutexes()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(11, 3, Wait | Private).enter(12, 2, Wake | Private).leave(13, 2, 1).leave(14, 1).leave(15, 3);
        s.enter(20, 1, Wait).enter(21, 3, Wake).leave(22, 3, 1).leave(23, 1);
        s.runFutexes(30);
        COMPARE_LINES(s.segments(), "lock 0x40 futex of t1 (1) 10-14 on futex:1/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t2 (2)",
                      "lock 0x40 futex of t3 (3) 11-15 on futex:3/0x40/tid:3 type=WAIT;comm=t3;ended_by=wake",
                      "lock 0x40 futex, shared 20-23 on futex:shared/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t3 (3)");
    }

    /// Input: a waiter that a requeue call moved to another futex. Property: a wake-up call of that futex ends its wait.
    void movedWaiters()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(11, 4, Wait | Private);
        // This requeue call wakes thread 1 and moves thread 4 to the futex at 0x48.
        s.enter(20, 2, CmpRequeue | Private, 0x40, 0x48).leave(21, 2, 2).leave(22, 1);
        s.enter(30, 1, Wake | Private, 0x48).leave(31, 1, 1).leave(32, 4);
        s.runFutexes(40);
        COMPARE_LINES(s.segments(), "lock 0x40 futex of t1 (1) 10-22 on futex:1/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t2 (2)",
                      "lock 0x40 futex of t1 (1) 11-32 on futex:1/0x40/tid:4 type=WAIT;comm=t4;ended_by=wake;woken_by=t1 (1)");
    }

    /// Property: a waiter that was moved more than 8 times has no known waker, unless a waking event was recorded.
    void waiterMovedTooOftenIsNotFollowed()
    {
        const auto made = [](int moves, bool areWakingsRecorded) {
            FutexScript s;
            s.enter(10, 1, Wait | Private);
            for (int i = 0; i < moves; ++i)
                s.enter(20 + 2 * i, 2, CmpRequeue | Private, 0x40 + 8 * i, 0x48 + 8 * i, 0).leave(21 + 2 * i, 2, 1);
            s.enter(900, 4, Wake | Private, 0x40 + 8 * moves);
            if (areWakingsRecorded)
                s.waking(901, 4, 1, 1);
            s.leave(902, 4, 1).leave(905, 1);
            s.runFutexes(1000);
            return s.segments();
        };
        QVERIFY2(made(8, false).endsWith("woken_by=t4 (4)"), qPrintable(made(8, false)));
        QVERIFY2(made(9, false).endsWith("ended_by=wake"), qPrintable(made(9, false)));
        QVERIFY2(made(400, false).endsWith("ended_by=wake"), qPrintable(made(400, false)));
        QVERIFY2(made(400, true).endsWith("woken_by=t4 (4)"), qPrintable(made(400, true)));
    }

    void wakeOpIsOfTwo()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private, 0x48).enter(20, 2, WakeOp | Private, 0x40, 0x48).leave(21, 2, 1).leave(25, 1);
        s.runFutexes(30);
        QVERIFY2(s.segments().endsWith("woken_by=t2 (2)"), qPrintable(s.segments()));
    }

    /// Property: a lock with priority inheritance is held from the time at which a waiter gets it until that thread calls unlock.
    void locksWithPriorityInheritance()
    {
        FutexScript s;
        s.enter(10, 1, LockPi | Private).enter(15, 4, LockPi2 | Private);
        s.enter(20, 2, UnlockPi | Private).leave(21, 2).leave(22, 1);
        s.enter(30, 1, UnlockPi | Private).leave(31, 1).leave(33, 4).enter(40, 4, UnlockPi | Private).leave(41, 4);
        // Thread 1 gets the lock while it is free. Its release needs no system call, so its hold has no known end.
        s.enter(50, 1, LockPi | Private).leave(51, 1);
        s.enter(60, 2, LockPi | Private).leave(65, 2, -35);
        s.enter(70, 2, TryLockPi | Private).leave(75, 2, -11);
        s.runFutexes(80);
        COMPARE_LINES(s.segments(),
                      "lock 0x40 futex of t1 (1) 10-22 on futex:1/0x40/tid:1 type=LOCK_PI;comm=t1;ended_by=wake;woken_by=t2 (2)",
                      "lock 0x40 futex of t1 (1) 15-33 on futex:1/0x40/tid:4 type=LOCK_PI2;comm=t4;ended_by=wake;woken_by=t1 (1)",
                      "lock 0x40 futex of t1 (1) 50-51 on futex:1/0x40/tid:1 type=LOCK_PI;comm=t1",
                      "lock 0x40 futex of t1 (1) 60-65 on futex:1/0x40/tid:2 type=LOCK_PI;comm=t2;ended_by=error 35;got=no",
                      "lock-hold 0x40 futex of t1 (1) 22-30 on futex:1/0x40/tid:1 comm=t1;waiters=1;made_wait_ns=8",
                      "lock-hold 0x40 futex of t1 (1) 33-40 on futex:1/0x40/tid:4 comm=t4;waiters=0;made_wait_ns=0");
    }

    /// Input: a condition variable of a lock with priority inheritance. The signal call may wake the thread at once or move it to the
    /// lock; only a recorded waking tells which.
    void conditionsOfLocksWithPriorityInheritance()
    {
        const auto made = [](bool areWakingsRecorded) {
            FutexScript s;
            s.enter(10, 1, WaitRequeuePi | Private, 0x40, 0x48).enter(20, 2, CmpRequeuePi | Private, 0x40, 0x48).leave(21, 2, 1);
            s.enter(30, 4, UnlockPi | Private, 0x48);
            if (areWakingsRecorded)
                s.waking(31, 4, 1, 1);
            s.leave(32, 4).leave(35, 1).enter(40, 1, UnlockPi | Private, 0x48).leave(41, 1);
            s.runFutexes(50);
            return s.segments();
        };
        const QString wait = "lock 0x40 futex of t1 (1) 10-35 on futex:1/0x40/tid:1 type=WAIT_REQUEUE_PI;comm=t1";
        QCOMPARE(made(false), wait);
        COMPARE_LINES(made(true), wait + ";ended_by=wake;woken_by=t4 (4)",
                      "lock-hold 0x48 futex of t1 (1) 35-40 on futex:1/0x48/tid:1 comm=t1;waiters=0;made_wait_ns=0");
    }

    void lossesEndWhatIsKnown()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(11, 3, Wait | Private).loss(2, 20, 40);
        // CPU 4 lost no events. The wait is unknown all the same, because the call that ends it may be among the lost events of CPU 2.
        s.enter(30, 4, Wait | Private);
        s.leave(50, 1).leave(51, 4).leave(52, 3).sw(55, 2, 2, 0, 2);
        s.enter(60, 1, Wait | Private).enter(61, 2, Wake | Private);
        s.leave(62, 2, 1).leave(63, 1);
        s.runFutexes(70);
        COMPARE_LINES(s.segments(),
                      "lock 0x40 futex of t1 (1) 60-63 on futex:1/0x40/tid:1 type=WAIT;comm=t1;ended_by=wake;woken_by=t2 (2)");
        COMPARE_LINES(s.rows(), "futex:1/0x40/tid:1: waits 10-20, unknown 20-40, waits(t2 (2)) 60-63", "futex:1/0x40/tid:4: unknown 30-40",
                      "futex:1/0x40: waited-for(1) 10-20, unknown 20-40, waited-for(1) 60-63",
                      "futex:3/0x40/tid:3: waits 11-20, unknown 20-40", "futex:3/0x40: waited-for(1) 11-20, unknown 20-40");
    }

    /// Input: calls without an exit event, because it is missing or the thread ended. Property: their waits have no known duration, so
    /// they make no segment.
    void callsWithoutAnEnd()
    {
        FutexScript s;
        s.enter(10, 1, Wait | Private).enter(20, 1, Wait | Private, 0x48).leave(25, 1);
        s.enter(30, 2, Wait | Private).event(35, 2, "sched_process_exit", {{"comm", "t2"}, {"tid", 2}, {"prio", 20}});
        s.leave(40, 4); // The end of a call of thread 4. Its beginning was not recorded, so the call is ignored.
        s.runFutexes(50);
        COMPARE_LINES(s.segments(), "lock 0x48 futex of t1 (1) 20-25 on futex:1/0x48/tid:1 type=WAIT;comm=t1;ended_by=wake");
        COMPARE_LINES(s.rows(), "futex:1/0x40/tid:1: waits 10-20", "futex:1/0x40/tid:2: waits 30-35",
                      "futex:1/0x40: waited-for(1) 10-20, waited-for(1) 30-35", "futex:1/0x48/tid:1: waits(wake) 20-25",
                      "futex:1/0x48: waited-for(1) 20-25");
    }

    /// Property: the thread of an event before a CPU's first switch is the thread that this switch takes off the CPU. If the thread's
    /// process is unknown, the lock's name contains no process.
    void whoHasTheCpuFirst()
    {
        KernelScript s;
        s.event(10, 0, "syscall_entry_futex", {{"uaddr", 0x40}, {"op", Wait | Private}}).sw(12, 0, 7, 1, 8);
        s.sw(20, 0, 8, 1, 7).event(25, 0, "syscall_exit_futex", {{"ret", -110}});
        s.run(30, KernelScript::Gaps::ReportedAtBegin, analysisOf("futexes"));
        COMPARE_LINES(segmentLines(s), "lock 0x40 futex 10-25 on futex:0x40/tid:7 type=WAIT;ended_by=timeout");
    }

    /// Input: futex calls recorded by perf as sys_enter_futex and sys_exit_futex, with the thread in each event. Property: waits and wakers
    /// are found without switches.
    void perfCallsNameTheirThreads()
    {
        const Fields who{{"$tid", 7}, {"$pid", 5}}, other{{"$tid", 8}, {"$pid", 5}};
        const auto with = [](Fields fields, const Fields& more) {
            fields.insert(fields.end(), more.begin(), more.end());
            return fields;
        };
        KernelScript s;
        s.event(10, 0, "syscalls:sys_enter_futex", with(who, {{"uaddr", 0x40}, {"op", Wait | Private}, {"val", 2}, {"uaddr2", 0}}));
        s.event(20, 1, "syscalls:sys_enter_futex", with(other, {{"uaddr", 0x40}, {"op", Wake | Private}, {"val", 1}, {"uaddr2", 0}}));
        s.event(21, 1, "syscalls:sys_exit_futex", with(other, {{"ret", 1}}));
        s.event(25, 0, "syscalls:sys_exit_futex", with(who, {{"ret", 0}}));
        s.run(30, KernelScript::Gaps::ReportedAtBegin, analysisOf("futexes"));
        COMPARE_LINES(segmentLines(s), "lock 0x40 futex of process 5 10-25 on futex:5/0x40/tid:7 type=WAIT;ended_by=wake;woken_by=8");
    }

    /// Input: events of LTTng up to 2.5, with one exit event type for all calls.
    void oldTracersShareOneExitEvent()
    {
        KernelScript s;
        s.dump(1, 7, 5, 0, 0, 5).sw(2, 0, 0, 0, 7);
        s.event(10, 0, "sys_futex", {{"uaddr", 0x40}, {"op", Wait | Private}}).event(15, 0, "exit_syscall", {{"ret", -110}});
        s.event(20, 0, "sys_read", {{"fd", 1}}).event(25, 0, "exit_syscall", {{"ret", 0}});
        s.run(30, KernelScript::Gaps::ReportedAtBegin, analysisOf("futexes"));
        COMPARE_LINES(segmentLines(s), "lock 0x40 futex of process 5 10-15 on futex:5/0x40/tid:7 type=WAIT;comm=t7;ended_by=timeout");
    }

    void itAppliesWhereCallsAreRecordedWithWhoMadeThem()
    {
        const Fields call{{"uaddr", 1}, {"op", 1}};
        const auto applies = [&](std::initializer_list<const char*> names, bool hasContext = false) {
            KernelScript s;
            for (const char* name : names) {
                Fields fields = call;
                if (hasContext)
                    fields.insert(fields.begin(), Field("$tid", 1));
                s.declare(name, fields);
            }
            return analysisOf("futexes").appliesTo(s);
        };
        QVERIFY(applies({"syscall_entry_futex", "syscall_exit_futex", "sched_switch"}));
        QVERIFY(applies({"compat_syscall_entry_futex_time64", "compat_syscall_exit_futex_time64"}, true));
        QVERIFY(applies({"sys_futex", "exit_syscall", "sched_switch"}));
        QVERIFY(applies({"raw_syscalls:sys_enter", "raw_syscalls:sys_exit"}, true));
        // The analysis does not apply: without sched_switch or the context tid, the threads of the calls are unknown.
        QVERIFY(!applies({"syscall_entry_futex", "syscall_exit_futex"}));
        QVERIFY(!applies({"syscall_entry_futex", "sched_switch"}));
        QVERIFY(!applies({"syscall_entry_futex_waitv", "syscall_exit_futex_waitv", "sched_switch"}));
        QVERIFY(!applies({"syscall_entry_read", "syscall_exit_read", "sched_switch"}));
    }
};

HELIO_TEST(FutexesTest)

#include "tst_futexes.moc"
