#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

enum Op : int { Wait = 0, Wake = 1, LockPi = 6, UnlockPi = 7, WaitBitset = 9, LockPi2 = 13, Private = 128, UntilATimeOfDay = 256 };

bool hasOldNames = false; ///< True if system call events have the names of LTTng before 2.5.

/// Adds the entry of a futex system call of `thread`, which runs on the CPU with the same number.
KernelScript& enter(KernelScript& script, std::int64_t time, int thread, std::int64_t address, int op)
{
    return script.event(time, thread, hasOldNames ? "sys_futex" : "syscall_entry_futex", {{"uaddr", address}, {"op", op}});
}
KernelScript& leave(KernelScript& script, std::int64_t time, int thread, int ret = 0)
{
    return script.event(time, thread, hasOldNames ? "exit_syscall" : "syscall_exit_futex", {{"ret", ret}});
}

/// A trace in which threads 1 and 2 of process 1 and thread 3 of process 3 run.
struct RunningThreads : KernelScript {
    RunningThreads()
    {
        dump(1, 1, 1, 0, 0, 5).dump(1, 2, 1, 0, 0, 5).dump(1, 3, 3, 0, 0, 5);
        for (int thread = 1; thread <= 3; ++thread)
            sw(2, thread, 0, 0, thread);
    }
};

QString names(const Store& store)
{
    std::map<std::string, Sum> sums;
    for (const PatternSegment& it : segmentsOf(store))
        sums[it.field("op")].add(it.length());
    QString all;
    for (const auto& [op, sum] : sums)
        all += QString("%1%2: %3").arg(all.isEmpty() ? "" : ", ", op.c_str()).arg(sum.count);
    return all;
}

} // namespace

class FutexContentionTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { hasOldNames = false; }

    void aWaitIsOfALockAndEndsByAWake_data()
    {
        QTest::addColumn<bool>("isOld");
        QTest::newRow("today's names") << false;
        QTest::newRow("names of LTTng 2.4") << true;
    }
    void aWaitIsOfALockAndEndsByAWake()
    {
        QFETCH(bool, isOld);
        hasOldNames = isOld;
        RunningThreads s;
        enter(s, 10, 1, 4096, Wait | Private);
        enter(s, 11, 2, 4096, Wait | Private);
        s.sw(12, 1, 1, 1, 0);
        enter(s, 13, 3, 4096, Wait | Private); // A different lock: the address is in another process.
        s.sw(14, 1, 0, 0, 1);
        leave(s, 15, 1, -110); // The wait timed out.
        enter(s, 20, 1, 4096, Wake | Private);
        leave(s, 21, 1, 1);
        leave(s, 25, 2);
        leave(s, 30, 3); // No futex call woke thread 3.
        const DeclaredRun run(shippedText("futex-contention"), s);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.segments(),
                 "4096 10-15 owner=1;tid=1;thread=t1;op=WAIT;ret=-110\n"
                 "4096 11-25 owner=1;tid=2;op=WAIT;ret=0;woken_by=1\n"
                 "4096 13-30 owner=3;tid=3;op=WAIT;ret=0\n");
        QCOMPARE(run.view("futex-contention-locks"),
                 "Processes/1 \"t1\"\n"
                 "Processes/1/Locks/4096 \"lock 4096\": 1 waiter 10-11, 2 waiters 11-15, 1 waiter 15-25\n"
                 "Processes/1/Locks/4096/Waiters/1 \"t1\": WAIT 10-15\n"
                 "Processes/1/Locks/4096/Waiters/2 \"waiter 2\": WAIT 11-25\n"
                 "Processes/3 \"t3\"\n"
                 "Processes/3/Locks/4096 \"lock 4096\": 1 waiter 13-30\n"
                 "Processes/3/Locks/4096/Waiters/3 \"waiter 3\": WAIT 13-30\n");
        QCOMPARE(run.view("futex-contention-waiters"),
                 "Processes/1 \"t1\"\n"
                 "Processes/1/Threads/1 \"t1\": long 4096 10-15\n"
                 "Processes/1/Threads/2 \"thread 2\": long 4096 11-25\n"
                 "Processes/3 \"t3\"\n"
                 "Processes/3/Threads/3 \"thread 3\": long 4096 13-30\n");
    }

    void sharedOnesBelongToNoProcess()
    {
        RunningThreads s;
        enter(s, 10, 1, 64, Wait);
        enter(s, 12, 2, 64, WaitBitset | UntilATimeOfDay);
        enter(s, 14, 3, 64, Wake);
        leave(s, 15, 3, 2);
        leave(s, 16, 2);
        leave(s, 17, 1);
        const DeclaredRun run(shippedText("futex-contention"), s);
        QCOMPARE(run.segments(),
                 "64 10-17 owner=shared;tid=1;op=WAIT;ret=0;woken_by=3\n"
                 "64 12-16 owner=shared;tid=2;op=WAIT_BITSET;ret=0;woken_by=3\n");
        QVERIFY(run.view("futex-contention-locks")
                    .find("Processes/shared/Locks/64 \"lock 64\": 1 waiter 10-12, 2 waiters 12-16, 1 waiter 16-17\n")
                != std::string::npos);
    }

    void eachOperationThatWaitsDoesSoWithEachFlag_data()
    {
        QTest::addColumn<int>("op");
        QTest::addColumn<QString>("expected");
        for (const int flags : {0, int(Private), int(UntilATimeOfDay), Private | UntilATimeOfDay}) {
            const QString owner = flags & Private ? "1" : "shared";
            const auto row = [&](int op, const char* name) {
                QTest::addRow("%s %d", name, flags) << (op | flags) << QString("64 10-20 owner=%1;tid=1;op=%2;ret=0\n").arg(owner, name);
            };
            row(Wait, "WAIT");
            row(LockPi, "LOCK_PI");
            row(WaitBitset, "WAIT_BITSET");
            row(11, "WAIT_REQUEUE_PI");
            row(LockPi2, "LOCK_PI2");
            for (const int op : {1, 2, 3, 4, 5, 7, 8, 10, 12})
                QTest::addRow("no wait %d", op | flags) << (op | flags) << QString();
        }
    }
    void eachOperationThatWaitsDoesSoWithEachFlag()
    {
        QFETCH(int, op);
        QFETCH(QString, expected);
        RunningThreads s;
        enter(s, 10, 1, 64, op);
        leave(s, 20, 1);
        const DeclaredRun run(shippedText("futex-contention"), s);
        QCOMPARE(QString::fromStdString(run.segments()), expected);
    }

    void aWaitWhoseEndWasLostEndsWithTheThreadsNextCall()
    {
        RunningThreads s;
        enter(s, 10, 1, 64, Wait | Private);
        enter(s, 20, 1, 128, Wait | Private);
        leave(s, 25, 1);
        enter(s, 30, 2, 64, Wait | Private);
        s.call(35, 2, "read");
        enter(s, 40, 3, 64, Wait | Private);
        s.event(45, 3, "sched_process_exit", {{"comm", "t3"}, {"tid", 3}, {"prio", 20}});
        s.sw(60, 0, 0, 0, 0);
        const DeclaredRun run(shippedText("futex-contention"), s);
        QCOMPARE(run.segments(), "128 20-25 owner=1;tid=1;op=WAIT;ret=0\n");
        QCOMPARE(run.view("futex-contention-locks"),
                 "Processes/1 \"t1\"\n"
                 "Processes/1/Locks/128 \"lock 128\": 1 waiter 20-25\n"
                 "Processes/1/Locks/128/Waiters/1 \"waiter 1\": WAIT 20-25\n"
                 "Processes/1/Locks/64 \"lock 64\": 1 waiter 10-20, 1 waiter 30-35\n"
                 "Processes/1/Locks/64/Waiters/1 \"waiter 1\": WAIT 10-20\n"
                 "Processes/1/Locks/64/Waiters/2 \"waiter 2\": WAIT 30-35\n"
                 "Processes/3 \"t3\"\n"
                 "Processes/3/Locks/64 \"lock 64\": 1 waiter 40-45\n"
                 "Processes/3/Locks/64/Waiters/3 \"waiter 3\": WAIT 40-45\n");
    }

    // Expected values were counted in the traces' text by another program.
    void recordedWaitsAreThose_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        QTest::addColumn<QString>("all");
        QTest::addColumn<QString>("shared");
        QTest::addColumn<int>("woken");
        QTest::addColumn<QString>("operations");
        test::addRow("mpi", "mpi-imbalance", "mpi-imbalance/kernel", "384, 26141457998 ns, at most 3667750233",
                     "84, 21216459771 ns, at most 3667750233", 373, "WAIT: 245, WAIT_BITSET: 139");
        test::addRow("plain", "lttng-kernel", "plain", "15, 248011058 ns, at most 67177649", "0, 0 ns, at most 0", 15, "WAIT: 15");
        test::addRow("web", "two-hosts", "web", "112, 6003520210 ns, at most 5750715266", "0, 0 ns, at most 0", 112,
                     "WAIT: 50, WAIT_BITSET: 62");
        test::addRow("heap", "heap", "heap/kernel", "76, 6977181756 ns, at most 1150978542", "47, 6401557454 ns, at most 1150978542", 70,
                     "WAIT: 64, WAIT_BITSET: 12");
    }
    void recordedWaitsAreThose()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        QFETCH(QString, all);
        QFETCH(QString, shared);
        QFETCH(int, woken);
        QFETCH(QString, operations);
        HELIO_REQUIRE_TRACE(path, collection, below);
        const auto store = shippedStore("futex-contention", path);
        QVERIFY(store);
        const auto segments = segmentsOf(*store);
        QCOMPARE(described(sumOf(segments)), all);
        QCOMPARE(described(sumOf(segments, [](const PatternSegment& it) { return it.field("owner") == "shared"; })), shared);
        QCOMPARE(sumOf(segments, [](const PatternSegment& it) { return !it.field("woken_by").empty(); }).count, woken);
        QCOMPARE(names(*store), operations);
    }
};

HELIO_TEST(FutexContentionTest)

#include "tst_futex_contention.moc"
