// Input: CPUs before their first switch, and after a gap in their events. Property: the first event that names its thread determines the
// CPU's thread.

#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using helio::LinkKind;
using helio::test::KernelScript;

namespace {

constexpr auto S = 1; // State of a thread that leaves its CPU: sleeping.
constexpr auto P = 256; // State of a thread that leaves its CPU: preempted.
constexpr std::int64_t HostNamespace = 0xeffffffc;

} // namespace

class KernelBeginsTest : public QObject {
    Q_OBJECT
private slots:
    void whomTheFirstSwitchTakesOffWasThereSinceItsStreamBegan()
    {
        KernelScript s;
        s.stream(0, 0).stream(1, 4);
        s.softirq(0, 0, "raise", 1).sw(10, 0, 7, S, 0).sw(20, 1, 8, P, 9).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-30");
        COMPARE_STATES(s, "tid:8", "unknown 0-4, running 4-20, preempted 20-30");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, idle 10-30");
        COMPARE_STATES(s, "cpu:1", "unknown 0-4, running(t8 (8)) 4-20, running(t9 (9)) 20-30");
        COMPARE_STATES(s, "cpu:1/thread", "unknown 0-4, running(tid:8) 4-20, running(tid:9) 20-30");
    }

    void whatTheCpuDidUntilThenIsShownForThatThread()
    {
        KernelScript s;
        s.stream(0, 0).softirq(0, 0, "raise", 1).call(5, 0, "read").irq(8, 0, "entry", 3).irq(9, 0, "exit", 3).ret(12, 0, "read");
        s.sw(20, 0, 7, P, 0).run(30);
        COMPARE_STATES(s, "tid:7",
                       "running 0-5, running-syscall(read) 5-8, interrupted(eth0) 8-9, running-syscall(read) 9-12, running-user 12-20, "
                       "preempted 20-30");
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-5, syscall(t7 (7)) 5-8, irq(eth0) 8-9, syscall(t7 (7)) 9-12, user(t7 (7)) 12-20, idle 20-30");
    }

    void aCpuWhoseFirstSwitchTakesOffTheIdleThreadWasIdle()
    {
        KernelScript s;
        s.stream(0, 0).softirq(0, 0, "raise", 1).irq(5, 0, "entry", 3).waking(6, 0, 7, 0).irq(8, 0, "exit", 3).sw(10, 0, 0, 0, 7).run(20);
        COMPARE_STATES(s, "cpu:0", "idle 0-5, irq(eth0) 5-8, idle 8-10, running(t7 (7)) 10-20");
        COMPARE_STATES(s, "cpu:0/thread", "idle 0-10, running(tid:7) 10-20");
        COMPARE_STATES(s, "tid:7", "unknown 0-6, wait-cpu 6-10, running 10-20");
    }

    void aCpuWithoutAnySwitchIsUnknownButForItsInterrupts()
    {
        KernelScript s;
        s.stream(0, 0).stream(1, 0).sw(0, 0, 7, S, 0).irq(5, 1, "entry", 3).irq(8, 1, "exit", 3).run(20);
        COMPARE_STATES(s, "cpu:1", "unknown 0-5, irq(eth0) 5-8, unknown 8-20");
        COMPARE_STATES(s, "cpu:1/thread", "unknown 0-20");
    }

    void wakeUpsBeforeTheFirstSwitchAreItsThreads()
    {
        KernelScript s;
        s.stream(0, 0).waking(5, 0, 8, 1).sw(10, 0, 7, S, 0).waking(15, 0, 7, 0).run(20);
        QCOMPARE(QString::fromStdString(s.links(LinkKind::Wakeup)),
                 QString("wakeup tid:7>tid:8 5-5 cpu 0 target 1\nwakeup cpu:0>tid:7 15-15 cpu 0 target 0"));
    }

    void aThreadThatWasWokenOrDumpedWhileItRanWasRunning()
    {
        KernelScript s;
        s.stream(0, 0).stream(1, 0).dump(0, 7, 7, 1, 0, 5).waking(5, 1, 7, 0).waking(6, 1, 8, 0);
        s.sw(10, 0, 7, S, 8).sw(12, 1, 0, 0, 9).run(20);
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-20");
        COMPARE_STATES(s, "tid:8", "unknown 0-6, wait-cpu 6-10, running 10-20");
    }

    void aThreadThatWasElsewhereSinceIsNotClaimed()
    {
        KernelScript s;
        s.stream(0, 0).stream(1, 0).softirq(0, 0, "raise", 1).sw(5, 0, 7, S, 0).softirq(7, 1, "raise", 1).sw(10, 1, 7, P, 0).run(20);
        COMPARE_STATES(s, "tid:7", "running 0-5, sleeping 5-7, unknown 7-10, preempted 10-20");
        COMPARE_STATES(s, "cpu:1", "unknown 0-10, idle 10-20");
        KernelScript born;
        born.stream(0, 0).stream(1, 0).fork(5, 0, 6, 7, 7).softirq(7, 1, "raise", 1).sw(10, 1, 7, P, 0).run(20);
        COMPARE_STATES(born, "tid:7", "wait-cpu 5-7, unknown 7-10, preempted 10-20");
    }

    void noSystemCallIsTheIdleThreads()
    {
        KernelScript s;
        s.stream(0, 0).softirq(0, 0, "raise", 1).call(5, 0, "read").sw(10, 0, 0, 0, 7).run(20);
        COMPARE_STATES(s, "cpu:0", "unknown 0-10, running(t7 (7)) 10-20");
    }

    void whereStreamsReportNoBeginItIsTheFirstEventThatSaysAnything()
    {
        KernelScript s;
        s.sw(0, 1, 0, 0, 9).call(5, 0, "read").sw(10, 0, 7, S, 0).run(20);
        COMPARE_STATES(s, "tid:7", "unknown 0-5, running-syscall(read) 5-10, sleeping(read) 10-20");
    }

    void afterAGapTheNextSwitchNamesTheThreadSinceItsEnd()
    {
        KernelScript s;
        s.stream(0, 0).sw(0, 0, 6, S, 7).loss(0, 10, 20).call(25, 0, "read").sw(30, 0, 8, P, 0).run(40);
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-40");
        COMPARE_STATES(s, "tid:8", "unknown 0-20, running 20-25, running-syscall(read) 25-30, preempted(read) 30-40");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-20, running(t8 (8)) 20-25, syscall(t8 (8)) 25-30, idle 30-40");
    }

    void theThreadThatExecsExitsOrForksIsTheCpus()
    {
        KernelScript s;
        s.stream(0, 0).stream(1, 0).stream(2, 0).sw(0, 3, 0, 0, 9);
        s.event(5, 0, "sched_process_exit", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}}).fork(6, 1, 8, 18, 18).run(20);
        COMPARE_STATES(s, "tid:7", "running 0-5, exiting 5-20");
        COMPARE_STATES(s, "tid:8", "running 0-20");
    }

    void anyEventsContextNamesTheThread()
    {
        KernelScript s;
        s.stream(0, 0).sw(0, 1, 0, 0, 9).event(5, 0, "kmem_kmalloc", {{"$tid", 7}, {"$pid", 6}, {"$procname", "cc1"}, {"bytes_req", 8}});
        s.run(20);
        COMPARE_STATES(s, "tid:7", "running 0-20");
        QCOMPARE(s.row("tid:7")->pid, 6);
        QCOMPARE(QString::fromStdString(s.row("tid:7")->label), QString("cc1"));
    }

    void perfsConversionToCtfNamesTheThreadInThePayload()
    {
        KernelScript s;
        s.stream(0, 0).sw(0, 1, 0, 0, 9).event(5, 0, "cpu-clock", {{"perf_ip", 1}, {"perf_tid", 7}, {"perf_pid", 6}, {"perf_id", 3}});
        s.run(20);
        COMPARE_STATES(s, "tid:7", "running 0-20");
        QCOMPARE(s.row("tid:7")->pid, 6);
    }

    void aVirtualTidIsTheHostsWhereItsNamespaceSaysSo()
    {
        for (const bool isHosts : {true, false}) {
            KernelScript s;
            const std::int64_t space = isHosts ? HostNamespace : HostNamespace + 1;
            s.sw(0, 1, 0, 0, 9).event(5, 0, "kmem_kmalloc", {{"$vtid", 7}, {"$pid_ns", space}, {"bytes_req", 8}});
            s.event(6, 0, "kmem_kmalloc", {{"$vtid", 7}, {"$pid_ns", space}, {"bytes_req", 8}}).run(20);
            COMPARE_STATES(s, "tid:7", isHosts ? "unknown 0-5, running 5-20" : "");
        }
        KernelScript unnamed;
        unnamed.sw(0, 1, 0, 0, 9).event(5, 0, "kmem_kmalloc", {{"$vtid", 7}, {"bytes_req", 8}}).run(20);
        QVERIFY(!unnamed.row("tid:7"));
    }

    void anEventOfAThreadEndsItsWait()
    {
        KernelScript s;
        s.sw(0, 0, 7, P, 8).softirq(4, 0, "raise", 1).event(10, 0, "kmem_kmalloc", {{"$tid", 6}, {"bytes_req", 8}});
        s.event(20, 0, "kmem_kmalloc", {{"$tid", 7}, {"bytes_req", 8}}).sw(30, 0, 7, P, 9).run(40);
        COMPARE_STATES(s, "tid:7", "preempted 0-10, unknown 10-20, running 20-30, preempted 30-40");
        COMPARE_STATES(s, "tid:8", "running 0-4, unknown 4-40");
        COMPARE_STATES(
            s, "cpu:0",
            "running(t8 (8)) 0-4, unknown 4-10, running((6)) 10-11, unknown 11-20, running(t7 (7)) 20-30, running(t9 (9)) 30-40");
    }

    void betweenASwitchsEventAndTheSwitchTheCpuStillHasWhoLeaves()
    {
        KernelScript s;
        const auto other = [&](std::int64_t time, int tid) { s.event(time, 0, "tlb_flush", {{"$tid", tid}, {"pages", 1}}); };
        s.sw(0, 0, 0, 0, 7);
        other(5, 7);
        s.sw(10, 0, 7, S, 8);
        other(11, 7);
        other(12, 8);
        s.sw(20, 0, 8, S, 0).event(25, 0, "sched_stat_runtime", {{"$tid", 8}, {"runtime", 1}}).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-30");
        COMPARE_STATES(s, "tid:8",
                       // The kernel may record tlb_flush for the leaving thread after the switch, but never sched_stat_runtime. The event
                       // at 25 therefore proves that thread 8 runs again.
                       "unknown 0-10, running 10-20, unknown 20-25, running 25-30");
    }

    /// Input: a thread that ran on another CPU first and then appears on CPU 1 without a switch. Property: the time before its first
    /// event there is unknown, not a wait.
    void unrecordedMigrationIsNoWait()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).wakeup(5, 0, 7, 1).event(20, 1, "kmem_kmalloc", {{"$tid", 7}, {"bytes_req", 8}}).sw(30, 1, 7, S, 0).run(40);
        COMPARE_STATES(s, "tid:7", "sleeping 0-5, unknown 5-20, running 20-30, sleeping 30-40");
        COMPARE_STATES(s, "cpu:1", "unknown 0-20, running(t7 (7)) 20-30, idle 30-40");
    }

    /// Input: a snapshot in which the CPUs' buffers begin at different times. Property: a thread that leaves a CPU without a recorded
    /// switch to it had been on this CPU since the CPU's stream began.
    void whoCameBeforeItsCpusStreamBeganWasThereSinceThen()
    {
        KernelScript s;
        s.stream(0, 0).stream(1, 100).sw(0, 0, 9, S, 7).sw(50, 0, 7, S, 0).sw(250, 1, 7, S, 0).run(300);
        COMPARE_STATES(s, "tid:7", "running 0-50, unknown 50-100, running 100-250, sleeping 250-300");
        COMPARE_STATES(s, "cpu:1", "unknown 0-100, running(t7 (7)) 100-250, idle 250-300");
    }

    /// Input: a kernel that records no switches from idle threads. Property: a thread that left its CPU is on this CPU again when it
    /// records an event much later.
    void whereSwitchesAreMissingWhoLeftIsBackWithItsNextEvent()
    {
        KernelScript s;
        const auto insert = [&](std::int64_t time, int tid) { s.event(time, 0, "block_rq_insert", {{"$tid", tid}, {"sector", 8}}); };
        s.sw(0, 0, 9, S, 7).sw(100'000, 0, 7, S, 0);
        insert(150'000, 7); // No switch is known to be missing at this time, so this event does not prove that thread 7 has the CPU again.
        s.sw(200'000, 0, 7, S, 0);
        insert(200'001, 7);
        insert(250'000, 7);
        s.sw(300'000, 0, 7, S, 0).sw(350'000, 0, 0, 0, 8);
        insert(350'000, 0); // An event at the time of a switch does not prove that the idle thread runs again.
        s.run(400'000);
        COMPARE_STATES(s, "tid:8", "unknown 0-350000, running 350000-400000");
        COMPARE_STATES(s, "tid:7",
                       "running 0-100000, sleeping 100000-150000, unknown 150000-200000, sleeping 200000-200001, unknown 200001-250000, "
                       "running 250000-300000, sleeping 300000-400000");
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-100000, idle 100000-150000, unknown 150000-200000, idle 200000-200001, unknown 200001-250000, "
                       "running(t7 (7)) 250000-300000, idle 300000-350000, running(t8 (8)) 350000-400000");
    }

    void aSwitchThatWasWrittenTwiceIsOne()
    {
        KernelScript s;
        s.sw(0, 0, 9, S, 7).sw(10, 0, 7, S, 8).sw(10, 0, 7, S, 8).sw(20, 0, 8, S, 7).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, sleeping 10-20, running 20-30");
        COMPARE_STATES(s, "tid:8", "unknown 0-10, running 10-20, sleeping 20-30");
    }

    void beingTakenOffACpuEndsAWait()
    {
        KernelScript s;
        s.sw(0, 0, 7, P, 8).irq(10, 0, "entry", 3).irq(12, 0, "exit", 3).sw(30, 0, 7, S, 9).run(40);
        COMPARE_STATES(s, "tid:7", "preempted 0-12, unknown 12-30, sleeping 30-40");
        COMPARE_STATES(s, "tid:8", "running 0-10, interrupted(eth0) 10-12, running 12-13, unknown 13-40");
        COMPARE_STATES(s, "cpu:0", "running(t8 (8)) 0-10, irq(eth0) 10-12, running(t8 (8)) 12-13, unknown 13-30, running(t9 (9)) 30-40");
    }

    void contextsThatNumberThreadsOtherwiseAreNotBelieved()
    {
        KernelScript s;
        const auto change = [&](std::int64_t time, int context, int prev, int next) {
            s.event(time, 0, "sched:sched_switch",
                    {{"$tid", context},
                     {"prev_comm", "a"},
                     {"prev_pid", prev},
                     {"prev_prio", 120},
                     {"prev_state", S},
                     {"next_comm", "b"},
                     {"next_pid", next},
                     {"next_prio", 120}});
        };
        change(0, 3, 107, 108);
        s.event(5, 0, "kmem:kmalloc", {{"$tid", 4}, {"bytes_req", 8}});
        change(10, 4, 108, 107);
        s.run(20);
        COMPARE_STATES(s, "tid:108", "running 0-10, sleeping 10-20");
        COMPARE_STATES(s, "tid:4", "");
    }

    void withoutSwitchesNoThreadHasStates()
    {
        for (const bool isEnabled : {false, true}) {
            KernelScript s;
            if (isEnabled)
                s.declare("sched_switch");
            s.stream(0, 0).dump(0, 7, 7, 1, 0, 5).dump(1, 8, 8, 1, 0, 2).fork(5, 0, 6, 9, 9).waking(6, 0, 10, 0).call(7, 0, "read");
            s.irq(8, 0, "entry", 3).irq(9, 0, "exit", 3).run(20);
            for (const char* row : {"tid:7", "tid:8", "tid:10"})
                COMPARE_STATES(s, row, "unknown 0-20");
            COMPARE_STATES(s, "tid:6", // The running state of thread 6 comes from its system calls, because no switch took it off its CPU.
                           isEnabled ? "running 0-7, running-syscall(read) 7-8, interrupted(eth0) 8-9, running-syscall(read) 9-20"
                                     : "unknown 0-20");
            COMPARE_STATES(s, "tid:9", "unknown 5-20");
        }
    }

    void withoutSwitchesContextsPlaceNobodyOnACpu()
    {
        KernelScript s;
        s.event(0, 0, "syscall_entry_nanosleep", {{"$tid", 7}, {"$pid", 6}, {"fd", 1}}).irq(5, 0, "entry", 3).irq(6, 0, "exit", 3);
        s.event(10, 0, "syscall_exit_nanosleep", {{"$tid", 7}, {"$pid", 6}, {"fd", 1}}).run(20);
        COMPARE_STATES(s, "tid:7", "in-syscall(nanosleep) 0-10, between-syscalls 10-20");
        COMPARE_STATES(s, "cpu:0", "unknown 0-5, irq(eth0) 5-6, unknown 6-20");
        QCOMPARE(s.row("tid:7")->pid, 6);
    }
};

HELIO_TEST(KernelBeginsTest)
#include "tst_kernel_begins.moc"
