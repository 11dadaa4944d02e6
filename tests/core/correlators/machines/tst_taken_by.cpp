// Culprits of steal time for every kind of row, and the names of the rows of virtual machines.

#include "core/query/rows/arrows.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/statistics.h"
#include "core/virtualization/steal_breakdown.h"
#include "core/virtualization/steal_tables.h"
#include "core/virtualization/virtual_machine_names.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Steal breakdown as text: "vCPU 0 of b: t8 (8) 85 x1 on 1, t9 (9) 10 x1 on 1 = 95"
QString textOf(const StealBreakdown& taken)
{
    QStringList all;
    for (const StealCulprit& it : taken.by)
        all << QString("%1 %2 x%3 on %4").arg(it.words.c_str()).arg(it.total.count()).arg(it.count).arg(it.cpu);
    return all.join(", ") + " = " + QString::number(taken.total.count());
}

constexpr TimeRange at(std::int64_t begin, std::int64_t end) { return {timestamp(begin), timestamp(end)}; }

const QString Both95 = "vCPU 0 of b: t8 (8) 85 x1 on 1, t9 (9) 10 x1 on 1 = 95";

} // namespace

class TakenByTest : public QObject {
    Q_OBJECT

private slots:
    void aPreemptedVcpuSaysWhoHadItsCpu()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const TrackRef row = rowNamed(timeline, "vm", "vm:a/vcpu:0");
        QVERIFY(row.isValid());
        const StealBreakdown taken = computeStealBreakdown(timeline, row, at(205, 300));
        QCOMPARE(textOf(taken), Both95);
        QCOMPARE(taken.by[0].occupant.kind, CpuOccupant::Kind::Vcpu);
        QCOMPARE(taken.by[0].first, timestamp(205));
        QVERIFY(taken.by[0].row == rowNamed(timeline, "vm", "vm:b/vcpu:0"));
        QCOMPARE(rowOf(timeline, taken.by[1].row)->tid, 9);
        QCOMPARE(rowOf(timeline, taken.by[1].row)->host, 0u);
        QCOMPARE(taken.by[1].priority.value_or(-1), 20);
        QVERIFY(computeStealBreakdown(timeline, row, at(10, 200)).by.empty());
    }

    /// Property: the steal time is also shown on the culprits' rows (the CPU, the host's threads, the other machine's vCPU), for the time
    /// they had the CPU.
    void culpritsHaveTheirPlaces()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const auto threads = helio::threads(timeline);
        const auto placesOf = [&](TrackRef row, std::int64_t time) {
            QStringList all;
            for (const CulpritInterval& it : findCulpritIntervals(timeline, row, timestamp(time)))
                all << QString("%1 %2-%3")
                           .arg(rowOf(timeline, it.row)->id.c_str())
                           .arg(nanoseconds(it.range.begin))
                           .arg(nanoseconds(it.range.end));
            return all;
        };
        const QStringList all{"cpu:1 205-300", "tid:21 205-290", "vm:b/vcpu:0 205-290", "tid:9 290-300"};
        QCOMPARE(placesOf(rowNamed(timeline, "vm", "vm:a/vcpu:0"), 250), all);
        QCOMPARE(placesOf(rowNamed(timeline, "vm", "vm:a/tid:7"), 250), all);
        QCOMPARE(placesOf(recordedRow(timeline, threads, "nest", "tid:20"), 299), all);
        QCOMPARE(placesOf(rowNamed(timeline, "vm", "vm:a/vcpu:0"), 300), QStringList());
        QCOMPARE(placesOf(rowNamed(timeline, "vm", "vm:b/vcpu:0"), 250), QStringList());
        QCOMPARE(placesOf(recordedRow(timeline, threads, "nest", "tid:9"), 250), QStringList());
        QCOMPARE(placesOf({}, 250), QStringList());
    }

    /// Property: the breakdown of a vCPU names the guest's thread that lost the time; the breakdown of the guest's own rows does not.
    void aPreemptedVcpuSaysWhoSuffered()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const auto threads = helio::threads(timeline);
        QCOMPARE(computeStealBreakdown(timeline, rowNamed(timeline, "vm", "vm:a/vcpu:0"), at(205, 300)).affectedThread,
                 std::string("t7 (7) of a"));
        QCOMPARE(computeStealBreakdown(timeline, recordedRow(timeline, threads, "nest", "tid:20"), at(205, 300)).affectedThread,
                 std::string("t7 (7) of a"));
        QCOMPARE(computeStealBreakdown(timeline, recordedRow(timeline, threads, "a", "tid:7"), at(6, 395)).affectedThread, std::string());
        QCOMPARE(computeStealBreakdown(timeline, rowNamed(timeline, "vm", "vm:a/vcpu:0"), at(10, 200)).affectedThread, std::string());
    }

    /// Property: an interval of 389 ns in a guest's trace has 95 ns of steal time.
    void whatAGuestRecordedIsStolenInPart()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const auto threads = helio::threads(timeline);
        QCOMPARE(textOf(computeStealBreakdown(timeline, recordedRow(timeline, threads, "a", "tid:7"), at(6, 395))), Both95);
        QCOMPARE(textOf(computeStealBreakdown(timeline, rowNamed(timeline, "vm", "vm:a/tid:7"), at(205, 300))), Both95);
        QCOMPARE(textOf(computeStealBreakdown(timeline, recordedRow(timeline, cpus(timeline), "a", "cpu:0"), at(6, 395))), Both95);
        QCOMPARE(textOf(computeStealBreakdown(timeline, recordedRow(timeline, threads, "nest", "tid:20"), at(205, 300))), Both95);
        QCOMPARE(textOf(computeStealBreakdown(timeline, recordedRow(timeline, threads, "b", "tid:8"), at(205, 290))), QString(" = 0"));
        QCOMPARE(textOf(computeStealBreakdown(timeline, recordedRow(timeline, threads, "nest", "tid:9"), at(205, 300))), QString(" = 0"));
    }

    void aCpuSaysWhatRanInside()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const TrackRef cpu = recordedRow(timeline, cpus(timeline), "nest", "cpu:1");
        const StealBreakdown ran = guestActivity(timeline, cpu, at(100, 310));
        QVERIFY(ran.isInside);
        QCOMPARE(textOf(ran),
                 QString("vCPU 0 of a: t7 (7) 100 x1 on 1, vCPU 0 of b: t8 (8) 70 x1 on 1, vCPU 0 of a: hypervisor 15 x2 on 1, "
                         "vCPU 0 of b: hypervisor 15 x2 on 1 = 200"));
        QVERIFY(!ran.by[2].occupant.guestThread.isValid());
        const TrackRef thread = recordedRow(timeline, helio::threads(timeline), "nest", "tid:21");
        QCOMPARE(textOf(guestActivity(timeline, thread, at(210, 280))), QString("vCPU 0 of b: t8 (8) 70 x1 on 1 = 70"));
        QVERIFY(guestActivity(timeline, recordedRow(timeline, cpus(timeline), "a", "cpu:0"), at(100, 310)).by.empty());
        QVERIFY(guestActivity(timeline, cpu, at(291, 299)).by.empty());
    }

    /// Property: the row below a CPU's row shows each vCPU from its thread's switch-in to its switch-out.
    void aHostsCpuShowsItsMachines()
    {
        Both both;
        both.made.rows();
        const Timeline& timeline = both.made.withRows();
        const auto all = rows(timeline, findViewWithRole(timeline, TrackRole::Cpu));
        const auto found = std::ranges::find(all, "cpu:1/machines", &Row::id);
        QVERIFY(found != all.end());
        // Only CPU 1 has a row of virtual machines, because no vCPU ran on CPU 0.
        QCOMPARE(std::ranges::count(all, std::string("vm-inside"), &Row::kind), std::ptrdiff_t(1));
        QCOMPARE(all[std::size_t(found->parent)].id, std::string("cpu:1"));
        QCOMPARE(all[std::size_t(found->parent)].host, found->host);
        QCOMPARE(found->parent + 1, std::int32_t(found - all.begin()));
        QCOMPARE(QString::fromStdString(both.made.states("cpu:1/machines")),
                 QString("a(a vCPU 0) 5-6, a(a vCPU 0: t7 (7)) 6-205, b(b vCPU 0: t8 (8)) 205-290, a(a vCPU 0: t7 (7)) 300-395, "
                         "a(a vCPU 0: idle) 395-400"));
        QCOMPARE(busyTime(timeline, found->ref, at(0, 400)).busy, Duration(385));
    }

    /// Property: busy time of a guest's CPU is its recorded busy time minus the steal time. Input: a host whose trace ends long before
    /// the guest's.
    void guestCpuTimeExcludesStealTime()
    {
        MadeMachines made;
        const auto of = made.add(host(), "nest", 400);
        auto busy = std::make_shared<KvmScript>();
        busy->sw(6, 0, 0, 0, 7);
        busy->sw(250, 0, 7, 1, 0);
        busy->sw(600, 0, 0, 0, 7);
        made.addHypercall(of, 20, made.add(busy, "a", 1000));
        const Timeline& timeline = made.withRows();
        const TrackRef cpu = recordedRow(timeline, cpus(timeline), "a", "cpu:0");
        const auto inside = guestRowPairs(timeline);
        const auto found = std::ranges::find(inside, cpu, &std::pair<TrackRef, TrackRef>::first);
        QVERIFY(found != inside.end());
        const TimeRange all = at(0, 1000);
        QCOMPARE(busyTime(timeline, cpu, all).busy, Duration(244 + 400));
        QCOMPARE(busyTime(timeline, found->second, all).busy,
                 Duration(244 + 400 - 45)); // The guest's CPU is idle from 250 on: only 45 ns (205-250) of the steal time count.
        QCOMPARE(busyShare(timeline, found->second, at(600, 1000)), 1.0);
        const TrackRef refs[] = {cpu, found->second};
        const auto shares = busyShares(timeline, refs, all);
        QCOMPARE(shares.size(), std::size_t(2));
        const double covered = double(coveredRange(timeline, 1).duration().count());
        QVERIFY(std::abs(shares[0].second.share - 644 / covered) < 1e-9);
        QVERIFY(std::abs(shares[1].second.share - 599 / covered) < 1e-9);
        // The track "inside" has no view, so no view has a row for it.
        QVERIFY(rowNamed(timeline, "vm", "vm:a/vcpu:0/inside") == TrackRef());
    }

    /// Property: a vCPU's row belongs to the host and has a title; the row of a guest's thread belongs to the guest.
    void rowsHaveHostsAndTitles()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const TrackRef vcpu = rowNamed(timeline, "vm", "vm:b/vcpu:0"), thread = rowNamed(timeline, "vm", "vm:b/tid:8");
        QCOMPARE(rowOf(timeline, vcpu)->host, 0u);
        QCOMPARE(findGuestHost(timeline, vcpu).value_or(9), 2u);
        QCOMPARE(rowTitle(timeline, vcpu), std::string("vCPU 0 of b"));
        QCOMPARE(rowOf(timeline, thread)->host, 2u);
        QVERIFY(!findGuestHost(timeline, thread));
        QVERIFY(!hasNoHost(timeline, thread));
        QCOMPARE(findGuestHost(timeline, rowNamed(timeline, "vm", "vm:b")).value_or(9), 2u);
        // Four pairs: the row of one thread and the row of one CPU, for each of the two guests.
        QCOMPARE(guestRowPairs(timeline).size(), std::size_t(4));
    }

    void valuesAreShownByTitles()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const TrackRef row = rowNamed(timeline, "vm", "vm:a/vcpu:0");
        const auto found = intervalAt(timeline, row, timestamp(210));
        QCOMPARE(valueText(timeline, row, found.front().value), std::string("vm:b/vcpu:0 t8 (8), t9 (9)"));
        QCOMPARE(formatValue(timeline, row, found.front().value), std::string("vCPU 0 of b: t8 (8), t9 (9)"));
        QCOMPARE(ValueFormatter(timeline).of(row, found.front().value), std::string("vCPU 0 of b: t8 (8), t9 (9)"));
    }

    /// Property: steal arrows connect vCPUs in the view of vCPUs, and threads in the view of the host's threads.
    void anArrowLeadsFromTheCulprit()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const TrackRef a = rowNamed(timeline, "vm", "vm:a/vcpu:0"), b = rowNamed(timeline, "vm", "vm:b/vcpu:0");
        const auto shown = arrows(timeline, linkKindsInView(timeline, "vm"), at(0, 400));
        QCOMPARE(shown.size(), std::size_t(1));
        QVERIFY(shown[0].from == b && shown[0].to == a);
        QCOMPARE(shown[0].toTime, timestamp(205));
        const auto threads = helio::threads(timeline);
        int between = 0;
        for (const Arrow& it : arrows(timeline, linkKindsInView(timeline, viewOf(timeline, threads[0].ref)), at(0, 400)))
            between += it.relation != NoRelation && rowOf(timeline, it.from)->tid == 21 && rowOf(timeline, it.to)->tid == 20;
        QCOMPARE(between, 1);
    }

    void anArrowFromAThreadOfTheHostSaysWhich()
    {
        MadeMachines made;
        auto alone = std::make_shared<KvmScript>();
        alone->dump(0, 20, 10, 1, 0, 5);
        alone->dump(0, 9, 9, 1, 0, 5);
        alone->sw(5, 1, 0, 0, 20);
        alone->entry(8, 1).exit(200, 1, 0, Interrupt);
        alone->sw(205, 1, 20, 0, 9);
        alone->sw(300, 1, 9, 1, 20);
        made.add(alone, "nest", 400);
        const Timeline& timeline = made.withRows();
        const auto place = timeline.correlatorRegistry->find("machines").value();
        const auto links = timeline.relations[place]->links.all();
        QVERIFY(!links.empty());
        for (const InterTraceLink& it : links)
            QCOMPARE(it.detail, std::string("t9 (9)"));
    }

    /// Property: the ranking of culprits, the matrix of losers and culprits, and the table of threads contain the same total steal time.
    void lossesAreTheSumsOfTheTables()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const StealTables losses = computeStealTables(timeline, at(0, 400));
        QCOMPARE(losses.culprits.size(), std::size_t(2));
        QCOMPARE(losses.culprits[0].from, std::string("vCPU 0 of a"));
        QCOMPARE(losses.culprits[0].by, std::string("vCPU 0 of b: t8 (8)"));
        QCOMPARE(losses.culprits[0].total, Duration(85));
        QVERIFY(losses.culprits[0].longest.row == rowNamed(timeline, "vm", "vm:a/vcpu:0"));
        QCOMPARE(losses.culprits[0].longest.at, timestamp(205));
        QCOMPARE(losses.matrix.losers, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(losses.matrix.culprits, (std::vector<std::string>{"b", "host thread"}));
        QCOMPARE(losses.matrix.cells[0][0].total, Duration(85));
        QCOMPARE(losses.matrix.cells[0][1].total, Duration(10));
        QCOMPARE(losses.matrix.cells[1].size(), std::size_t(2));
        QCOMPARE(losses.matrix.cells[1][0].count, std::uint64_t(0));
        QCOMPARE(losses.threads.size(), std::size_t(1));
        QCOMPARE(losses.threads[0].thread, std::string("t7 (7)"));
        QCOMPARE(losses.threads[0].total, Duration(95));
        QVERIFY(losses.threads[0].longest.row == rowNamed(timeline, "vm", "vm:a/tid:7"));
        QVERIFY(computeStealTables(timeline, at(310, 400)).isEmpty());
        QCOMPARE(computeStealTables(timeline, at(310, 400)).missing, std::string());
    }

    void unknownStealIsReported()
    {
        MadeMachines alone;
        alone.markAsGuest(alone.add(guest(7), "a", 400));
        const StealTables ofGuest = computeStealTables(alone.withRows(), at(0, 400));
        QVERIFY(ofGuest.isEmpty());
        QVERIFY(ofGuest.missing.starts_with("vCPU preemption is unknown: no trace of the host is open."));
    }

    void aHostWithoutSwitchesIsSaid()
    {
        MadeMachines made;
        auto noSwitches = std::make_shared<KvmScript>();
        noSwitches->dump(0, 20, 10, 1, 0, 5);
        noSwitches->entry(8, 1).exit(200, 1, 0, Interrupt);
        const auto of = made.add(noSwitches, "nest", 400);
        const auto inside = made.add(guest(7), "a", 400);
        made.markAsGuest(inside);
        made.addHypercall(of, 20, inside);
        const StealTables ofBoth = computeStealTables(made.withRows(), at(0, 400));
        QVERIFY(ofBoth.isEmpty());
        QVERIFY(ofBoth.missing.starts_with("vCPU preemption is unknown: the host's trace has no context switches"));
    }

    void exitsAreOfTheirMachine()
    {
        Both both;
        const Timeline& timeline = both.made.withRows();
        const VirtualMachineNames names(timeline);
        const auto machines = findVirtualMachines(timeline);
        QCOMPARE(names.machineOf(machines[0].vcpus[0].modes), std::string("a"));
        QVERIFY(names.shownFor(machines[1].vcpus[0].modes) == rowNamed(timeline, "vm", "vm:b/vcpu:0"));
        QVERIFY(names.machineOf(rowNamed(timeline, "vm", "vm:b/tid:8")).empty());
    }
};

HELIO_TEST(TakenByTest)

#include "tst_taken_by.moc"
