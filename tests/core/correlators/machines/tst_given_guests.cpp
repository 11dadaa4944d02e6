// Input: the user's assignments of guests to hosts, and of threads to vCPUs.

#include "core/query/rows/facts.h"
#include "core/virtualization/bindings.h"
#include "core/virtualization/guest_problems.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Makes a host's trace: threads 20 and 21 are vCPUs 0 and 1 of process 10; thread 30 is vCPU 0 of process 11.
std::shared_ptr<KvmScript> hostOfTwo()
{
    auto host = std::make_shared<KvmScript>();
    host->dump(0, 20, 10, 1, 0, 5).dump(0, 21, 10, 2, 0, 5).dump(0, 30, 11, 3, 0, 5);
    for (const int cpu : {1, 2, 3})
        host->sw(5 + cpu, cpu, 0, 0, cpu == 3 ? 30 : 19 + cpu);
    for (const int cpu : {1, 2, 3})
        host->entry(10 + cpu, cpu).exit(20 + cpu, cpu, cpu == 2 ? 1 : 0, Interrupt);
    return host;
}

std::shared_ptr<KvmScript> guestOfTwoCpus()
{
    auto guest = std::make_shared<KvmScript>();
    guest->sw(12, 0, 0, 0, 7);
    guest->sw(12, 1, 0, 0, 8);
    return guest;
}

/// A host or guest whose recording describes the session with its host or guests (RecordingSession).
class RecordedScript final : public KvmScript {
public:
    explicit RecordedScript(RecordingSession session) { m_info.session = std::move(session); }
};

std::vector<GuestProblem> problemsOf(const Timeline& timeline)
{
    const auto all = findVirtualMachines(timeline);
    return guestProblems(timeline, all, haltChecks(timeline, all));
}

struct Made : MadeMachines {
    std::uint32_t host = add(hostOfTwo(), "nest", 100);
    std::uint32_t guest = add(guestOfTwoCpus(), "web", 100);

    /// Describes each vCPU of all virtual machines. "web on 10: 0 in 20 (hypercalls, kvm_exit)" is vCPU 0 of the machine "web", process 10:
    /// thread 20 of the host. The methods that found the vCPU follow in parentheses.
    QStringList machines()
    {
        QStringList lines;
        for (const VirtualMachine& it : findVirtualMachines(timeline()))
            for (const VcpuBinding& vcpu : it.vcpus)
                lines << QString("%1 on %2: %3 in %4 (%5)%6")
                             .arg(QString::fromStdString(it.name))
                             .arg(it.pid)
                             .arg(vcpu.vcpu)
                             .arg(vcpu.hostTid)
                             .arg(QString::fromStdString(vcpu.method), vcpu.guestCpu.isValid() ? "+" : "");
        return lines;
    }
    const VirtualMachine machine(std::int32_t pid)
    {
        for (const VirtualMachine& it : findVirtualMachines(timeline()))
            if (it.pid == pid)
                return it;
        std::abort();
    }
};

const QStringList OfOther{"process-11 on 11: 0 in 30 (kvm_exit)"};

} // namespace

class GivenGuestsTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: hosts in the order client, guest a, hypervisor nest, guest b. Property: guests are listed directly below their hypervisor; a
    /// host that the user assigns elsewhere follows that setting.
    void guestsAreListedBelowTheirHypervisor()
    {
        MadeMachines made;
        made.add(guestOfTwoCpus(), "client", 100);
        const std::uint32_t a = made.add(guestOfTwoCpus(), "a", 100);
        const std::uint32_t nest = made.add(hostOfTwo(), "nest", 100);
        const std::uint32_t b = made.add(guestOfTwoCpus(), "b", 100);
        made.addHypercall(nest, 20, a);
        made.addHypercall(nest, 30, b);
        const auto names = [&] {
            const Timeline& timeline = made.timeline();
            QStringList all;
            for (const std::uint32_t host : hostsInOrder(timeline))
                all << QString::fromStdString(timeline.hosts[host].label);
            return all;
        };
        QCOMPARE(names(), (QStringList{"client", "nest", "a", "b"}));
        made.assignGuest("a", {.host = "b"});
        QCOMPARE(names(), (QStringList{"client", "nest", "b", "a"}));
        made.assignGuest("b", {.host = "a"}); // A circle, which settings may contain, loses no host.
        QCOMPARE(names().size(), 4);
    }

    void whatIsSaidComesBeforeWhatIsFound()
    {
        Made made;
        made.addHypercall(made.host, 20, made.guest);
        QCOMPARE(made.machines(),
                 QStringList({"web on 10: 0 in 20 (hypercalls, kvm_exit)+", "web on 10: 1 in 21 (hypercalls, kvm_exit)+"}) + OfOther);
        made.assignGuest("web", {"nest", 11});
        QCOMPARE(made.machines(),
                 QStringList({"process-10 on 10: 0 in 20 (kvm_exit)", "process-10 on 10: 1 in 21 (kvm_exit)",
                              "web on 11: 0 in 30 (by hand, kvm_exit)+"}));
        made.assignGuest("web", {});
        QCOMPARE(made.machines(), QStringList({"process-10 on 10: 0 in 20 (kvm_exit)", "process-10 on 10: 1 in 21 (kvm_exit)"}) + OfOther);
    }

    void threadsAreGivenTheirCpus()
    {
        Made made;
        made.assignGuest("web", {"nest", 10, {{1, 20}}});
        QCOMPARE(made.machines(),
                 QStringList({"web on 10: 0 in 21 (by hand, order of threads)+", "web on 10: 1 in 20 (by hand)+"}) + OfOther);
        made.assignGuest("web", {"nest", 10, {{0, 21}, {1, 20}}});
        QCOMPARE(made.machines(), QStringList({"web on 10: 0 in 21 (by hand)+", "web on 10: 1 in 20 (by hand)+"}) + OfOther);
    }

    /// Input: a host's trace that does not show which threads run vCPUs. Property: the threads that the user assigns are used as vCPUs.
    void threadsMayBeAny()
    {
        auto host = std::make_shared<KvmScript>();
        host->dump(0, 40, 12, 1, 0, 5);
        host->sw(5, 1, 0, 0, 40);
        MadeMachines made;
        made.add(host, "nest", 100);
        made.add(guestOfTwoCpus(), "web", 100);
        QVERIFY(findVirtualMachines(made.timeline()).empty());
        QVERIFY(!hasVirtualMachines(made.timeline()));
        made.assignGuest("web", {"nest", 12, {{1, 40}}});
        QVERIFY(hasVirtualMachines(made.timeline()));
        const auto all = findVirtualMachines(made.timeline());
        QCOMPARE(all.size(), 1U);
        QCOMPARE(all[0].name, "web");
        QCOMPARE(all[0].vcpus.size(), 1U);
        QCOMPARE(all[0].vcpus[0].hostTid, 40);
        QCOMPARE(all[0].vcpus[0].method, "by hand");
        QVERIFY(problemsOf(made.timeline()).empty());
    }

    void whatDoesNotHoldIsSaid()
    {
        Made made;
        const auto problems = [&] {
            QStringList all;
            for (const GuestProblem& it : problemsOf(made.timeline()))
                all << QString::fromStdString(it.what);
            return all;
        };
        const QStringList unbound = QStringList({"process-10 on 10: 0 in 20 (kvm_exit)", "process-10 on 10: 1 in 21 (kvm_exit)"}) + OfOther;
        made.assignGuest("web", {"nest", 99});
        QCOMPARE(problems(), QStringList("web: set by hand to run in process 99 of nest, which has no thread known to run a vCPU"));
        made.assignGuest("web", {"elsewhere", 10});
        QCOMPARE(problems(), QStringList("web: set by hand to run on elsewhere, which is not open"));
        QCOMPARE(made.machines(), unbound);
        made.assignGuest("web", {"web", 10}); // This assignment is ignored, because a host cannot be its own guest.
        QCOMPARE(made.machines(), unbound);
        // This assignment is reported as a problem, because thread 30 belongs to another process.
        made.assignGuest("web", {"nest", 10, {{0, 30}}});
        QCOMPARE(problems(), QStringList("web: its CPU 0 is set by hand to thread 30, which is not a thread of process 10 of nest"));
        QCOMPARE(made.machines(),
                 QStringList({"web on 10: 0 in 20 (by hand, kvm_exit)+", "web on 10: 1 in 21 (by hand, kvm_exit)+"}) + OfOther);
        made.assignGuest("web", {"nest", 10, {{5, 20}}}); // This assignment is reported as a problem, because the guest has no CPU 5.
        QCOMPARE(problems(), QStringList("web: its CPU 5 is set by hand to thread 20, but its trace has no such CPU"));
        made.assignGuest("web", {});
        QCOMPARE(problems(), QStringList());
        made.assignGuest("nobody", {"nest", 10});
        QCOMPARE(problems(), QStringList());
    }

    /// Property: hypercalls that contradict the user's assignment are reported, and the user's assignment is used.
    void contradictingHypercallsAreReported()
    {
        Made made;
        const auto other = made.add(guestOfTwoCpus(), "other", 100);
        for (const int times : {1, 2})
            made.addHypercall(made.host, 20, made.guest, times - 1);
        made.addHypercall(made.host, 30, other);
        const auto problems = [&] {
            QStringList all;
            for (const GuestProblem& it : problemsOf(made.timeline()))
                all << QString("%1 %2").arg(it.guest).arg(QString::fromStdString(it.what));
            return all;
        };
        QCOMPARE(problems(), QStringList()); // The assignment found by hypercalls has no problems.
        made.assignGuest("web", {"nest", 10});
        QCOMPARE(problems(), QStringList()); // The user's assignment agrees with the hypercalls.
        made.assignGuest("web", {"nest", 11});
        QCOMPARE(problems(),
                 QStringList({"1 web: set by hand to run in process 11 of nest; 2 hypercalls say that it runs in process 10 of nest",
                              "2 other: no virtual machine: 1 hypercall says that it runs in process 11 of nest, which is set by "
                              "hand to belong to web"}));
        made.assignGuest("web", {});
        QCOMPARE(problems(), QStringList("1 web: set by hand not to be a guest; 2 hypercalls say that it runs in process 10 of nest"));
        made.assignGuest("web", {"nest", 10, {{0, 21}}});
        QCOMPARE(problems(), QStringList("1 web: its CPU 0 is set by hand to thread 21; 1 hypercall of that CPU came from thread 20"));
        made.assignGuest("other", {"nest", 11}); // Hypercalls agree with this assignment.
        QCOMPARE(problems().size(), 1);
    }

    void aMachineHasOneGuest()
    {
        Made made;
        made.add(guestOfTwoCpus(), "other", 100);
        made.assignGuest("other", {"nest", 10});
        made.assignGuest("web", {"nest", 10});
        QCOMPARE(made.machines().first(), "web on 10: 0 in 20 (by hand, kvm_exit)+");
        QCOMPARE(QString::fromStdString(problemsOf(made.timeline()).at(0).what),
                 QString("other: set by hand to run in process 10 of nest, which belongs to web"));
        const ClockSettings choice = withGuest(made.timeline(), made.timeline().clockSettings, 2, made.machine(10));
        QVERIFY(!choice.guests.contains("web"));
        QVERIFY(choice.guests.at("other") == (GuestOverride{"nest", 10}));
    }

    /// Input: hypercalls as the only evidence of which threads run vCPUs. Property: this evidence is kept if the user assigns the guest to
    /// a host.
    void whatWasSeenOfItsMachineStays()
    {
        auto host = std::make_shared<KvmScript>();
        host->dump(0, 40, 12, 1, 0, 5).dump(0, 41, 12, 2, 0, 5);
        host->sw(5, 1, 0, 0, 40).sw(5, 2, 0, 0, 41);
        MadeMachines made;
        const auto nest = made.add(host, "nest", 100);
        const auto web = made.add(guestOfTwoCpus(), "web", 100);
        made.addHypercall(nest, 40, web, 0);
        made.addHypercall(nest, 41, web, 1);
        const auto vcpus = [&] {
            QStringList lines;
            for (const VirtualMachine& it : findVirtualMachines(made.timeline()))
                for (const VcpuBinding& vcpu : it.vcpus)
                    lines << QString("%1 in %2 (%3)").arg(vcpu.vcpu).arg(vcpu.hostTid).arg(QString::fromStdString(vcpu.method));
            return lines;
        };
        QCOMPARE(vcpus(), QStringList({"0 in 40 (hypercalls, hypercalls)", "1 in 41 (hypercalls, hypercalls)"}));
        made.assignGuest("web", {"nest", 12});
        QCOMPARE(vcpus(), QStringList({"0 in 40 (by hand, hypercalls)", "1 in 41 (by hand, hypercalls)"}));
        made.assignGuest("web", {"nest", 12, {{1, 40}}});
        QCOMPARE(vcpus(), QStringList({"0 in 41 (by hand, order of threads)", "1 in 40 (by hand)"}));
    }

    /// Property: vCPUs are bound to the threads that the host's recording names, even if the order of the threads differs from that of the
    /// CPUs.
    void recordingsNameTheirGuests()
    {
        auto host =
            std::make_shared<RecordedScript>(RecordingSession{"a", {}, {{"web", "b", {{0, 41}, {1, 40}}}, {"absent", "c", {{0, 7}}}}});
        host->dump(0, 40, 12, 1, 0, 5).dump(0, 41, 12, 2, 0, 5);
        host->sw(5, 1, 0, 0, 40).sw(5, 2, 0, 0, 41);
        auto guest = std::make_shared<RecordedScript>(RecordingSession{"b", "a", {}});
        guest->sw(12, 0, 0, 0, 7).sw(12, 1, 0, 0, 8);
        MadeMachines made;
        made.add(host, "nest", 100);
        made.add(guest, "web", 100);
        QVERIFY(hasVirtualMachines(made.timeline()));
        QStringList lines;
        for (const VirtualMachine& it : findVirtualMachines(made.timeline()))
            for (const VcpuBinding& vcpu : it.vcpus)
                lines << QString("%1: %2 in %3 (%4)")
                             .arg(QString::fromStdString(it.name))
                             .arg(vcpu.vcpu)
                             .arg(vcpu.hostTid)
                             .arg(QString::fromStdString(vcpu.method));
        QCOMPARE(lines, QStringList({"web: 0 in 41 (recording, recording)", "web: 1 in 40 (recording, recording)"}));
    }

    void changesAreMadeOneByOne()
    {
        Made made;
        const Timeline& timeline = made.timeline();
        ClockSettings choice = withVcpu(timeline, {}, made.guest, made.machine(10), 0, 21);
        QVERIFY(choice.guests.at("web") == (GuestOverride{"nest", 10, {{0, 21}}}));
        choice = withVcpu(timeline, choice, made.guest, made.machine(10), 1, 21);
        QVERIFY(choice.guests.at("web") == (GuestOverride{"nest", 10, {{1, 21}}}));
        QVERIFY(withGuest(timeline, choice, made.guest, made.machine(10)) == choice);
        choice = withGuest(timeline, choice, made.guest, made.machine(11));
        QVERIFY(choice.guests.at("web") == (GuestOverride{"nest", 11}));
        QVERIFY(withoutVirtualMachine(timeline, choice, made.guest).guests.at("web") == GuestOverride{});
        QVERIFY(withoutGuestOverride(timeline, choice, made.guest) == ClockSettings{});
    }
};

HELIO_TEST(GivenGuestsTest)

#include "tst_given_guests.moc"
