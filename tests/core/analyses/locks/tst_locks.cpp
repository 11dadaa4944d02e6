// The lock analysis. Input: synthetic lock events. Results: waiters and owners of locks.

#include "core/analysis/analyses.h"
#include "tests/core/analyses/kernel/sampled_script.h"
#include "tests/core/analyses/locks/lock_script.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <tuple>
#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::uint64_t A = 0xffff888100044880, B = 0xffff88810093d100;

#define COMPARE_LINES(actual, ...) QCOMPARE((actual).split('\n'), QStringList({__VA_ARGS__}))

} // namespace

class LocksTest : public QObject {
    Q_OBJECT

private slots:
    void waitsForLocksOfTheKernel()
    {
        LockScript s;
        s.begin(10, 7, A, Spin).begin(12, 8, A, Spin).end(15, 7, A).end(20, 8, A);
        s.begin(30, 7, B, Read).end(40, 7, B, -4); // A signal interrupted the wait (EINTR).
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock 0xffff888100044880 spinlock 10-15 on lock:0xffff888100044880/tid:7 type=spinlock",
                      "lock 0xffff888100044880 spinlock 12-20 on lock:0xffff888100044880/tid:8 type=spinlock",
                      "lock 0xffff88810093d100 rwsem 30-40 on lock:0xffff88810093d100/tid:7 type=rwsem:R;got=no");
        COMPARE_LINES(s.rows(), "lock:0xffff888100044880/tid:7: waits 10-15", "lock:0xffff888100044880/tid:8: waits 12-20",
                      "lock:0xffff888100044880: waited-for(1) 10-12, waited-for(2) 12-15, waited-for(1) 15-20",
                      "lock:0xffff88810093d100/tid:7: waits 30-40", "lock:0xffff88810093d100: waited-for(1) 30-40");
    }

    /// Property: locks are sorted by their total waiting time, longest first, for any number and order of waits. Rows below a lock are
    /// sorted by their first wait.
    void theLockThatWasWaitedForLongestIsFirst()
    {
        constexpr std::uint64_t C = 0xffff88810093d200, D = 0xffff88810093d300, E = 0xffff88810093d400;
        LockScript s;
        s.begin(10, 7, A, Spin).end(15, 7, A); // Wait for A: 5 ns.
        // Waits for B: 5 ns by thread 7 and 4 ns by thread 8, in total 9 ns.
        s.begin(20, 7, B, Spin).begin(22, 8, B, Spin).end(25, 7, B).end(26, 8, B);
        s.begin(30, 7, C, Spin).end(1'000'030, 7, C); // Wait for C: 1'000'000 ns.
        s.begin(1'000'040, 7, D, Spin).end(2'000'041, 7, D); // Wait for D: 1'000'001 ns, 1 ns longer than for C, so D comes before C.
        s.begin(2'000'050, 7, E, Spin); // Wait for E: counts as 0 ns, because thread 7 still waits at the end of the trace.
        s.runLocks(2'000'060);
        std::vector<Track> locks;
        for (const Track& it : s.store().tracks())
            if (it.parent == NoTrack && it.view == "locks")
                locks.push_back(it);
        std::ranges::sort(
            locks, [](const Track& a, const Track& b) { return std::tie(a.sortKey, a.life.begin) < std::tie(b.sortKey, b.life.begin); });
        QStringList order;
        for (const Track& it : locks)
            order << QString::fromStdString(it.label);
        QCOMPARE(order,
                 QStringList({"0xffff88810093d300 spinlock", "0xffff88810093d200 spinlock", "0xffff88810093d100 spinlock",
                              "0xffff888100044880 spinlock", "0xffff88810093d400 spinlock"}));
    }

    /// Property: spinning and then sleeping for the same mutex is one wait. Meanwhile an interrupt on the thread's CPU may wait for
    /// another lock.
    void waitsGoOnAndNest()
    {
        LockScript s;
        s.begin(10, 7, A, Mutex | Spin).begin(14, 7, A, Mutex).begin(16, 7, B, Spin).end(17, 7, B).end(30, 7, A);
        s.end(40, 7, A); // The beginning of this wait was not recorded.
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock 0xffff888100044880 mutex 10-30 on lock:0xffff888100044880/tid:7 type=mutex",
                      "lock 0xffff88810093d100 spinlock 16-17 on lock:0xffff88810093d100/tid:7 type=spinlock");
    }

    /// Property: waits of different CPUs' idle threads, which all have TID 0, are told apart by CPU.
    void idleThreadsWaitEachForItself()
    {
        LockScript s;
        s.begin(10, 0, A, Spin, 0)
            .begin(11, 0, A, Spin, 3)
            .begin(12, 7, A, Spin, 1)
            .end(15, 0, A, 0, 0)
            .end(16, 7, A, 0, 1)
            .end(20, 0, A, 0, 3);
        s.begin(30, 0, A, Spin, 0).end(35, 0, A, 0, 3); // CPU 3 has no start event for this wait.
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock 0xffff888100044880 spinlock 10-15 on lock:0xffff888100044880/cpu:0 type=spinlock;comm=swapper/0",
                      "lock 0xffff888100044880 spinlock 11-20 on lock:0xffff888100044880/cpu:3 type=spinlock;comm=swapper/3",
                      "lock 0xffff888100044880 spinlock 12-16 on lock:0xffff888100044880/tid:7 type=spinlock");
        COMPARE_LINES(s.rows(), "lock:0xffff888100044880/cpu:0: waits 10-15, waits 30-50", "lock:0xffff888100044880/cpu:3: waits 11-20",
                      "lock:0xffff888100044880/tid:7: waits 12-16",
                      "lock:0xffff888100044880: waited-for(1) 10-11, waited-for(2) 11-12, waited-for(3) 12-15, waited-for(2) 15-16, "
                      "waited-for(1) 16-20, waited-for(1) 30-50");
        const auto idle = std::ranges::find(s.store().tracks(), "lock:0xffff888100044880/cpu:3", &Track::key);
        QVERIFY(idle != s.store().tracks().end());
        QCOMPARE(idle->label, std::string("swapper/3"));
        QCOMPARE(idle->tid, 0);
        QCOMPARE(idle->cpu, 3);
    }

    void mutexesAreWaitedForAndHeld()
    {
        LockScript s;
        s.request(10, 7, 0x10).acquire(11, 7, 0x10);
        s.request(15, 8, 0x10).request(20, 9, 0x10);
        s.unlock(30, 7, 0x10).acquire(31, 8, 0x10).unlock(35, 8, 0x10).acquire(36, 9, 0x10).unlock(40, 9, 0x10);
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock 0x10 of process 100 10-11 on lock:100/0x10/tid:7 comm=t7",
                      "lock 0x10 of process 100 15-31 on lock:100/0x10/tid:8 comm=t8;held_by=t7 (7)",
                      "lock 0x10 of process 100 20-36 on lock:100/0x10/tid:9 comm=t9;held_by=t7 (7)",
                      // made_wait_ns of thread 7 is 25: thread 8 waited for the lock for 15 ns (15-30) and thread 9 for 10 ns (20-30).
                      // made_wait_ns of thread 8 is 4: thread 9 waited from 31 to 35.
                      "lock-hold 0x10 of process 100 11-30 on lock:100/0x10/tid:7 comm=t7;waiters=2;made_wait_ns=25",
                      "lock-hold 0x10 of process 100 31-35 on lock:100/0x10/tid:8 comm=t8;waiters=1;made_wait_ns=4",
                      "lock-hold 0x10 of process 100 36-40 on lock:100/0x10/tid:9 comm=t9;waiters=0;made_wait_ns=0");
        COMPARE_LINES(
            s.rows(), "lock:100/0x10/tid:7: waits 10-11, holds 11-30", "lock:100/0x10/tid:8: waits(t7 (7)) 15-31, holds 31-35",
            "lock:100/0x10/tid:9: waits(t7 (7)) 20-36, holds 36-40",
            "lock:100/0x10: waited-for(1) 10-11, held(t7 (7)) 11-15, waited-for(1 for t7 (7)) 15-20, waited-for(2 for t7 (7)) 20-30, "
            "waited-for(2) 30-31, waited-for(1 for t8 (8)) 31-35, waited-for(1) 35-36, held(t9 (9)) 36-40");
    }

    void itsProcessIsCalledByItsFirstThread()
    {
        LockScript s;
        s.acquire(10, 7, 0x10).acquire(11, 100, 0x18).unlock(12, 7, 0x10).unlock(13, 100, 0x18);
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock-hold 0x10 of process 100 10-12 on lock:100/0x10/tid:7 comm=t7;waiters=0;made_wait_ns=0",
                      "lock-hold 0x18 of t100 (100) 11-13 on lock:100/0x18/tid:100 comm=t100;waiters=0;made_wait_ns=0");
    }

    void aMutexThatIsNotGot()
    {
        LockScript s;
        s.tryIt(10, 7, 0x10).tryIt(12, 8, 0x10, 16).request(13, 8, 0x10).acquire(20, 8, 0x10, 110).unlock(30, 7, 0x10);
        s.unlock(31, 8, 0x10); // Thread 8 does not own this lock.
        s.request(40, 8, 0x10).acquire(41, 8, 0x10, 130).unlock(45, 8, 0x10, 1).unlock(46, 8, 0x10);
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock 0x10 of process 100 13-20 on lock:100/0x10/tid:8 comm=t8;held_by=t7 (7);got=no",
                      "lock 0x10 of process 100 40-41 on lock:100/0x10/tid:8 comm=t8",
                      "lock-hold 0x10 of process 100 10-30 on lock:100/0x10/tid:7 comm=t7;waiters=1;made_wait_ns=7",
                      "lock-hold 0x10 of process 100 41-46 on lock:100/0x10/tid:8 comm=t8;waiters=0;made_wait_ns=0");
    }

    /// Property: one address in two processes is two locks; a thread may lock its own lock again.
    void locksAreRecursiveAndPerProcess()
    {
        LockScript s;
        s.request(10, 7, 0x10).acquire(11, 7, 0x10).request(12, 7, 0x10).acquire(13, 7, 0x10);
        s.request(14, 207, 0x10, 200).acquire(15, 207, 0x10, 0, 200);
        s.unlock(16, 7, 0x10).unlock(18, 7, 0x10).unlock(20, 207, 0x10, 0, 200);
        s.runLocks(50);
        QVERIFY(s.segments().contains("lock-hold 0x10 of process 100 11-18 on lock:100/0x10/tid:7 comm=t7;waiters=0;made_wait_ns=0"));
        QVERIFY(s.segments().contains("lock 0x10 of process 100 12-13 on lock:100/0x10/tid:7 comm=t7\n"));
        COMPARE_LINES(s.rows(), "lock:100/0x10/tid:7: waits 10-11, holds 11-18", "lock:100/0x10: waited-for(1) 10-11, held(t7 (7)) 11-18",
                      "lock:200/0x10/tid:207: waits 14-15, holds 15-20", "lock:200/0x10: waited-for(1) 14-15, held(t207 (207)) 15-20");
        QVERIFY(s.segments().contains("lock-hold 0x10 of process 200 15-20 on lock:200/0x10/tid:207 "));
    }

    /// Property: a hold ends when another thread acquires the lock. The unlock event of the hold may come later, or not at all if the
    /// holder waits for a condition.
    void holdEndsWhenTheNextThreadOwnsTheLock()
    {
        LockScript s;
        s.acquire(10, 7, 0x10).request(20, 8, 0x10).acquire(21, 8, 0x10).unlock(30, 7, 0x10).unlock(31, 8, 0x10);
        s.runLocks(50);
        COMPARE_LINES(s.segments(), "lock 0x10 of process 100 20-21 on lock:100/0x10/tid:8 comm=t8;held_by=t7 (7)",
                      "lock-hold 0x10 of process 100 10-21 on lock:100/0x10/tid:7 comm=t7;waiters=1;made_wait_ns=1",
                      "lock-hold 0x10 of process 100 21-31 on lock:100/0x10/tid:8 comm=t8;waiters=0;made_wait_ns=0");
        QVERIFY2(s.rows().contains("lock:100/0x10/tid:7: holds 10-21\n"), qPrintable(s.rows()));
    }

    void lossesEndWhatIsKnown()
    {
        LockScript s;
        s.begin(10, 7, A).acquire(11, 9, 0x10).loss(0, 20, 40);
        s.end(50, 7, A).unlock(51, 9, 0x10).begin(60, 7, A).end(61, 7, A);
        s.runLocks(70);
        COMPARE_LINES(s.segments(), "lock 0xffff888100044880 mutex 60-61 on lock:0xffff888100044880/tid:7 type=mutex");
        COMPARE_LINES(s.rows(), "lock:0xffff888100044880/tid:7: waits 10-20, unknown 20-40, waits 60-61",
                      "lock:0xffff888100044880: waited-for(1) 10-20, unknown 20-40, waited-for(1) 60-61",
                      "lock:100/0x10/tid:9: holds 11-20, unknown 20-40", "lock:100/0x10: held(t9 (9)) 11-20, unknown 20-40");
    }

    /// Input: a gap in one stream while another stream continues. Property: a hold of a lock that may have ended in the gap has no segment.
    void whoLostItInAGapHeldItForAnUnknownTime()
    {
        LockScript s;
        s.loss(1, 20, 40);
        s.acquire(22, 7, 0x10).acquire(30, 8, 0x10).acquire(50, 8, 0x18).acquire(52, 9, 0x18);
        s.runLocks(70);
        COMPARE_LINES(s.segments(), "lock-hold 0x18 of process 100 50-52 on lock:100/0x18/tid:8 comm=t8;waiters=0;made_wait_ns=0");
    }

    void moreLocksThanRows()
    {
        LockScript s;
        constexpr int Most = 16'384;
        for (int i = 0; i <= Most; ++i)
            s.begin(10 * i, 7, 0x1000 + std::uint64_t(i)).end(10 * i + 5, 7, 0x1000 + std::uint64_t(i));
        s.runLocks(10 * Most + 20);
        QCOMPARE(s.segments().count('\n'), Most);
        QVERIFY(s.segments().contains(" on lock:0x4fff/tid:7 "));
        QVERIFY2(s.segments().endsWith(" on none type=mutex"), qPrintable(s.segments().right(100)));
    }

    void whoIsNotKnownIsNobody()
    {
        LockScript s;
        s.event(10, 0, "lock_contention_begin", {{"lock_addr", std::int64_t(A)}, {"flags", int(Spin)}});
        s.event(12, 0, "lock_contention_end", {{"lock_addr", std::int64_t(A)}, {"ret", 0}});
        s.runLocks(20);
        QCOMPARE(s.segments(), QString());
    }

    /// Property: TID 0 is the idle thread only if it is a real TID. A recorded TID of 0 may also mean a thread outside the recorded PID
    /// namespace, or an exiting thread.
    void whoHasNoNumberInANamespaceIsNotIdle()
    {
        const auto waits = [](const Fields& who) {
            KernelScript s;
            for (const auto& [at, what] : {std::pair(10, "begin"), std::pair(12, "end")}) {
                Fields fields = who;
                fields.insert(fields.end(), {{"lock_addr", std::int64_t(A)}, {"flags", int(Spin)}});
                s.event(at, 0, std::string("lock_contention_") + what, fields);
            }
            s.run(20, KernelScript::Gaps::ReportedAtBegin, analysisOf("locks"));
            return segmentLines(s);
        };
        const QString ofIdle = "lock 0xffff888100044880 spinlock 10-12 on lock:0xffff888100044880/cpu:0 type=spinlock;comm=swapper/0";
        QCOMPARE(waits({{"$tid", 0}}), ofIdle);
        QCOMPARE(waits({{"$tid", 0}, {"common_pid", 0}}), ofIdle);
        QCOMPARE(waits({{"$tid", 0}, {"common_pid", 7}}), QString());
        QCOMPARE(waits({{"$vtid", 0}}), QString());
    }

    /// Input: LTTng kernel events without a thread context. Property: they belong to the current thread of their CPU.
    void eventsWithoutContextBelongToTheCpusThread()
    {
        LockScript s;
        s.sw(5, 0, 0, 0, 7);
        s.event(10, 0, "lock_contention_begin", {{"lock_addr", std::int64_t(A)}, {"flags", int(Spin)}});
        s.event(12, 0, "lock_contention_end", {{"lock_addr", std::int64_t(A)}, {"ret", 0}});
        s.sw(15, 0, 7, 0, 0);
        s.event(16, 0, "lock_contention_begin", {{"lock_addr", std::int64_t(A)}, {"flags", int(Spin)}});
        s.event(19, 0, "lock_contention_end", {{"lock_addr", std::int64_t(A)}, {"ret", 0}});
        s.run(20);
        s.run(20, KernelScript::Gaps::ReportedAtBegin, analysisOf("locks"), {s.sharedStore()});
        COMPARE_LINES(s.segments(), "lock 0xffff888100044880 spinlock 10-12 on lock:0xffff888100044880/tid:7 type=spinlock;comm=t7",
                      "lock 0xffff888100044880 spinlock 16-19 on lock:0xffff888100044880/cpu:0 type=spinlock;comm=swapper/0");
    }

    /// Property: sampled events give no waits, because their durations are unknown.
    void sampledEventsSayNothing()
    {
        const auto script = [](std::initializer_list<int> sampled) {
            LockScript s;
            s.begin(10, 7, A, Spin).end(20, 7, A).request(30, 8, 0x10).acquire(32, 8, 0x10);
            return Sampled(std::move(s), sampled);
        };
        const auto waits = [&](std::initializer_list<int> sampled) {
            auto s = script(sampled);
            s.runLocks(50);
            return s.segments();
        };
        const QString ofKernel = "lock 0xffff888100044880 spinlock 10-20 on lock:0xffff888100044880/tid:7 type=spinlock";
        const QString ofProgram = "lock 0x10 of process 100 30-32 on lock:100/0x10/tid:8 comm=t8";
        QCOMPARE(waits({}), ofKernel + '\n' + ofProgram);
        for (const auto& sampled : {std::initializer_list<int>{0, 1}, {0}, {1}})
            QCOMPARE(waits(sampled), ofProgram);
        QCOMPARE(waits({3}), ofKernel);
        QVERIFY(analysisOf("locks").appliesTo(script({1})));
        QVERIFY(!analysisOf("locks").appliesTo(script({1, 3})));
    }

    void itAppliesWhereLocksAreRecorded()
    {
        const auto applies = [](const char* event) {
            KernelScript s;
            s.declare(event, {{"lock_addr", 1}});
            return analysisOf("locks").appliesTo(s);
        };
        for (const char* name : {"lock:contention_begin", "lock_contention_begin", "lttng_ust_pthread:pthread_mutex_lock_acq"})
            QVERIFY2(applies(name), name);
        for (const char* name : {"lock:contention_end", "sched_switch", "my_contention_begin"})
            QVERIFY2(!applies(name), name);
    }
};

HELIO_TEST(LocksTest)

#include "tst_locks.moc"
