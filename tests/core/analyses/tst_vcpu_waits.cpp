// Segments of vCPUs: from the injection of an interrupt to its delivery to the guest, and halts.

#include "tests/core/analyses/kernel/sampled_script.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

class Waits : public KvmScript {
public:
    Waits& inject(std::int64_t time, int cpu, int irq)
    {
        event(time, cpu, "kvm_inj_virq", {{"irq", irq}});
        return *this;
    }
    Waits& wakeUp(std::int64_t time, int cpu, std::int64_t ns, int waited)
    {
        event(time, cpu, "kvm_vcpu_wakeup", {{"ns", ns}, {"waited", waited}, {"valid", 1}});
        return *this;
    }
};

/// Returns the segments of a kind as text with one line for each segment: "236 20-25 on tid:20" (name, begin, end, track).
QString segmentsOf(Waits& host, std::string_view kind)
{
    host.run(100);
    const auto kernel = host.sharedStore();
    host.run(100, KernelScript::Gaps::ReportedAtBegin, analysisOf("kvm"), {kernel});
    const auto store = host.sharedStore();
    QStringList lines;
    const auto kinds = store->segments().kinds();
    for (std::size_t i = 0; i < kinds.size(); ++i)
        if (kinds[i].id == kind)
            store->segments().visit(SegmentKindId(static_cast<std::uint8_t>(i)), {hostTime(-1000), hostTime(1000)},
                                    [&](std::span<const HostSegment> some) {
                                        for (const HostSegment& it : some)
                                            lines << QString("%1 %2-%3 on %4")
                                                         .arg(QString::fromStdString(std::string(store->text(it.name))))
                                                         .arg(nanoseconds(it.begin))
                                                         .arg(nanoseconds(it.end))
                                                         .arg(store->tracks()[std::size_t(it.track)].key.c_str());
                                    });
    return lines.join(", ");
}

} // namespace

class VcpuWaitsTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: an interrupt's segment lasts from its injection to the following VM entry. An interrupt that is injected twice begins
    /// with the first injection.
    void interruptsWaitForTheGuest()
    {
        Waits host;
        host.dump(0, 20, 10, 1, 0, 5).dump(0, 30, 11, 2, 0, 5);
        host.sw(5, 1, 0, 0, 20).sw(5, 2, 0, 0, 30);
        host.exit(10, 1, 0, Interrupt).exit(10, 2, 0, Interrupt);
        host.inject(12, 2, 33).inject(14, 1, 236);
        host.entry(15, 1).entry(19, 2);
        host.exit(20, 1, 0, Interrupt);
        host.entry(22, 1); // This VM entry makes no segment, because no interrupt was injected before it.
        host.exit(30, 1, 0, Interrupt);
        host.inject(31, 1, 236).inject(34, 1, 236);
        host.entry(35, 1).exit(40, 1, 0, Interrupt);
        host.inject(41, 1, 236).inject(44, 1, 251);
        host.entry(46, 1);
        QCOMPARE(segmentsOf(host, "vm-interrupt"),
                 QString("33 12-19 on tid:30, 236 14-15 on tid:20, 236 31-35 on tid:20, 251 44-46 on tid:20"));
    }

    /// Property: the segment of a halt ends at the event kvm_vcpu_wakeup, which contains the halt's duration. If this duration reaches back
    /// before the trace, the segment begins at the beginning of the trace.
    void haltsSayHowKvmWaited()
    {
        Waits host;
        host.dump(0, 20, 10, 1, 0, 5);
        host.sw(5, 1, 0, 0, 20);
        host.exit(10, 1, 0, Halt);
        host.wakeUp(18, 1, 7, 0).wakeUp(30, 1, 10, 1).wakeUp(40, 1, 1000, 1).wakeUp(45, 1, -1, 0);
        host.entry(50, 1);
        QCOMPARE(segmentsOf(host, "vm-halt"),
                 QString("blocked 0-40 on tid:20, polled 0-45 on tid:20, polled 11-18 on tid:20, blocked 20-30 on tid:20"));
    }

    void aTraceWithoutThemHasNoSuchKinds()
    {
        Waits host;
        host.dump(0, 20, 10, 1, 0, 5).sw(5, 1, 0, 0, 20);
        host.exit(10, 1, 0, Halt);
        host.run(100);
        const auto kernel = host.sharedStore();
        host.run(100, KernelScript::Gaps::ReportedAtBegin, analysisOf("kvm"), {kernel});
        for (const SegmentKind& it : host.sharedStore()->segments().kinds())
            QVERIFY(it.id != "vm-interrupt" && it.id != "vm-halt");
    }

    /// Property: sampled events give no segments, because the vCPU may have been in its guest between two recorded exits.
    void sampledEventsSayNothing()
    {
        const auto script = [](std::initializer_list<int> sampled) {
            Waits host;
            host.sw(5, 1, 0, 0, 20);
            host.exit(10, 1, 0, Interrupt);
            host.inject(14, 1, 236).entry(15, 1);
            return Sampled(std::move(host), sampled);
        };
        constexpr int Exit = 1, Injection = 2, Entry = 3;
        auto all = script({});
        QCOMPARE(segmentsOf(all, "vm-interrupt"), QString("236 14-15 on tid:20"));
        auto some = script({Injection});
        QCOMPARE(segmentsOf(some, "vm-interrupt"), QString());
        QVERIFY(analysisOf("kvm").appliesTo(some));
        QVERIFY(!analysisOf("kvm").appliesTo(script({Exit})));
        QVERIFY(!analysisOf("kvm").appliesTo(script({Entry})));
    }
};

HELIO_TEST(VcpuWaitsTest)
#include "tst_vcpu_waits.moc"
