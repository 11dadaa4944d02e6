#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using helio::LinkKind;
using helio::test::KernelScript;

namespace {

constexpr auto S = 1;
constexpr auto P = 256;

} // namespace

#define COMPARE_LINKS(script, kind, expected) QCOMPARE(QString::fromStdString((script).links(kind)), QString(expected))

class KernelResourcesTest : public QObject {
    Q_OBJECT
private slots:
    void aCpuNamesItsThread()
    {
        KernelScript s;
        s.event(0, 0, "irq_softirq_raise", {{"vec", 1}}).sw(10, 0, 0, 0, 7).sw(20, 0, 7, S, 8).sw(30, 0, 8, S, 0).run(40);
        COMPARE_STATES(s, "cpu:0/thread", "unknown 0-10, running(tid:7) 10-20, running(tid:8) 20-30, idle 30-40");
    }

    void anIrqInsideASoftirqInsideASystemCallComesFirst()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).call(10, 0, "read").softirq(20, 0, "entry", 3).irq(30, 0, "entry", 27).irq(40, 0, "exit", 27);
        s.softirq(50, 0, "exit", 3).ret(60, 0, "read").run(70);
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-10, syscall(t7 (7)) 10-20, softirq(NET_RX) 20-30, irq(eth0) 30-40, softirq(NET_RX) 40-50, "
                       "syscall(t7 (7)) 50-60, user(t7 (7)) 60-70");
        COMPARE_STATES(s, "tid:7",
                       "running 0-10, running-syscall(read) 10-20, interrupted(NET_RX) 20-30, interrupted(eth0) 30-40, "
                       "interrupted(NET_RX) 40-50, running-syscall(read) 50-60, running-user 60-70");
        COMPARE_STATES(s, "cpu:0/irq:27", "inactive 0-30, active(eth0) 30-40, inactive 40-70");
        COMPARE_STATES(s, "cpu:0/softirq:3", "inactive 0-20, active(NET_RX) 20-50, inactive 50-70");
    }

    void anIdleCpuThatIsInterruptedIsNotIdle()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).irq(10, 0, "entry", 27).irq(20, 0, "exit", 27).run(30);
        COMPARE_STATES(s, "cpu:0", "idle 0-10, irq(eth0) 10-20, idle 20-30");
    }

    void aSoftirqRaisedWhileOneRunsDoesNotKeepItsThreadInterrupted()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).softirq(5, 0, "raise", 1).softirq(10, 0, "entry", 1).softirq(12, 0, "raise", 9).softirq(15, 0, "raise", 1);
        s.softirq(20, 0, "exit", 1).softirq(30, 0, "entry", 9).softirq(40, 0, "exit", 9).run(50);
        COMPARE_STATES(s, "tid:7", "running 0-10, interrupted(TIMER) 10-20, running 20-30, interrupted(RCU) 30-40, running 40-50");
        COMPARE_STATES(s, "cpu:0/softirq:1", "inactive 0-5, raised 5-10, active(TIMER) 10-20, raised 20-50");
        COMPARE_STATES(s, "softirq:9", "inactive 0-12, raised 12-30, active(RCU) 30-40, inactive 40-50");
    }

    void anIrqOverAllCpusIsActiveAsLongAsOneHandlesIt()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).sw(0, 1, 8, S, 0).irq(10, 0, "entry", 27).irq(15, 1, "entry", 27).irq(20, 0, "exit", 27).irq(25, 1, "exit", 27);
        s.run(30);
        COMPARE_STATES(s, "irq:27", "inactive 0-10, active(eth0) 10-25, inactive 25-30");
        QCOMPARE(s.row("irq:27")->label, std::string("eth0 (27)"));
    }

    void anExitWithoutAnEntryChangesNothing()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).irq(5, 0, "entry", 27).irq(10, 0, "exit", 28).softirq(11, 0, "exit", 3).irq(20, 0, "exit", 27);
        s.irq(25, 0, "exit", 27);
        s.run(30);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-5, irq(eth0) 5-20, running(t7 (7)) 20-30");
        QVERIFY(!s.row("cpu:0/irq:28"));
    }

    void vectorsAreRowsByTheirNumber()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).event(10, 0, "x86_irq_vectors_reschedule_entry", {{"vector", 253}});
        s.event(20, 0, "x86_irq_vectors_reschedule_exit", {{"vector", 253}}).run(30);
        COMPARE_STATES(s, "cpu:0/ipi:253", "inactive 0-10, active(reschedule) 10-20, inactive 20-30");
        COMPARE_STATES(s, "cpu:0", "idle 0-10, irq(reschedule) 10-20, idle 20-30");
        QCOMPARE(s.row("ipi:253")->label, std::string("reschedule (253)"));
        QCOMPARE(s.row("ipi:253")->kind, std::string("irq"));
    }

    void frequenciesBelongToTheCpuTheyName()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).event(10, 0, "power_cpu_frequency", {{"state", 1800000}, {"cpu_id", 1}});
        s.event(20, 0, "power_cpu_frequency", {{"state", 2400000}, {"cpu_id", 1}}).run(30);
        COMPARE_STATES(s, "cpu:1/frequency", "1800000 10-20, 2400000 20-30");
    }

    void lostEventsEndWhatIsKnownOfFrequencies_data()
    {
        QTest::addColumn<bool>("isSeenAtBegin");
        QTest::newRow("seen when it begins") << true;
        QTest::newRow("seen when it is over") << false;
    }
    void lostEventsEndWhatIsKnownOfFrequencies()
    {
        QFETCH(bool, isSeenAtBegin);
        const auto to = [](int kHz, int cpu) { return helio::test::Fields{{"state", kHz}, {"cpu_id", cpu}}; };
        KernelScript s;
        s.event(10, 0, "power_cpu_frequency", to(1800000, 0)).event(12, 0, "power_cpu_frequency", to(1900000, 1));
        // The frequency before this event is unknown: CPU 1 lost events, and it may have set CPU 0's frequency.
        s.event(25, 0, "power_cpu_frequency", to(2000000, 0));
        s.event(40, 0, "power_cpu_frequency", to(2400000, 0)).event(50, 0, "power_cpu_frequency", to(0, 0));
        s.event(60, 0, "power_cpu_frequency", to(1000000, 0)).loss(1, 20, 30);
        s.run(70, isSeenAtBegin ? KernelScript::Gaps::ReportedAtBegin : KernelScript::Gaps::ReportedAtEnd);
        COMPARE_STATES(s, "cpu:0/frequency", "1800000 10-20, 2400000 40-50, 1000000 60-70");
        COMPARE_STATES(s, "cpu:1/frequency", "1900000 12-20");
    }

    void rowsAreOrderedCpusFirstThenInterruptsByNumber()
    {
        KernelScript s;
        s.softirq(0, 1, "entry", 1).softirq(1, 1, "exit", 1).irq(2, 0, "entry", 300).irq(3, 0, "exit", 300).irq(4, 0, "entry", 27);
        s.irq(5, 0, "exit", 27);
        s.event(6, 0, "x86_irq_vectors_local_timer_entry", {{"vector", 236}})
            .event(7, 0, "power_cpu_frequency", {{"state", 1}, {"cpu_id", 0}});
        s.run(10);
        const auto below = [&](const char* parent) {
            std::vector<std::pair<std::int32_t, std::string>> rows;
            for (const helio::Track& track : s.store().tracks()) {
                if (track.view == "resources" && s.keyOf(track.parent) == parent)
                    rows.emplace_back(track.sortKey, track.key);
            }
            std::sort(rows.begin(), rows.end());
            QString text;
            for (const auto& [key, name] : rows)
                text += QString::fromStdString(name) + ' ';
            return text.trimmed();
        };
        QCOMPARE(below("none"), QString("cpu:0 cpu:1 irq:27 irq:300 ipi:236 softirq:1"));
        QCOMPARE(below("cpu:0"), QString("cpu:0/thread cpu:0/frequency cpu:0/irq:27 cpu:0/irq:300 cpu:0/ipi:236"));
    }

    void wakeUpsAreReportedByTheirWakingEvent()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).waking(10, 0, 7, 1).irq(20, 0, "entry", 27).waking(21, 0, 8, 0).irq(22, 0, "exit", 27).wakeup(30, 1, 7, 1);
        s.sw(40, 0, 5, S, 0).waking(50, 0, 9, 0).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup tid:5>tid:7 10-10 cpu 0 target 1\n"
                      "wakeup cpu:0>tid:8 21-21 cpu 0 (eth0) target 0\n"
                      "wakeup cpu:0>tid:9 50-50 cpu 0 target 0");
    }

    /// Input: wake-ups in interrupts that have no events. Property: the waker follows from common_flags, in which ftrace and perf mark
    /// hard interrupts (0x08) and softirqs (0x10); 0x01 only means that interrupts are off.
    void whatAnEventIsMarkedWithIsTheWaker()
    {
        const auto wakings = [](const char* release, std::initializer_list<std::int64_t> allFlags) {
            KernelScript s(release);
            s.sw(0, 0, 0, 0, 5);
            std::int64_t time = 10;
            for (const std::int64_t flags : allFlags)
                s.event(++time, 0, "sched_waking", {{"tid", 7}, {"target_cpu", 0}, {"common_flags", flags}});
            s.irq(20, 0, "entry", 27).event(21, 0, "sched_waking", {{"tid", 7}, {"target_cpu", 0}, {"common_flags", 9}}).run(60);
            return QString::fromStdString(s.links(LinkKind::Wakeup)).remove("wakeup ").remove(" cpu 0").remove(" target 0");
        };
        QCOMPARE(wakings("6.1.0", {0, 1, 9, 0x11, 0x19, 0x35, 0x41}),
                 QString("tid:5>tid:7 11-11\n"
                         "tid:5>tid:7 12-12\n"
                         "cpu:0>tid:7 13-13 (interrupt)\n"
                         "cpu:0>tid:7 14-14 (softirq)\n"
                         "cpu:0>tid:7 15-15 (interrupt)\n"
                         "cpu:0>tid:7 16-16 (softirq)\n"
                         "cpu:0>tid:7 17-17 (interrupt)\n"
                         "cpu:0>tid:7 21-21 (eth0)"));
        // Old kernels such as 4.4 set the softirq flag (0x10) also for threads that have softirqs disabled, so a wake-up with 0x11 is
        // attributed to the thread.
        QCOMPARE(wakings("4.4.0", {0x11, 9}), QString("tid:5>tid:7 11-11\ncpu:0>tid:7 12-12 (interrupt)\ncpu:0>tid:7 21-21 (eth0)"));
    }

    void withoutWakingEventsAWakeupIsTheLink()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).wakeup(10, 0, 7, 1).wake("sched_wakeup_new", 20, 0, 8, 0).run(30);
        COMPARE_LINKS(s, LinkKind::Wakeup, "wakeup tid:5>tid:7 10-10 cpu 0 target 1\nwakeup tid:5>tid:8 20-20 cpu 0 target 0");
    }

    /// Property: a woken thread's CPU is the CPU of its next switch-in, because sched_waking names the CPU used before.
    void aWokenThreadRunsWhereItIsSwitchedIn()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 6).waking(10, 0, 7, 0).wakeup(11, 0, 7, 2).sw(20, 2, 0, 0, 7).sw(30, 2, 7, S, 0);
        s.waking(40, 1, 7, 2).sw(50, 1, 6, S, 7).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup tid:5>tid:7 10-10 cpu 0 target 0 ran 2\n"
                      "wakeup tid:6>tid:7 40-40 cpu 1 target 2 ran 1");
    }

    void theLastWakeUpBeforeARunLeadsToIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).waking(10, 0, 7, 0).waking(12, 0, 7, 0).sw(20, 3, 0, 0, 7).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup tid:5>tid:7 10-10 cpu 0 target 0\n"
                      "wakeup tid:5>tid:7 12-12 cpu 0 target 0 ran 3");
    }

    /// Property: a thread that is woken while it runs stays on its CPU, so the wake-up leads to no switch-in. The sched_wakeup that follows
    /// the sched_waking proves it.
    void aRunningThreadGoesOnWhereItIs()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 7).waking(10, 0, 7, 1).wakeup(11, 0, 7, 1).sw(20, 1, 7, S, 0).waking(30, 0, 7, 1);
        s.sw(40, 2, 0, 0, 7).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup tid:5>tid:7 10-10 cpu 0 target 1 ran 1\n"
                      "wakeup tid:5>tid:7 30-30 cpu 0 target 1 ran 2");
    }

    /// Property: a wake-up just before its thread sleeps ends this sleep. The waker may come that early (try_to_wake_up() waits for
    /// p->on_cpu).
    void aWakeUpJustBeforeTheSleepEndsIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 7).waking(10, 0, 7, 1).sw(11, 1, 7, S, 0).wakeup(13, 0, 7, 2).sw(20, 2, 0, 0, 7).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup, "wakeup tid:5>tid:7 10-10 cpu 0 target 1 ran 2");
    }

    void whereAThreadRanInAGapIsNotKnown()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 0, 0, 6).waking(10, 0, 7, 1).loss(1, 15, 30).sw(40, 0, 5, S, 7).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup, "wakeup tid:5>tid:7 10-10 cpu 0 target 1");
    }

    void interruptsNestAndTheInnermostWakes()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).softirq(10, 0, "entry", 3).waking(11, 0, 7, 0).irq(12, 0, "entry", 27, "eth0").waking(13, 0, 8, 0);
        s.irq(14, 0, "exit", 27).waking(15, 0, 9, 0).softirq(16, 0, "exit", 3).waking(17, 0, 10, 0).run(20);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup cpu:0>tid:7 11-11 cpu 0 (NET_RX) target 0\n"
                      "wakeup cpu:0>tid:8 13-13 cpu 0 (eth0) target 0\n"
                      "wakeup cpu:0>tid:9 15-15 cpu 0 (NET_RX) target 0\n"
                      "wakeup tid:5>tid:10 17-17 cpu 0 target 0");
    }

    /// Input: the names of interrupt vectors and timers in LTTng, perf and ftrace. Property: a timer's wake-up is attributed to the
    /// interrupt vector if its events are recorded, otherwise to the timer.
    void timersWakeInTheInterruptOrByThemselves_data()
    {
        QTest::addColumn<QString>("vector");
        QTest::addColumn<QString>("timer");
        helio::test::addRow("lttng", "x86_irq_vectors_local_timer_", "timer_hrtimer_expire_");
        helio::test::addRow("perf", "irq_vectors:local_timer_", "timer:hrtimer_expire_");
        helio::test::addRow("ftrace", "local_timer_", "hrtimer_expire_");
    }
    void timersWakeInTheInterruptOrByThemselves()
    {
        QFETCH(QString, vector);
        QFETCH(QString, timer);
        KernelScript s;
        const auto at = [&](std::int64_t time, const QString& name, const char* what) {
            s.event(time, 0, (name + what).toStdString(), {{"vector", 236}});
        };
        s.sw(0, 0, 0, 0, 5);
        at(10, vector, "entry"), at(11, timer, "entry"), s.waking(12, 0, 7, 0), at(13, timer, "exit"), at(14, vector, "exit");
        at(20, timer, "entry"), s.waking(21, 0, 8, 0), at(22, timer, "exit"), s.waking(23, 0, 9, 0);
        s.softirq(30, 0, "entry", 8), at(31, timer, "entry"), s.waking(32, 0, 10, 0), at(33, timer, "exit"), s.softirq(34, 0, "exit", 8);
        // A softirq interrupted by a vector whose events are not recorded: the timer's wake-up is not attributed to the softirq.
        s.softirq(40, 0, "entry", 9), at(41, timer, "entry"), s.waking(42, 0, 11, 0), at(43, timer, "exit"), s.waking(44, 0, 12, 0);
        s.softirq(45, 0, "exit", 9).run(50);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup cpu:0>tid:7 12-12 cpu 0 (local_timer) target 0\n"
                      "wakeup cpu:0>tid:8 21-21 cpu 0 (hrtimer) target 0\n"
                      "wakeup tid:5>tid:9 23-23 cpu 0 target 0\n"
                      "wakeup cpu:0>tid:10 32-32 cpu 0 (HRTIMER) target 0\n"
                      "wakeup cpu:0>tid:11 42-42 cpu 0 (hrtimer) target 0\n"
                      "wakeup cpu:0>tid:12 44-44 cpu 0 (RCU) target 0");
    }

    void schedulingSkipsTheIdleThread()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).sw(10, 0, 0, 0, 7).sw(20, 0, 7, P, 8).sw(30, 0, 8, S, 0).sw(40, 0, 0, 0, 8).run(50);
        COMPARE_LINKS(s, LinkKind::Sched,
                      "sched tid:5>tid:7 0-10 cpu 0\n"
                      "sched tid:7>tid:8 20-20 cpu 0\n"
                      "sched tid:8>tid:8 30-40 cpu 0");
    }

    void migrationsLinkCpus()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).sw(0, 1, 8, S, 0).waking(5, 0, 7, 0);
        s.event(10, 0, "sched_migrate_task", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}, {"orig_cpu", 0}, {"dest_cpu", 1}}).run(20);
        COMPARE_LINKS(s, LinkKind::Migration, "migration cpu:0>cpu:1 10-10 cpu 0 (t7 (7))");
        COMPARE_STATES(s, "tid:7", "unknown 0-5, wait-cpu 5-20");
    }

    void aMigrationOfASleepingThreadDoesNotWakeIt()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0);
        s.event(10, 0, "sched_migrate_task", {{"comm", "t7"}, {"tid", 7}, {"prio", 20}, {"orig_cpu", 0}, {"dest_cpu", 1}}).run(20);
        COMPARE_STATES(s, "tid:7", "sleeping 0-20");
    }

    void aCpuNumberThatNoMachineHasIsIgnored()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 2'000'000'000, 0, 0, 8).sw(15, -1, 0, 0, 8).waking(20, 0, 9, 1'999'999'999).run(30);
        QVERIFY(s.store().tracks().size() < 20);
        COMPARE_STATES(s, "tid:7", "running 0-30");
        COMPARE_STATES(s, "tid:9", "unknown 0-20, wait-cpu 20-30");
    }
};

HELIO_TEST(KernelResourcesTest)
#include "tst_kernel_resources.moc"
