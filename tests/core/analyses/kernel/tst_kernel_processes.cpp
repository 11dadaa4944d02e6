#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using helio::test::KernelScript;

namespace {

constexpr auto S = 1;
constexpr auto Z = 32;

KernelScript& exec(KernelScript& s, std::int64_t time, const char* file, std::int64_t tid, std::int64_t oldTid)
{
    return s.event(time, 0, "sched_process_exec", {{"filename", file}, {"tid", tid}, {"old_tid", oldTid}});
}

} // namespace

#define COMPARE_ATTRIBUTE(script, key, kind, expected) QCOMPARE(QString::fromStdString((script).attribute(key, kind)), QString(expected))

class KernelProcessesTest : public QObject {
    Q_OBJECT
private slots:
    void threadsHangBelowTheirLeaderAndProcessesBelowTheirParent()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).dump(10, 100, 100, 1, 0, 5).dump(11, 101, 100, 1, 0, 5).dump(12, 1, 1, 0, 0, 5);
        s.sw(20, 0, 0, 0, 101).fork(30, 0, 101, 200, 200).run(40);
        const auto parentOf = [&](const char* key) { return QString::fromStdString(s.keyOf(s.row(key)->parent)); };
        QCOMPARE(parentOf("tid:101"), QString("tid:100"));
        QCOMPARE(parentOf("tid:200"), QString("tid:100"));
        QCOMPARE(parentOf("tid:100"), QString("tid:1"));
        QCOMPARE(parentOf("tid:1"), QString("none"));
        QCOMPARE(s.row("tid:101")->pid, 100);
    }

    void aThreadsParentMayComeAfterIt()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).dump(10, 101, 100, 1, 0, 5).dump(11, 100, 100, 1, 0, 5).run(20);
        QCOMPARE(QString::fromStdString(s.keyOf(s.row("tid:101")->parent)), QString("tid:100"));
    }

    void parentsNeverFormACircle()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).dump(10, 7, 7, 8, 0, 5).dump(11, 8, 8, 9, 0, 5).dump(12, 9, 9, 7, 0, 5).dump(13, 6, 6, 6, 0, 5).run(20);
        for (const helio::Track& track : s.store().tracks()) {
            int depth = 0;
            for (helio::TrackId id = track.parent; id != helio::NoTrack; ++depth) {
                QVERIFY(depth < 10);
                id = s.store().tracks()[static_cast<std::size_t>(id)].parent;
            }
        }
    }

    void aRowIsCalledByItsLastNameAndKeepsAllOfThem()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).fork(10, 0, 5, 7, 7).sw(20, 0, 5, S, 7);
        exec(s, 30, "/usr/lib/a-very-long-program-name", 7, 7).run(40);
        COMPARE_ATTRIBUTE(s, "tid:7", "name", "t5 10-20, t7 20-30, a-very-long-pro 30-40");
        QCOMPARE(s.row("tid:7")->label, std::string("a-very-long-pro"));
        COMPARE_STATES(s, "cpu:0", "running(t5 (5)) 0-20, running(t7 (7)) 20-30, running(a-very-long-pro (7)) 30-40");
    }

    void theFirstNameOfAThreadThatWasThereBeforeIsItsNameFromTheBegin()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).sw(10, 0, 0, 0, 7).run(20);
        COMPARE_ATTRIBUTE(s, "tid:7", "name", "t7 0-20");
    }

    void prioritiesAreKept()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).event(10, 0, "sched_pi_setprio", {{"comm", "t7"}, {"tid", 7}, {"oldprio", 20}, {"newprio", -5}}).run(20);
        COMPARE_ATTRIBUTE(s, "tid:7", "priority", "20 0-10, -5 10-20");
    }

    void attributesEndWithTheirThread()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, Z, 0).run(20);
        COMPARE_ATTRIBUTE(s, "tid:7", "name", "t7 0-10");
        COMPARE_ATTRIBUTE(s, "tid:7", "priority", "20 0-10");
    }

    void aThreadThatExecsTakesTheLeadersTid()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).fork(5, 0, 7, 8, 7).sw(10, 0, 7, S, 8).call(12, 0, "execve");
        exec(s, 20, "/bin/ls", 7, 8).ret(25, 0, "execve").sw(30, 0, 7, S, 0).run(40);
        COMPARE_STATES(s, "tid:8", "wait-cpu 5-10, running 10-12, running-syscall(execve) 12-20");
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-20, running-syscall(execve) 20-25, running-user 25-30, sleeping 30-40");
    }

    void aKernelThreadThatExecsIsOneNoMore()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 2).fork(10, 0, 2, 7, 7).sw(20, 0, 2, S, 7);
        exec(s, 30, "/sbin/modprobe", 7, 7).run(40);
        COMPARE_STATES(s, "tid:7", "wait-cpu 10-20, running-kernel 20-30, running 30-40");
        QVERIFY(!s.row("tid:7")->isKernelThread);
    }

    void perfsForkNamesTidsOnly()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7);
        s.event(10, 0, "sched:sched_process_fork", {{"parent_comm", "t7"}, {"parent_pid", 7}, {"child_comm", "t7"}, {"child_pid", 8}})
            .run(20);
        COMPARE_STATES(s, "tid:8", "wait-cpu 10-20");
        QCOMPARE(s.row("tid:8")->pid, -1);
        QCOMPARE(QString::fromStdString(s.keyOf(s.row("tid:8")->parent)), QString("tid:7"));
    }
};

HELIO_TEST(KernelProcessesTest)
#include "tst_kernel_processes.moc"
