#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using helio::test::KernelScript;

namespace {

constexpr auto S = 1;
constexpr auto P = 256;

} // namespace

class KernelLossesTest : public QObject {
    Q_OBJECT
private slots:
    void theCpuAndItsThreadAreUnknownUntilReportedOtherwise_data()
    {
        QTest::addColumn<bool>("isReportedAtBegin");
        QTest::newRow("gap reported at its begin") << true;
        QTest::newRow("gap reported at its end") << false;
    }
    void theCpuAndItsThreadAreUnknownUntilReportedOtherwise()
    {
        QFETCH(bool, isReportedAtBegin);
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).ret(5, 0, "read").loss(0, 10, 20).sw(30, 0, 8, S, 7).sw(40, 0, 7, S, 0);
        s.run(50, isReportedAtBegin ? KernelScript::Gaps::ReportedAtBegin : KernelScript::Gaps::ReportedAtEnd);
        COMPARE_STATES(s, "cpu:0",
                       "running(t7 (7)) 0-5, user(t7 (7)) 5-10, unknown 10-20, running(t8 (8)) 20-30, running(t7 (7)) 30-40, idle 40-50");
        COMPARE_STATES(s, "cpu:0/thread", "running(tid:7) 0-10, unknown 10-20, running(tid:8) 20-30, running(tid:7) 30-40, idle 40-50");
        COMPARE_STATES(s, "tid:7", "running 0-5, running-user 5-10, unknown 10-30, running 30-40, sleeping 40-50");
        COMPARE_STATES(s, "tid:8", "unknown 0-20, running 20-30, sleeping 30-50");
    }

    void aSystemCallOfAKernelThreadShowsThatASwitchWasLost()
    {
        KernelScript s;
        s.dump(0, 15, 15, 2, 1, 5).loss(1, 1, 2).sw(10, 0, 0, 0, 15).softirq(20, 0, "raise", 1).call(30, 0, "getpid").loss(0, 30, 40);
        s.sw(50, 0, 0, 0, 15).sw(60, 0, 15, S, 0).run(70);
        COMPARE_STATES(s, "tid:15", "waiting 0-10, running-kernel 10-20, unknown 20-50, running-kernel 50-60, sleeping 60-70");
        COMPARE_STATES(s, "cpu:0", "unknown 0-10, kernel(t15 (15)) 10-20, unknown 20-40, idle 40-50, kernel(t15 (15)) 50-60, idle 60-70");
    }

    void aSystemCallOfTheIdleThreadShowsThatASwitchWasLost()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 0).loss(1, 1, 2).softirq(20, 0, "raise", 1).call(30, 0, "getpid").sw(50, 0, 8, S, 0).run(70);
        COMPARE_STATES(s, "cpu:0", "idle 0-20, unknown 20-50, idle 50-70");
    }

    void aContextShowsThatASwitchWasLost()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).loss(1, 1, 2).softirq(10, 0, "raise", 1);
        s.event(20, 0, "syscall_entry_write", {{"$tid", 9}, {"fd", 1}}).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-30");
        COMPARE_STATES(s, "tid:9", "unknown 0-20, running-syscall(write) 20-30");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-20, syscall((9)) 20-30");
    }

    void threadsQueuedOnTheCpuAreUnknown()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(2, 1, 0, 0, 6).sw(5, 0, 7, P, 8).waking(6, 1, 9, 0).waking(7, 1, 10, 1).loss(0, 10, 20).sw(30, 1, 6, S, 7);
        s.run(50);
        COMPARE_STATES(s, "tid:7", "running 0-5, preempted 5-10, unknown 10-30, running 30-50");
        COMPARE_STATES(s, "tid:9", "unknown 0-6, wait-cpu 6-10, unknown 10-50");
        COMPARE_STATES(s, "tid:10", "unknown 0-7, wait-cpu 7-50");
    }

    void otherThreadsKeepTheirStates()
    {
        KernelScript s;
        s.sw(0, 0, 7, S, 8).sw(2, 1, 0, 0, 6).loss(0, 10, 20).waking(30, 1, 7, 1).run(50);
        COMPARE_STATES(s, "tid:7", "sleeping 0-30, wait-cpu 30-50");
        COMPARE_STATES(s, "tid:6", "unknown 0-2, running 2-50");
    }

    void aThreadWhoseNextEventShowsAMissingStepIsUnknownSinceTheGapsBegin()
    {
        KernelScript s;
        s.waking(0, 1, 5, 1).sw(1, 0, 7, S, 8).loss(0, 10, 20).sw(30, 1, 0, 0, 7).sw(35, 1, 7, S, 0).loss(0, 40, 45).sw(50, 1, 7, S, 0);
        s.run(60);
        COMPARE_STATES(s, "tid:7",
                       "unknown 0-1, sleeping 1-10, unknown 10-30, running 30-35, sleeping 35-40, unknown 40-50, sleeping 50-60");
    }

    void aThreadSeenOnAnotherCpuLeftTheFirstWithoutBeingSeen()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).softirq(5, 0, "raise", 1).sw(15, 1, 0, 0, 7).loss(0, 5, 20).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-5, unknown 5-15, running 15-30");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-5, unknown 5-30");
        COMPARE_STATES(s, "cpu:1", "unknown 0-15, running(t7 (7)) 15-30");
    }

    void aGapOnAnotherCpuExplainsAMissingStepAlsoWhileItLasts()
    {
        KernelScript s;
        s.waking(0, 1, 5, 1).sw(1, 0, 7, S, 8).loss(0, 10, 40).sw(30, 1, 0, 0, 7).sw(35, 1, 7, S, 0).run(60);
        COMPARE_STATES(s, "tid:7", "unknown 0-1, sleeping 1-10, unknown 10-30, running 30-35, sleeping 35-60");
    }

    void aThreadWokenOntoALossyCpuIsUnknown()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 8).sw(1, 1, 7, S, 6).loss(0, 10, 40).waking(20, 1, 7, 0).sw(50, 0, 8, S, 7).run(60);
        COMPARE_STATES(s, "tid:7", "unknown 0-1, sleeping 1-20, unknown 20-50, running 50-60");
    }

    void whatAnotherChannelReportsInAGapIsNotTakenForTheWhole()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).loss(0, 10, 40).irq(15, 0, "entry", 27).irq(16, 0, "exit", 27).sw(20, 0, 7, S, 8).sw(50, 0, 8, S, 0).run(60);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-40, running(t8 (8)) 40-50, idle 50-60");
        COMPARE_STATES(s, "cpu:0/thread", "running(tid:7) 0-10, unknown 10-40, running(tid:8) 40-50, idle 50-60");
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-20, sleeping 20-60");
        COMPARE_STATES(s, "tid:8", "unknown 0-40, running 40-50, sleeping 50-60");
    }

    void gapsThatOverlapAreOne()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).loss(0, 10, 40).loss(0, 20, 30).sw(50, 0, 7, S, 8).run(60);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-40, running(t7 (7)) 40-50, running(t8 (8)) 50-60");
    }

    void aShortGapInALongOneDoesNotEndIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).loss(0, 10, 40).loss(0, 20, 30).sw(35, 0, 7, S, 8).sw(50, 0, 8, S, 0).run(60);
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-10, unknown 10-40, running(t8 (8)) 40-50, idle 50-60");
    }

    void interruptsAreUnknownInTheGapAndOverAfterIt()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).irq(5, 0, "entry", 27).loss(0, 10, 20).sw(30, 0, 7, S, 0).run(40);
        COMPARE_STATES(s, "cpu:0/irq:27", "inactive 0-5, active(eth0) 5-10, unknown 10-20, inactive 20-40");
        COMPARE_STATES(s, "cpu:0", "running(t7 (7)) 0-5, irq(eth0) 5-10, unknown 10-20, running(t7 (7)) 20-30, idle 30-40");
    }

    void aLossOnAnUnknownCpuConcernsAll()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(0, 1, 0, 0, 8).loss(-1, 10, 20).run(30);
        COMPARE_STATES(s, "tid:7", "running 0-10, unknown 10-30");
        COMPARE_STATES(s, "tid:8", "running 0-10, unknown 10-30");
    }

    void noArrowCrossesAGap()
    {
        KernelScript s;
        s.sw(0, 0, 5, S, 0).loss(0, 10, 20).sw(30, 0, 0, 0, 7).run(40);
        QCOMPARE(s.links(helio::LinkKind::Sched), std::string());
    }
};

HELIO_TEST(KernelLossesTest)
#include "tst_kernel_losses.moc"
