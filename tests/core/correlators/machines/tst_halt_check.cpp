// Property: a problem is reported if a guest ran while its vCPUs were halted.

#include "core/virtualization/guest_problems.h"
#include "core/virtualization/virtual_machine_facts.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes a host with two vCPUs that take turns of 100 in 200 ns: each is halted while the other one runs.
std::shared_ptr<KvmScript> hostOfTurns()
{
    auto host = std::make_shared<KvmScript>();
    host->dump(0, 20, 10, 1, 0, 5).dump(0, 21, 11, 2, 0, 5);
    host->sw(1, 1, 0, 0, 20).sw(2, 2, 0, 0, 21);
    for (std::int64_t at = 100; at < 1'700; at += 200) {
        host->entry(at, 1).exit(at + 2, 2, 0, Halt);
        host->exit(at + 98, 1, 0, Halt).entry(at + 100, 2);
    }
    return host;
}

/// Makes a guest whose thread 7 has the CPU for 90 of each 200 ns, from `at` on.
std::shared_ptr<KvmScript> guestFrom(std::int64_t at)
{
    auto guest = std::make_shared<KvmScript>();
    for (guest->sw(at - 90, 0, 7, 1, 0); at < 1'700; at += 200)
        guest->sw(at, 0, 0, 0, 7).sw(at + 90, 0, 7, 1, 0);
    return guest;
}

struct Turns : MadeMachines {
    std::uint32_t host = add(hostOfTurns(), "nest", 1'800);
    std::uint32_t first = add(guestFrom(104), "web", 1'800);
    std::uint32_t second = add(guestFrom(204), "db", 1'800);
    Turns()
    {
        addHypercall(host, 20, first);
        addHypercall(host, 21, second);
    }
    std::vector<BindingCheck> checks() { return haltChecks(timeline(), findVirtualMachines(timeline())); }
    QStringList problems()
    {
        QStringList all;
        const auto machines = findVirtualMachines(timeline());
        for (const GuestProblem& it : guestProblems(timeline(), machines, haltChecks(timeline(), machines)))
            all << QString::fromStdString(it.what);
        return all;
    }
};

} // namespace

class HaltCheckTest : public QObject {
    Q_OBJECT

private slots:
    void aGuestRestsWhileItsVcpuIsHalted()
    {
        Turns made;
        const auto checks = made.checks();
        QCOMPARE(checks.size(), std::size_t(2));
        for (const BindingCheck& it : checks) {
            QVERIFY(it.halts >= 7 && it.ran.count() >= 8 * 90 - 60);
            QCOMPARE(it.ranHalted.count(), 0);
            QVERIFY(!it.contradicts());
        }
        QCOMPARE(made.problems(), QStringList());
    }

    /// Input: the vCPUs' threads are exchanged. Property: all running time lies in halts, which is reported.
    void wrongAssignmentIsDetected()
    {
        Turns made;
        made.assignGuest("web", {"nest", 11});
        made.assignGuest("db", {"nest", 10});
        for (const BindingCheck& it : made.checks()) {
            QVERIFY(it.ranHalted * 10 >= it.ran * 9);
            QVERIFY(it.contradicts());
            QVERIFY(it.most.count() >= 85 && it.most.count() <= 96);
        }
        const QStringList problems = made.problems().filter("during halts of thread");
        QCOMPARE(problems.size(), 2);
        QVERIFY2(problems.filter("web: ran for ").filter("thread 21, which is impossible").size() == 1, qPrintable(problems.join('\n')));
    }

    /// Input: the guest's clock is wrong by 100 ns, so that the guest appears to run while its vCPU is halted. Property: the contradiction
    /// is found.
    void wrongClockIsDetected()
    {
        MadeMachines made;
        const auto host = made.add(hostOfTurns(), "nest", 1'800);
        made.addHypercall(host, 20, made.add(guestFrom(104), "web", 1'800, Duration(100)));
        const auto checks = haltChecks(made.timeline(), findVirtualMachines(made.timeline()));
        QCOMPARE(checks.size(), std::size_t(1));
        QVERIFY(checks[0].contradicts());
    }

    /// Property: nothing is reported if the guest is unknown, or has no or too few halts.
    void withoutHaltsNothingIsSaid()
    {
        Both both;
        for (const BindingCheck& it : haltChecks(both.made.timeline(), findVirtualMachines(both.made.timeline())))
            QVERIFY(it.halts < 3 && !it.contradicts());
        MadeMachines alone;
        alone.add(hostOfTurns(), "nest", 1'800);
        QVERIFY(haltChecks(alone.timeline(), findVirtualMachines(alone.timeline())).empty());
    }

    void aMachineSaysThatItAgrees()
    {
        Turns made;
        const Timeline& timeline = made.withRows();
        const auto facts = machineFacts(timeline, rowNamed(timeline, "vm", "vm:web"));
        QVERIFY(facts && facts->problems.empty());
        QCOMPARE(facts->checks.size(), std::size_t(1));
        QVERIFY2(facts->checks[0].ends_with("0 ns of it during halts of thread 20"), facts->checks[0].c_str());
    }
};

HELIO_TEST(HaltCheckTest)
#include "tst_halt_check.moc"
