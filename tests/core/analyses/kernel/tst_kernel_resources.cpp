#include "kernel_script.h"

#include <QTest>

using helio::LinkKind;
using helio::test::KernelScript;

namespace {

constexpr auto S = 1;
constexpr auto P = 256;

} // namespace

#define COMPARE_STATES(script, key, expected) QCOMPARE(QString::fromStdString((script).states(key)), QString(expected))
#define COMPARE_LINKS(script, kind, expected) QCOMPARE(QString::fromStdString((script).links(kind)), QString(expected))

class KernelResourcesTest : public QObject {
    Q_OBJECT
private slots:
    void aCpuTellsItsThread()
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
        s.sw(0, 0, 0, 0, 7)
            .irq(5, 0, "entry", 27)
            .irq(10, 0, "exit", 28)
            .softirq(11, 0, "exit", 3)
            .irq(20, 0, "exit", 27)
            .irq(25, 0, "exit", 27);
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

    void rowsAreOrderedCpusFirstThenInterruptsByNumber()
    {
        KernelScript s;
        s.softirq(0, 1, "entry", 1)
            .softirq(1, 1, "exit", 1)
            .irq(2, 0, "entry", 300)
            .irq(3, 0, "exit", 300)
            .irq(4, 0, "entry", 27)
            .irq(5, 0, "exit", 27);
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

    void wakeUpsAreToldByTheirWakingEvent()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).waking(10, 0, 7, 1).irq(20, 0, "entry", 27).waking(21, 0, 8, 0).irq(22, 0, "exit", 27).wakeup(30, 1, 7, 1);
        s.sw(40, 0, 5, S, 0).waking(50, 0, 9, 0).run(60);
        COMPARE_LINKS(s, LinkKind::Wakeup,
                      "wakeup tid:5>tid:7 10-10 cpu 1\n"
                      "wakeup tid:5>tid:8 21-21 cpu 0 (eth0)\n"
                      "wakeup none>tid:9 50-50 cpu 0");
    }

    void withoutWakingEventsAWakeupIsTheLink()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 5).wakeup(10, 0, 7, 1).wake("sched_wakeup_new", 20, 0, 8, 0).run(30);
        COMPARE_LINKS(s, LinkKind::Wakeup, "wakeup tid:5>tid:7 10-10 cpu 1\nwakeup tid:5>tid:8 20-20 cpu 0");
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

QTEST_APPLESS_MAIN(KernelResourcesTest)
#include "tst_kernel_resources.moc"
