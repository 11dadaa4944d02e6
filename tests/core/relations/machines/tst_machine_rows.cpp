// What vCPUs and guests' threads did, of made hosts and guests.

#include "tests/core/relations/machines/made_machines.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Thread 20 of process 10 is vCPU 0; it gets CPU 1 at 5, is preempted by thread 9, halts, and is woken.
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

/// Thread 7 runs in user space but for system calls; from 395 on the guest is idle, until 540.
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
                 QString("waiting 0-5, hypervisor 5-8, guest 8-100, hypervisor(INTR (96)) 100-110, guest 110-200, hypervisor(INTR (96)) 200-205, preempted(t9 (9)) 205-300, "
                             "hypervisor(INTR (96)) 300-310, guest 310-400, hypervisor(HLT (120)) 400-410, halted(HLT (120)) 410-500, "
                             "wait-cpu(idle) 500-520, hypervisor(HLT (120)) 520-530, guest 530-600"));
        QCOMPARE(textOf(made.parentOf("vm:process-10/vcpu:0")), QString("vm:process-10"));
    }

    void aGuestSaysWhatItDidMeanwhile()
    {
        MadeMachines made;
        const auto host = made.add(hostWithOne(), "host", 600);
        const auto guest = made.add(guestOfOne(), "a/b", 600);
        made.serves(host, 20, guest);
        made.rows();
        QCOMPARE(textOf(made.states("vm:a\\/b/vcpu:0")),
                 QString("waiting 0-5, hypervisor 5-8, unknown 8-50, guest(t7 (7)) 50-60, guest-kernel(t7 (7)) 60-70, guest-user(t7 (7)) 70-100, hypervisor(INTR (96)) 100-110, "
                             "guest-user(t7 (7)) 110-200, hypervisor(INTR (96)) 200-205, preempted(t9 (9)) 205-300, hypervisor(INTR (96)) 300-310, "
                             "guest-user(t7 (7)) 310-320, guest-kernel(t7 (7)) 320-350, guest-user(t7 (7)) 350-395, guest-idle 395-400, "
                             "hypervisor(HLT (120)) 400-410, halted(HLT (120)) 410-500, wait-cpu(idle) 500-520, hypervisor(HLT (120)) 520-530, "
                             "guest-idle 530-540, guest-user(t7 (7)) 540-600"));
        QCOMPARE(textOf(made.states("vm:a\\/b/tid:7")),
                 QString("running 50-60, running-syscall(read) 60-70, running-user 70-205, stolen(t9 (9)) 205-300, running-user 300-320, "
                             "running-syscall(write) 320-350, running-user 350-395, sleeping 395-540, running-user 540-600"));
        QCOMPARE(textOf(made.parentOf("vm:a\\/b/tid:7")), QString("vm:a\\/b"));
    }
};

HELIO_TEST(MachineRowsTest)

#include "tst_machine_rows.moc"
