// Property: the numbers of VM exits of vCPUs are counter series.

#include "core/event_model/vcpu_modes.h"
#include "core/store/counters.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/test_program.h"

#include <QStringList>
#include <QTest>

using namespace helio;
using namespace helio::test;

class ExitCountsTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: each virtual machine has its own counters by exit reason. Input: threads 20 and 21 of process 10 (one machine), thread
    /// 30 of process 11.
    void machinesHaveTheirOwnByReason()
    {
        KvmScript host;
        host.dump(0, 20, 10, 1, 0, 5).dump(0, 21, 10, 2, 0, 5).dump(0, 30, 11, 3, 0, 5);
        host.sw(5, 1, 0, 0, 20).sw(5, 2, 0, 0, 21).sw(5, 3, 0, 0, 30);
        host.exit(10, 1, 0, Interrupt).exit(11, 2, 1, Interrupt).exit(12, 3, 0, Interrupt);
        host.entry(20, 1).entry(20, 2).entry(20, 3);
        host.exit(30, 1, 0, Halt);
        host.exit(40, 2, 1, Interrupt);
        host.run(100);
        const auto kernel = host.sharedStore();
        host.run(100, KernelScript::Gaps::ReportedAtBegin, analysisOf("kvm"), {kernel});
        const auto store = host.sharedStore();

        QStringList lines;
        const CounterSet& counters = store->counters();
        for (std::size_t i = 0; i < counters.series().size(); ++i) {
            const CounterSeries& series = counters.series()[i];
            QCOMPARE(series.view, "vm-exits");
            QVERIFY(series.kind == CounterSeries::Kind::Accumulating);
            const Track& process = store->tracks()[std::size_t(series.track)];
            QCOMPARE(process.kind, std::string(VcpuProcessKind));
            QVERIFY(process.view.empty());
            QString line = QString("%1 of %2:").arg(QString::fromStdString(series.title), QString::fromStdString(process.label));
            QCOMPARE(series.id, "pid:" + std::to_string(process.pid) + '/' + series.title);
            counters.visit(CounterSeriesId(i), {hostTime(-1000), hostTime(1000)}, [&](std::span<const CounterPoint> points) {
                for (const CounterPoint& it : points)
                    line += QString(" %1@%2").arg(it.value.integer()).arg(nanoseconds(it.time));
            });
            lines << line;
        }
        lines.sort();
        QCOMPARE(lines,
                 QStringList({"HLT (120) of process-10: 0@0 1@30", "INTR (96) of process-10: 0@0 1@10 2@11 3@40",
                              "INTR (96) of process-11: 0@0 1@12"}));
    }
};

HELIO_TEST(ExitCountsTest)
#include "tst_exit_counts.moc"
