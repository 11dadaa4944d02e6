// Input: events that are missing or recorded twice without a recorded loss. Property: a state ends at the latest with an event that
// contradicts it.

#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using helio::test::KernelScript;

namespace {

constexpr int R = 0;
constexpr int S = 1;

std::string anomalies(const KernelScript& script)
{
    std::string text;
    for (const Diagnostic& it : script.store().summary().anomalies)
        text += (text.empty() ? "" : ", ") + it.kind + " " + std::to_string(it.count);
    return text;
}

} // namespace

class KernelContradictionsTest : public QObject {
    Q_OBJECT

private slots:
    void anInterruptRecordedTwiceEndsWithItsExit()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).irq(10, 0, "entry", 36).irq(12, 0, "entry", 36).irq(14, 0, "exit", 36).irq(14, 0, "exit", 36);
        s.sw(20, 0, 7, R, 8).sw(40, 0, 8, R, 7).run(50);
        COMPARE_STATES(
            s, "cpu:0",
            "running(t7 (7)) 0-10, unknown 10-12, irq(eth0) 12-14, running(t7 (7)) 14-20, running(t8 (8)) 20-40, running(t7 (7)) 40-50");
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-12, interrupted(eth0) 12-14, running 14-20, preempted 20-40, running 40-50");
        COMPARE_STATES(s, "cpu:0/irq:36", "inactive 0-10, unknown 10-12, active(eth0) 12-14, inactive 14-50");
        COMPARE_STATES(s, "irq:36", "inactive 0-10, unknown 10-12, active(eth0) 12-14, inactive 14-50");
        QCOMPARE(anomalies(s), std::string("interrupt-without-exit 1"));
    }

    void anInterruptRecordedTwiceAtOneTimeIsOne()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).irq(10, 0, "entry", 36).irq(10, 0, "entry", 36).irq(14, 0, "exit", 36).irq(14, 0, "exit", 36);
        s.sw(20, 0, 7, R, 8).run(50);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, irq(eth0) 10-14, running(t7 (7)) 14-20, running(t8 (8)) 20-50");
        COMPARE_STATES(s, "cpu:0/irq:36", "inactive 0-10, active(eth0) 10-14, inactive 14-50");
    }

    void noInterruptOutlivesASwitch()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).irq(10, 0, "entry", 36).sw(20, 0, 7, R, 8).sw(40, 0, 8, R, 7).run(50);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-20, running(t8 (8)) 20-40, running(t7 (7)) 40-50");
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-20, preempted 20-40, running 40-50");
        COMPARE_STATES(s, "irq:36", "inactive 0-10, unknown 10-20, inactive 20-50");
        QCOMPARE(anomalies(s), std::string("interrupt-without-exit 1"));
    }

    void noSoftirqOutlivesASwitch()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).softirq(5, 0, "raise", 1).softirq(10, 0, "entry", 1).sw(20, 0, 7, R, 8).run(50);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-20, running(t8 (8)) 20-50");
        COMPARE_STATES(s, "softirq:1", "inactive 0-5, raised 5-10, unknown 10-20, inactive 20-50");
    }

    void aRealTimeKernelPreemptsSoftirqs()
    {
        KernelScript s;
        s.environment("kernel_version", "#1 SMP PREEMPT_RT Debian 6.1.90-1");
        s.sw(0, 0, 0, R, 7).softirq(10, 0, "entry", 1).sw(20, 0, 7, R, 8).irq(22, 0, "entry", 36).irq(24, 0, "exit", 36);
        s.sw(30, 0, 8, S, 7).softirq(40, 0, "exit", 1).sw(45, 0, 7, S, 0).run(50);
        COMPARE_STATES(s, "tid:7",
                       "running 0-10, interrupted(TIMER) 10-20, preempted 20-30, interrupted(TIMER) 30-40, running 40-45, sleeping 45-50");
        COMPARE_STATES(s, "softirq:1", "inactive 0-10, active(TIMER) 10-20, inactive 20-30, active(TIMER) 30-40, inactive 40-50");
        QCOMPARE(anomalies(s), std::string());
    }

    void thatSoftirqsArePreemptedIsFoundOut()
    {
        KernelScript s; // The kernel's version is unknown.
        s.sw(0, 0, 0, R, 7).softirq(10, 0, "entry", 1).sw(20, 0, 7, R, 8).sw(30, 0, 8, S, 7).softirq(40, 0, "exit", 1);
        s.softirq(50, 0, "entry", 1).sw(60, 0, 7, R, 8).sw(70, 0, 8, S, 7).softirq(80, 0, "exit", 1).run(90);
        COMPARE_STATES(s, "softirq:1",
                       "inactive 0-10, unknown 10-20, inactive 20-50, active(TIMER) 50-60, inactive 60-70, "
                       "active(TIMER) 70-80, inactive 80-90");
        QCOMPARE(anomalies(s), std::string());
    }

    void otherKernelsDoNot()
    {
        KernelScript s;
        s.environment("kernel_version", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.90-1");
        s.sw(0, 0, 0, R, 7).softirq(10, 0, "entry", 1).sw(20, 0, 7, R, 8).sw(30, 0, 8, S, 7).softirq(40, 0, "exit", 1).run(50);
        COMPARE_STATES(s, "softirq:1", "inactive 0-10, unknown 10-20, inactive 20-50");
        QCOMPARE(anomalies(s), std::string("interrupt-without-exit 1"));
    }

    void noInterruptOutlivesASystemCallOfItsCpu()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).call(5, 0, "read").irq(10, 0, "entry", 36).ret(20, 0, "read").call(30, 0, "write").ret(40, 0, "write").run(50);
        COMPARE_STATES(
            s, "tid:7",
            "running 0-5, running-syscall(read) 5-10, unknown 10-20, running-user 20-30, running-syscall(write) 30-40, running-user 40-50");
        COMPARE_STATES(
            s, "cpu:0",
            "running(t7 (7)) 0-5, syscall(t7 (7)) 5-10, unknown 10-20, user(t7 (7)) 20-30, syscall(t7 (7)) 30-40, user(t7 (7)) 40-50");
    }

    void anExitWithoutEntryShowsThatTheThreadLeftUserModeUnseen()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).call(5, 0, "read").ret(10, 0, "read").ret(20, 0, "write").call(30, 0, "read").ret(40, 0, "read").run(50);
        COMPARE_STATES(s, "tid:7",
                       "running 0-5, running-syscall(read) 5-10, running-user 10-11, running 11-20, running-user 20-30, "
                       "running-syscall(read) 30-40, running-user "
                       "40-50");
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-5, syscall(t7 (7)) 5-10, user(t7 (7)) 10-11, running(t7 (7)) 11-20, user(t7 (7)) 20-30, "
                       "syscall(t7 (7)) 30-40, user(t7 "
                       "(7)) 40-50");
    }

    void aSoftirqWithoutExitEndsWithTheNextOne()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).softirq(10, 0, "entry", 1).softirq(14, 0, "entry", 3).softirq(16, 0, "exit", 3).sw(20, 0, 7, R, 8).run(50);
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-10, unknown 10-14, softirq(NET_RX) 14-16, running(t7 (7)) 16-20, running(t8 (8)) 20-50");
        COMPARE_STATES(s, "softirq:1", "inactive 0-10, unknown 10-14, inactive 14-50");
    }

    void anInterruptWithinAnotherIsOverWhenThatComesAgain()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).irq(10, 0, "entry", 36).irq(12, 0, "entry", 37, "disk").irq(20, 0, "entry", 36).irq(22, 0, "exit", 36);
        s.sw(30, 0, 7, R, 8).run(50);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-20, irq(eth0) 20-22, running(t7 (7)) 22-30, running(t8 (8)) 30-50");
        COMPARE_STATES(s, "irq:37", "inactive 0-12, unknown 12-20, inactive 20-50");
        QCOMPARE(anomalies(s), std::string("interrupt-without-exit 2"));
    }

    void anInterruptWithoutExitIsUnknownAlsoBeforeOthersCameInIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).softirq(10, 0, "entry", 9).irq(12, 0, "entry", 36).irq(14, 0, "exit", 36).sw(20, 0, 7, R, 8).run(50);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-20, running(t8 (8)) 20-50");
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-20, preempted 20-50");
        COMPARE_STATES(s, "irq:36", "inactive 0-12, active(eth0) 12-14, inactive 14-50");
    }

    void nestedInterruptsKeepTheirTimes()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).softirq(10, 0, "entry", 3).irq(12, 0, "entry", 36).irq(14, 0, "exit", 36).softirq(16, 0, "exit", 3);
        s.sw(20, 0, 7, R, 8).run(50);
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-10, softirq(NET_RX) 10-12, irq(eth0) 12-14, softirq(NET_RX) 14-16, running(t7 (7)) 16-20, "
                       "running(t8 (8)) 20-50");
        QCOMPARE(anomalies(s), std::string());
    }

    void aSecondWakeUpShowsThatAStepIsMissing()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).sw(5, 0, 7, S, 0).waking(10, 0, 7, 0).waking(30, 0, 7, 0).sw(40, 0, 0, R, 7).run(50);
        COMPARE_STATES(s, "tid:7", "running 0-5, sleeping 5-10, unknown 10-30, wait-cpu 30-40, running 40-50");
        QCOMPARE(s.links(LinkKind::Wakeup),
                 std::string("wakeup cpu:0>tid:7 10-10 cpu 0 target 0\nwakeup cpu:0>tid:7 30-30 cpu 0 target 0 ran 0"));
        QCOMPARE(anomalies(s), std::string("contradicting-events 1"));
    }

    void wakingAndWakeupAreOneWakeUp()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).sw(5, 0, 7, S, 0).waking(10, 0, 7, 0).wakeup(12, 0, 7, 0).sw(40, 0, 0, R, 7).run(50);
        COMPARE_STATES(s, "tid:7", "running 0-5, sleeping 5-10, wait-cpu 10-40, running 40-50");
        QCOMPARE(anomalies(s), std::string());
    }

    /// Property: a thread may be preempted after it has decided to sleep. It is then still runnable when it is woken, and this is not
    /// reported as an anomaly.
    void aPreemptedThreadMayBeWoken()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).sw(5, 0, 7, 256, 8).waking(10, 0, 7, 0).sw(40, 0, 8, S, 7).run(50);
        COMPARE_STATES(s, "tid:7", "running 0-5, preempted 5-40, running 40-50");
        QCOMPARE(anomalies(s), std::string());
    }

    void kernelThreadsAndIdleCpusMakeNoSystemCalls()
    {
        KernelScript s;
        s.declare("sched_process_exec", {{"filename", "/bin/x"}, {"tid", 1}, {"old_tid", 1}});
        s.dump(0, 15, 15, 2, 1, 5).sw(10, 0, 0, R, 15).call(30, 0, "getpid").ret(35, 0, "getpid").sw(50, 0, 7, S, 0).call(60, 0, "read");
        s.run(70);
        COMPARE_STATES(s, "tid:15", "waiting 0-10, running-kernel 10-11, unknown 11-70");
        COMPARE_STATES(s, "cpu:0", "unknown 0-10, kernel(t15 (15)) 10-11, unknown 11-70");
    }

    void aSwitchThatDoesNotFollowTheOneBeforeIsReported()
    {
        KernelScript s;
        s.sw(0, 0, 0, R, 7).sw(10, 0, 8, S, 9).run(20);
        COMPARE_STATES(s, "cpu:0/thread", "running(tid:7) 0-1, unknown 1-10, running(tid:9) 10-20");
        QCOMPARE(anomalies(s), std::string("contradicting-events 1"));
    }
};

HELIO_TEST(KernelContradictionsTest)
#include "tst_kernel_contradictions.moc"
