#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using helio::test::KernelScript;

namespace {

constexpr auto S = 1; // State of a thread that leaves its CPU: sleeping.
constexpr auto D = 2; // State of a thread that leaves its CPU: blocked.
constexpr auto Z = 32; // State of a thread that leaves its CPU: dead.
constexpr auto P = 256; // State of a thread that leaves its CPU: preempted.

} // namespace

class KernelThreadsTest : public QObject {
    Q_OBJECT
private slots:
    void aThreadThatWasThereBeforeTheTraceIsUnknownUntilItIsSeen()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).sw(10, 0, 0, 0, 7).sw(20, 0, 7, S, 0).run(30);
        COMPARE_STATES(s, "tid:7", "unknown 0-10, running 10-20, sleeping 20-30");
        COMPARE_STATES(s, "tid:5", "sleeping 0-30");
    }

    void theIdleThreadHasNoRow()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).sw(10, 0, 0, 0, 5).run(20);
        QVERIFY(!s.row("tid:0"));
    }

    void modesAreNotClaimedWithoutSystemCallEvents()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, S, 0).run(20);
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-20");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, idle 10-20");
    }

    void aThreadIsRunningUntilItsFirstSystemCallEvent()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(10, 0, "read").ret(20, 0, "read").sw(30, 0, 7, P, 0).run(40);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-syscall(read) 10-20, running-user 20-30, preempted 30-40");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, syscall(t7 (7)) 10-20, user(t7 (7)) 20-30, idle 30-40");
    }

    void aCpuThatHasShownNoSystemCallDoesNotClaimUserMode()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).ret(10, 0, "read").sw(20, 0, 7, P, 0).sw(30, 1, 0, 0, 7).sw(40, 1, 7, P, 0).run(50);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-user 10-20, preempted 20-30, running 30-40, preempted 40-50");
    }

    void theFirstSystemCallOfACpuShowsTheModeBeforeIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).ret(10, 0, "read").sw(20, 0, 7, P, 0).sw(30, 1, 0, 0, 7).call(40, 1, "write").run(50);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-user 10-20, preempted 20-30, running-user 30-40, running-syscall(write) 40-50");
        COMPARE_STATES(s, "cpu:1", "unknown 0-30, user(t7 (7)) 30-40, syscall(t7 (7)) 40-50");
    }

    void aThreadThatSleepsInASystemCallKeepsItsName()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(10, 0, "futex").sw(20, 0, 7, S, 0).waking(30, 0, 7, 0).sw(40, 0, 0, 0, 7).ret(50, 0, "futex").run(60);
        COMPARE_STATES(s, "tid:7",
                       "running 0-10, running-syscall(futex) 10-20, sleeping(futex) 20-30, wait-cpu(futex) 30-40, "
                       "running-syscall(futex) 40-50, running-user 50-60");
    }

    void whyAThreadLeftItsCpuIsReadFromTheKernelsTable_data()
    {
        QTest::addColumn<QString>("release");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* release, int state, const char* expected) {
            QTest::addRow("%s %d", release, state) << release << state << expected;
        };
        for (const char* release : {"6.1.0-50-amd64", "4.14.3", "5.10", ""}) {
            row(release, 0, "preempted");
            row(release, 256, "preempted");
            row(release, 1, "sleeping");
            row(release, 2, "blocked");
            row(release, 4, "stopped");
            row(release, 8, "stopped");
            row(release, 16, "");
            row(release, 32, "");
            row(release, 64, "parked");
            row(release, 128, "idle-kthread");
            row(release, 512, "waiting");
        }
        row("4.4.0-21-generic", 2048, "preempted");
        row("4.4.0-21-generic", 1026, "idle-kthread");
        row("4.4.0-21-generic", 512, "parked");
        row("4.4.0-21-generic", 130, "blocked");
        row("4.4.0-21-generic", 64, "");
        row("4.4.0-21-generic", 256, "waiting");
        row("4.11.0", 4096, "preempted");
        row("4.11.0", 4097, "preempted");
        row("4.0.1", 1024, "preempted");
        row("4.0.1", 1026, "preempted");
        row("3.8.13", 512, "preempted");
        row("3.12", 512, "parked");
    }
    void whyAThreadLeftItsCpuIsReadFromTheKernelsTable()
    {
        QFETCH(QString, release);
        QFETCH(int, state);
        QFETCH(QString, expected);
        KernelScript s(release.toStdString());
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, state, 0).run(20);
        COMPARE_STATES(s, "tid:7", expected.isEmpty() ? QString("running 0-10") : "running 0-10, " + expected + " 10-20");
    }

    void statesThatAKernelReportsOneBitTooHighAreRecognisedByTheIdleThread()
    {
        KernelScript s("4.19.0");
        s.sw(0, 0, 0, 1, 7).sw(10, 0, 7, 2, 8).sw(20, 0, 8, 4, 9).sw(30, 0, 9, 1, 0).run(40);
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-40");
        COMPARE_STATES(s, "tid:8", "unknown 0-10, running 10-20, blocked 20-40");
        COMPARE_STATES(s, "tid:9", "unknown 0-20, running 20-30, preempted 30-40");
    }

    void onAShiftedKernelIdleKernelThreadsAndPreemptionLookAlike()
    {
        KernelScript s("4.19.0");
        s.sw(0, 0, 0, 1, 2).sw(10, 0, 2, 256, 8).sw(20, 0, 8, 256, 0).run(40);
        COMPARE_STATES(s, "tid:2", "running-kernel 0-10, idle-kthread 10-40");
        COMPARE_STATES(s, "tid:8", "unknown 0-10, running 10-20, preempted 20-40");
    }

    void withoutIdleThreadsAShiftedKernelIsRecognisedByItsMissingZeros()
    {
        KernelScript s("4.19.0");
        for (int i = 0; i < 10; ++i)
            s.sw(10 * i, 0, 7 + i % 2, 4, 8 - i % 2);
        s.sw(100, 0, 7, 2, 8).run(110);
        QVERIFY(s.states("tid:7").ends_with("sleeping 100-110"));
    }

    void ftraceLettersAreReadAsAWhole_data()
    {
        QTest::addColumn<QString>("letters");
        QTest::addColumn<QString>("expected");
        for (const auto& [letters, expected] : std::initializer_list<std::pair<const char*, const char*>>{{"S", "sleeping"},
                                                                                                          {"D", "blocked"},
                                                                                                          {"R", "preempted"},
                                                                                                          {"R+", "preempted"},
                                                                                                          {"D|K", "blocked"},
                                                                                                          {"S|W", "sleeping"},
                                                                                                          {"I", "idle-kthread"},
                                                                                                          {"P", "parked"},
                                                                                                          {"T", "stopped"},
                                                                                                          {"t", "stopped"},
                                                                                                          {"X", ""},
                                                                                                          {"Z", ""}})
            QTest::addRow("%s", letters) << letters << expected;
    }
    void ftraceLettersAreReadAsAWhole()
    {
        QFETCH(QString, letters);
        QFETCH(QString, expected);
        KernelScript s;
        const QByteArray text = letters.toLatin1();
        s.event(0, 0, "sched_switch",
                {{"prev_comm", "a"},
                 {"prev_pid", 0},
                 {"prev_prio", 120},
                 {"prev_state", "R"},
                 {"next_comm", "b"},
                 {"next_pid", 7},
                 {"next_prio", 120}});
        s.event(10, 0, "sched_switch",
                {{"prev_comm", "b"},
                 {"prev_pid", 7},
                 {"prev_prio", 120},
                 {"prev_state", text.constData()},
                 {"next_comm", "a"},
                 {"next_pid", 0},
                 {"next_prio", 120}});
        s.run(20);
        COMPARE_STATES(s, "tid:7", expected.isEmpty() ? QString("running 0-10") : "running 0-10, " + expected + " 10-20");
    }

    void aThreadThatYieldsWaitsForTheCpuButIsNotPreempted()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(10, 0, "sched_yield").sw(20, 0, 7, 0, 8).sw(30, 0, 8, S, 7).ret(40, 0, "sched_yield").sw(50, 0, 7, 0, 0);
        s.run(60);
        COMPARE_STATES(s, "tid:7",
                       "running 0-10, running-syscall(sched_yield) 10-20, wait-cpu(sched_yield) 20-30, running-syscall(sched_yield) 30-40, "
                       "running-user 40-50, preempted 50-60");
    }

    void waitingForACpuBeginsAtWaking()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).waking(10, 1, 7, 0).wakeup(12, 0, 7, 0).sw(20, 0, 0, 0, 7).run(30);
        COMPARE_STATES(s, "tid:7", "sleeping 0-10, wait-cpu 10-20, running 20-30");
    }

    void aWakeUpOfAThreadOnACpuChangesNothing()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).irq(5, 0, "entry", 3).waking(6, 0, 7, 0).irq(8, 0, "exit", 3).waking(10, 1, 7, 0).run(20);
        COMPARE_STATES(s, "tid:7", "running 0-5, interrupted(eth0) 5-8, running 8-20");
    }

    void aWakeUpOfAPreemptedThreadChangesNothing()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, P, 8).waking(15, 1, 7, 0).sw(20, 0, 8, S, 7).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, preempted 10-20, running 20-30");
    }

    void aThreadOfAStatedumpIsAsItWasDumpedSinceTheBegin()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).dump(10, 7, 7, 1, 0, 5).dump(11, 8, 8, 1, 0, 2).dump(12, 9, 9, 1, 0, 1).dump(13, 5, 5, 1, 0, 2).run(30);
        COMPARE_STATES(s, "tid:7", "waiting 0-30");
        COMPARE_STATES(s, "tid:8", "wait-cpu 0-30");
        COMPARE_STATES(s, "tid:9", "unknown 0-30");
        COMPARE_STATES(s, "tid:5", "sleeping 0-30");
    }

    void zombiesOfAStatedumpHaveNoRow()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).dump(10, 7, 7, 1, 0, 4).run(30);
        QVERIFY(!s.row("tid:7"));
    }

    void kernelThreadsRunInTheKernel()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).dump(10, 2, 2, 0, 1, 5).dump(11, 40, 40, 2, 1, 5).sw(20, 0, 0, 0, 40).sw(30, 0, 40, 128, 2);
        s.fork(40, 0, 2, 41, 41).sw(50, 0, 2, S, 41).sw(60, 0, 41, S, 0).run(70);
        COMPARE_STATES(s, "tid:40", "waiting 0-20, running-kernel 20-30, idle-kthread 30-70");
        COMPARE_STATES(s, "tid:41", "wait-cpu 40-50, running-kernel 50-60, sleeping 60-70");
        COMPARE_STATES(s, "cpu:0", "idle 0-20, kernel(t40 (40)) 20-30, kernel(t2 (2)) 30-50, kernel(t41 (41)) 50-60, idle 60-70");
        QVERIFY(s.row("tid:40")->isKernelThread);
        QVERIFY(s.row("tid:41")->isKernelThread);
    }

    void aForkedThreadBeginsWaitingAndReturnsFromItsParentsSystemCall()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(5, 0, "clone").fork(10, 0, 7, 8, 8).wake("sched_wakeup_new", 12, 0, 8, 1).ret(15, 0, "clone");
        s.sw(20, 1, 0, 0, 8).ret(25, 1, "clone").run(30);
        COMPARE_STATES(s, "tid:8", "wait-cpu(clone) 10-20, running-syscall(clone) 20-25, running-user 25-30");
    }

    void aRowEndsWithItsDeadSwitchOut()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(10, 0, "exit_group");
        s.event(15, 0, "sched_process_exit", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}}).sw(20, 0, 7, Z, 0);
        s.event(25, 0, "sched_process_free", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}}).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-syscall(exit_group) 10-15, exiting(exit_group) 15-20");
        QCOMPARE(s.row("tid:7")->life.end, helio::hostTime(20));
    }

    void aFreedThreadThatWasNeverSeenToDieEndsThere()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).event(25, 0, "sched_process_free", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}}).run(30);
        COMPARE_STATES(s, "tid:7", "sleeping 0-25");
    }

    void theSecondLifeOfATidIsARowOfItsOwnThatALateFreeDoesNotEnd()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, Z, 5).fork(15, 0, 5, 7, 7);
        s.event(18, 0, "sched_process_free", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}}).sw(20, 0, 5, S, 7).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10");
        COMPARE_STATES(s, "tid:7#2", "wait-cpu 15-20, running 20-30");
    }

    void aReturnFromASignalHandlerLeavesTheThreadInUserMode()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(10, 0, "rt_sigreturn").call(20, 0, "read").run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, running-user 10-20, running-syscall(read) 20-30");
    }

    void whereAReturnFromASignalHandlerShowsItsExitItLastsUntilThat()
    {
        KernelScript s("4.4.0");
        s.sw(0, 0, 0, 0, 7).ret(5, 0, "read").call(10, 0, "rt_sigreturn").ret(12, 0, "rt_sigreturn").call(20, 0, "rt_sigreturn");
        s.irq(21, 0, "entry", 3).irq(22, 0, "exit", 3).ret(23, 0, "rt_sigreturn").run(30);
        COMPARE_STATES(
            s, "tid:7",
            "running 0-5, running-user 5-10, running-syscall(rt_sigreturn) 10-12, running-user 12-20, "
            "running-syscall(rt_sigreturn) 20-21, interrupted(eth0) 21-22, running-syscall(rt_sigreturn) 22-23, running-user 23-30");
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-5, user(t7 (7)) 5-10, syscall(t7 (7)) 10-12, user(t7 (7)) 12-20, syscall(t7 (7)) 20-21, "
                       "irq(eth0) 21-22, syscall(t7 (7)) 22-23, user(t7 (7)) 23-30");
    }

    void pageFaultsThatReportTheirEndAreStates()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).ret(5, 0, "read").event(10, 0, "page_fault_entry", {{"address", 1}});
        s.event(15, 0, "page_fault_exit", {{"res", 1}});
        s.event(20, 0, "x86_exceptions_page_fault_user", {{"address", 1}}).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-5, running-user 5-10, page-fault 10-15, running-user 15-30");
    }

    void aContextShowsThatAThreadChangedItsCpuUnseen()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).softirq(5, 0, "raise", 1).event(10, 1, "syscall_exit_read", {{"$tid", 7}, {"ret", 1}}).run(20);
        COMPARE_STATES(s, "tid:7", "running 0-5, unknown 5-10, running-user 10-20");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-5, unknown 5-20");
    }

    void contextsNameTheThreadBeforeTheFirstSwitch()
    {
        KernelScript s;
        s.declare("sched_switch").event(0, 0, "syscall_exit_read", {{"$tid", 7}, {"$pid", 6}, {"ret", 1}});
        s.event(10, 0, "syscall_entry_write", {{"$tid", 7}, {"$pid", 6}, {"fd", 1}}).run(20);
        COMPARE_STATES(s, "tid:7", "running-user 0-10, running-syscall(write) 10-20");
        QCOMPARE(s.row("tid:7")->pid, 6);
    }
};

HELIO_TEST(KernelThreadsTest)
#include "tst_kernel_threads.moc"
