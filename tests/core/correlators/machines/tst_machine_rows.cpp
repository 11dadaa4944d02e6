// Rows of vCPUs and of guest threads. Input: synthetic hosts and guests.

#include "core/query/rows/row_notes.h"
#include "core/virtualization/steal_tables.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes a host's trace: thread 20 of process 10 is vCPU 0; it gets CPU 1 at 5, is preempted by thread 9, halts, and is woken.
std::shared_ptr<KvmScript> hostWithOne()
{
    auto host = std::make_shared<KvmScript>();
    host->dump(0, 20, 10, 1, 0, 5);
    host->dump(1, 9, 9, 1, 0, 5);
    host->sw(5, 1, 0, 0, 20);
    host->entry(8, 1);
    host->exit(100, 1, 0, Interrupt).entry(110, 1);
    host->exit(200, 1, 0, Interrupt);
    host->sw(205, 1, 20, 0, 9);
    host->sw(300, 1, 9, 1, 20);
    host->entry(310, 1);
    host->exit(400, 1, 0, Halt);
    host->sw(410, 1, 20, 1, 0);
    host->waking(500, 1, 20, 1);
    host->sw(520, 1, 0, 0, 20);
    host->entry(530, 1);
    return host;
}

/// Makes a guest's trace: thread 7 runs in user space, interrupted by system calls; the guest is idle from 395 to 540.
std::shared_ptr<KvmScript> guestOfOne()
{
    auto guest = std::make_shared<KvmScript>();
    guest->sw(50, 0, 0, 0, 7);
    guest->call(60, 0, "read");
    guest->ret(70, 0, "read");
    guest->call(320, 0, "write");
    guest->ret(350, 0, "write");
    guest->sw(395, 0, 7, 1, 0);
    guest->sw(540, 0, 0, 0, 7);
    return guest;
}

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

QString textOf(const std::string& text) { return QString::fromStdString(text); }

} // namespace

class MachineRowsTest : public QObject {
    Q_OBJECT

private slots:
    void theHostsHalfIsEnough()
    {
        MadeMachines made;
        made.add(hostWithOne(), "host", 600);
        made.rows();
        QCOMPARE(textOf(made.states("vm:process-10/vcpu:0")),
                 QString("waiting 0-5, hypervisor 5-8, guest 8-100, hypervisor(INTR (96)) 100-110, guest 110-200, hypervisor(INTR (96)) "
                         "200-205, preempted(t9 (9)) 205-300, "
                         "hypervisor(INTR (96)) 300-310, guest 310-400, hypervisor(HLT (120)) 400-410, halted(HLT (120)) 410-500, "
                         "wait-cpu(idle) 500-520, hypervisor(HLT (120)) 520-530, guest 530-600"));
        QCOMPARE(textOf(made.parentOf("vm:process-10/vcpu:0")), QString("vm:process-10"));
    }

    void aGuestSaysWhatItDidMeanwhile()
    {
        MadeMachines made;
        const auto host = made.add(hostWithOne(), "host", 600);
        const auto guest = made.add(guestOfOne(), "a/b", 600);
        made.addHypercall(host, 20, guest);
        made.rows();
        QCOMPARE(
            textOf(made.states("vm:a\\/b/vcpu:0")),
            QString("waiting 0-5, hypervisor 5-8, unknown 8-50, guest(t7 (7)) 50-60, guest-kernel(t7 (7)) 60-70, guest-user(t7 (7)) "
                    "70-100, hypervisor(INTR (96)) 100-110, "
                    "guest-user(t7 (7)) 110-200, hypervisor(INTR (96)) 200-205, preempted(t9 (9)) 205-300, hypervisor(INTR (96)) 300-310, "
                    "guest-user(t7 (7)) 310-320, guest-kernel(t7 (7)) 320-350, guest-user(t7 (7)) 350-395, guest-idle 395-400, "
                    "hypervisor(HLT (120)) 400-410, halted(HLT (120)) 410-500, wait-cpu(idle) 500-520, hypervisor(HLT (120)) 520-530, "
                    "guest-idle 530-540, guest-user(t7 (7)) 540-600"));
        QCOMPARE(textOf(made.states("vm:a\\/b/tid:7")),
                 QString("running 50-60, running-syscall(read) 60-70, running-user 70-205, stolen(t9 (9)) 205-300, running-user 300-320, "
                         "running-syscall(write) 320-350, running-user 350-395, sleeping 395-540, running-user 540-600"));
        QCOMPARE(textOf(made.parentOf("vm:a\\/b/tid:7")), QString("vm:a\\/b"));
    }

    /// Input: a vCPU that is preempted on CPU 1 and continues on CPU 2. Property: the occupants of CPU 1 are the culprits.
    void aVcpuMayMove()
    {
        auto host = std::make_shared<KvmScript>();
        host->dump(0, 20, 10, 1, 0, 5);
        host->sw(1, 2, 0, 0, 8);
        host->sw(5, 1, 0, 0, 20);
        host->entry(10, 1).exit(100, 1, 0, Interrupt);
        host->sw(105, 1, 20, 0, 9);
        host->sw(150, 1, 9, 1, 0);
        host->sw(180, 2, 8, 1, 20);
        host->entry(190, 2).exit(250, 2, 0, Interrupt);
        host->sw(260, 2, 20, 0, 8);
        host->sw(300, 2, 8, 1, 20);
        MadeMachines made;
        made.add(host, "host", 310);
        made.rows();
        QCOMPARE(textOf(made.states("vm:process-10/vcpu:0")),
                 QString("waiting 0-5, hypervisor 5-10, guest 10-100, hypervisor(INTR (96)) 100-105, preempted(t9 (9), idle) 105-180, "
                         "hypervisor(INTR (96)) 180-190, guest 190-250, hypervisor(INTR (96)) 250-260, preempted(t8 (8)) 260-300, "
                         "hypervisor(INTR (96)) 300-310"));
    }

    /// Input: one CPU with both vCPUs of a virtual machine, another thread of the machine's process, and a kernel thread that works for the
    /// machine. Property: each vCPU's row names the threads that had the CPU. As culprits, the second vCPU counts as a sibling, and the two
    /// threads count as the machine's own threads.
    void vcpusOfOneMachineMayTakeEachOther()
    {
        auto host = std::make_shared<KvmScript>();
        for (const int tid : {20, 21, 22})
            host->dump(0, tid, 10, 1, 0, 5);
        host->dump(0, 10, 10, 1, 0, 5);
        host->comes(5, 1, 0, "swapper/1", 0, 20, "CPU 0/KVM");
        host->entry(10, 1, 0).exit(100, 1, 0, Msr, 1);
        host->comes(105, 1, 20, "CPU 0/KVM", 0, 21, "CPU 1/KVM");
        host->entry(110, 1, 1).exit(150, 1, 1, 32, 1);
        host->comes(160, 1, 21, "CPU 1/KVM", 0, 22, "worker");
        host->comes(170, 1, 22, "worker", 1, 30, "vhost-10");
        host->comes(180, 1, 30, "vhost-10", 1, 20, "CPU 0/KVM");
        host->entry(190, 1, 0);
        MadeMachines made;
        made.add(host, "host", 200);
        made.rows();
        QCOMPARE(textOf(made.states("vm:t10-10/vcpu:0")),
                 QString("waiting 0-5, hypervisor 5-10, guest 10-100, hypervisor((124)) 100-105, "
                         "preempted(vm:t10-10/vcpu:1, worker (22), vhost-10 (30)) 105-180, hypervisor((124)) 180-190, guest 190-200"));
        QCOMPARE(textOf(made.states("vm:t10-10/vcpu:1")),
                 QString("waiting 0-105, hypervisor 105-110, guest 110-150, hypervisor(MSR_WRITE (32)) 150-160, "
                         "preempted(vm:t10-10/vcpu:0, worker (22), vhost-10 (30)) 160-200"));
        std::map<std::string, std::string> kinds;
        for (const CulpritSum& it : culpritsOf(made.timeline(), findVirtualMachines(made.timeline()), Always))
            kinds[it.occupant.name] = wordOf(it.occupant.kind);
        QCOMPARE(kinds,
                 (std::map<std::string, std::string>{
                     {"vm:t10-10/vcpu:0", "sibling"}, {"vm:t10-10/vcpu:1", "sibling"}, {"worker (22)", "own"}, {"vhost-10 (30)", "own"}}));
    }

    /// Input: no kvm events. Property: vCPUs are recognized by the threads' names, and idle times by the guest's trace.
    void namesAndSchedulingAreEnough()
    {
        const auto makeHost = [] {
            auto host = std::make_shared<KvmScript>();
            host->dump(0, 20, 10, 1, 0, 5);
            host->comes(5, 1, 0, "swapper/1", 0, 20, "CPU 3/KVM");
            host->comes(205, 1, 20, "CPU 3/KVM", 0, 9, "t9");
            host->comes(300, 1, 9, "t9", 1, 20, "CPU 3/KVM");
            host->comes(410, 1, 20, "CPU 3/KVM", 1, 0, "swapper/1");
            host->waking(500, 1, 20, 1);
            host->comes(520, 1, 0, "swapper/1", 0, 20, "CPU 3/KVM");
            return host;
        };
        MadeMachines alone;
        alone.add(makeHost(), "host", 600);
        alone.rows();
        QCOMPARE(textOf(alone.states("vm:process-10/vcpu:3")),
                 QString("waiting 0-5, guest 5-205, preempted(t9 (9)) 205-300, guest 300-410, waiting 410-500, wait-cpu(idle) 500-520, "
                         "guest 520-600"));

        MadeMachines made;
        const auto host = made.add(makeHost(), "host", 600);
        auto guest = std::make_shared<KvmScript>();
        guest->sw(50, 3, 0, 0, 7);
        guest->sw(395, 3, 7, 1, 0);
        guest->sw(540, 3, 0, 0, 7);
        made.addHypercall(host, 20, made.add(guest, "g", 550), 3);
        made.rows();
        QCOMPARE(
            textOf(made.states("vm:g/vcpu:3")),
            QString(
                "waiting 0-5, unknown 5-50, guest(t7 (7)) 50-205, preempted(t9 (9)) 205-300, guest(t7 (7)) 300-395, guest-idle 395-410, "
                "halted 410-500, wait-cpu(idle) 500-520, guest-idle 520-540, guest(t7 (7)) 540-550, guest 550-600"));
        QCOMPARE(findVirtualMachines(made.timeline())[0].vcpus[0].method, std::string("hypercalls, hypercalls"));
    }

    void aGuestAloneSaysWhatItKnows()
    {
        MadeMachines made;
        made.markAsGuest(made.add(guestOfOne(), "g", 600));
        made.rows();
        QCOMPARE(textOf(made.states("vm:g/vcpu:0")),
                 QString("guest(t7 (7)) 50-60, guest-kernel(t7 (7)) 60-70, guest-user(t7 (7)) 70-320, guest-kernel(t7 (7)) 320-350, "
                         "guest-user(t7 (7)) 350-395, guest-idle 395-540, guest-user(t7 (7)) 540-600"));
        QCOMPARE(
            textOf(made.states("vm:g/tid:7")),
            QString(
                "running 50-60, running-syscall(read) 60-70, running-user 70-320, running-syscall(write) 320-350, running-user 350-395, "
                "sleeping 395-540, running-user 540-600"));
        QCOMPARE(findVirtualMachines(made.timeline())[0].vcpus[0].method, std::string("guest trace"));
    }

    /// Property: without related clocks, host and guest are not combined: the rows show the host's states only.
    void rawTimesAreKeptApart()
    {
        MadeMachines made;
        const auto host = made.add(hostWithOne(), "host", 600);
        made.addHypercall(host, 20, made.add(guestOfOne(), "g", 600));
        made.makeUnrelated("g");
        made.rows();
        QVERIFY(textOf(made.states("vm:g/vcpu:0")).startsWith("waiting 0-5, hypervisor 5-8, guest 8-100"));
        QVERIFY(textOf(made.states("vm:g/tid:7")).contains("running-user 70-320"));
        const auto sums = computeStealSums(made.timeline(), findVirtualMachines(made.timeline()), Always);
        QCOMPARE(sums.size(), std::size_t(1));
        QCOMPARE(sums[0].during, std::string("unknown"));
        QCOMPARE(sums[0].total, Duration(95));
    }

    void ofAGuestAloneNothingWasStolenThatAnybodyKnows()
    {
        MadeMachines made;
        made.markAsGuest(made.add(guestOfOne(), "g", 600));
        const Timeline& timeline = made.withRows();
        QVERIFY(guestRowPairs(timeline).empty());
        QCOMPARE(missingPreemptionReason(timeline, findVirtualMachines(timeline)),
                 std::string("vCPU preemption is unknown: no trace of the host is open. Record there: perf record -a -g -e "
                             "cpu-clock -e sched:sched_switch,sched:sched_waking,kvm:kvm_entry,kvm:kvm_exit"));
    }

    /// Input: a host and its guest whose clocks are related to each other, but not to the reference host's clock.
    void aGuestIsBoundThoughAnotherHostIsTheReference()
    {
        MadeMachines made;
        const auto host = made.add(hostWithOne(), "host", 600);
        made.addHypercall(host, 20, made.add(guestOfOne(), "g", 600));
        made.makeUnrelated("host");
        made.makeUnrelated("g");
        made.setClockPath("g", "host");
        made.rows();
        QVERIFY2(made.timeline().hosts.size() == 2 && textOf(made.states("vm:g/tid:7")).contains("stolen"),
                 qPrintable(textOf(made.states("vm:g/tid:7"))));
    }

    /// Input: a guest inside a guest. Property: when the outer guest's vCPU is preempted, the inner guest is preempted, too.
    void aMachineInAMachineIsTakenWithIt()
    {
        MadeMachines made;
        const auto host = made.add(hostWithOne(), "host", 600);
        auto outer = std::make_shared<KvmScript>();
        outer->dump(10, 40, 30, 1, 0, 5);
        outer->sw(20, 0, 0, 0, 40);
        outer->entry(30, 0).exit(350, 0, 0, Interrupt);
        outer->sw(395, 0, 40, 1, 0);
        const auto middle = made.add(outer, "outer", 600);
        auto inner = std::make_shared<KvmScript>();
        inner->sw(40, 0, 0, 0, 7);
        const auto last = made.add(inner, "inner", 600);
        made.addHypercall(host, 20, middle);
        made.addHypercall(middle, 40, last);
        made.rows();
        QCOMPARE(made.parentOf("vm:outer"), std::string("none"));
        QCOMPARE(made.parentOf("vm:inner"), std::string("vm:outer"));
        QCOMPARE(
            textOf(made.states("vm:inner/vcpu:0")),
            QString(
                "waiting 10-20, hypervisor 20-30, unknown 30-40, guest(t7 (7)) 40-205, preempted(t9 (9)) 205-300, guest(t7 (7)) 300-350, "
                "hypervisor(INTR (96)) 350-395, waiting(INTR (96)) 395-600"));
        QCOMPARE(textOf(made.states("vm:inner/tid:7")), QString("running 40-205, stolen(t9 (9)) 205-300, running 300-600"));
    }

    /// Property: states are unknown while events are lost on the host's CPU or in the guest.
    void lossesAreUnknown()
    {
        MadeMachines made;
        auto host = hostWithOne();
        host->loss(1, 320, 390);
        const auto hostTrace = made.add(host, "host", 600);
        auto guest = guestOfOne();
        guest->loss(0, 120, 150);
        made.addHypercall(hostTrace, 20, made.add(guest, "g", 600));
        made.rows();
        const QString vcpu = textOf(made.states("vm:g/vcpu:0"));
        QVERIFY2(vcpu.contains("guest-user(t7 (7)) 110-120, unknown 120-150, guest(t7 (7)) 150-200, hypervisor(INTR (96)) 200-205, "
                               "preempted(t9 (9)) 205-300"),
                 qPrintable(vcpu));
        QVERIFY2(vcpu.contains("unknown 320-390, guest-user(t7 (7)) 390-395, guest-idle 395-400, hypervisor(HLT (120)) 400-410"),
                 qPrintable(vcpu));
    }

    /// Property: a vCPU number that two threads have is ignored; so are pointers in place of numbers.
    void numbersOfVcpusAreChecked()
    {
        auto host = std::make_shared<KvmScript>();
        host->dump(0, 20, 10, 1, 0, 5);
        host->dump(0, 21, 10, 1, 0, 5);
        host->comes(5, 0, 0, "swapper/0", 0, 20, "CPU 0/KVM");
        host->comes(6, 1, 0, "swapper/1", 0, 21, "CPU 1/KVM");
        host->entry(10, 0).exit(20, 0, 0, Msr).entry(30, 1).exit(40, 1, 0, Msr);
        MadeMachines made;
        made.add(host, "host", 50);
        const auto machines = findVirtualMachines(made.timeline());
        QCOMPARE(machines.size(), std::size_t(1));
        QCOMPARE(machines[0].vcpus.size(), std::size_t(2));
        QCOMPARE(machines[0].vcpus[1].hostTid, 21);
        QCOMPARE(machines[0].vcpus[1].vcpu, 1);
        QCOMPARE(machines[0].vcpus[1].method, std::string("thread name"));
    }

    void withoutMachinesThereIsNothing()
    {
        MadeMachines made;
        auto host = std::make_shared<KvmScript>();
        host->sw(5, 0, 0, 0, 20);
        made.add(host, "host", 50);
        QVERIFY(!hasVirtualMachines(made.timeline()));
        QVERIFY(findVirtualMachines(made.timeline()).empty());
    }
};

HELIO_TEST(MachineRowsTest)

#include "tst_machine_rows.moc"
