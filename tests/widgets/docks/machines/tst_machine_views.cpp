// Views of virtual machines: Details, the steal card, statistics with and without steal time, rows and tables.

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/virtualization/virtual_machine_facts.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/test_program.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/docks/details/machine_card.h"
#include "widgets/docks/details/state_details.h"
#include "widgets/docks/details/steal_card.h"
#include "widgets/docks/durations/steal_view.h"
#include "widgets/docks/statistics/row_statistics.h"
#include "widgets/docks/statistics/statistics_view.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/curves/curve_graph.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/lane_fetcher.h"
#include "widgets/timeline/graph/tips/state_tip.h"
#include "widgets/timeline/panels/graph_row_source.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace helio;
using namespace helio::test;

namespace {

const RowStatistics* lineOf(const std::vector<RowStatistics>& lines, const QString& name)
{
    const auto found = std::ranges::find(lines, name, &RowStatistics::name);
    return found == lines.end() ? nullptr : &*found;
}

const StateDetails::Fact* factOf(const StateDetails& details, const QString& name)
{
    const auto found = std::ranges::find(details.facts, name, &StateDetails::Fact::name);
    return found == details.facts.end() ? nullptr : &*found;
}

} // namespace

class MachineViewsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        static Both both;
        m_timeline = std::make_shared<const Timeline>(both.made.withRows());
        m_a = rowNamed(*m_timeline, "vm", "vm:a/vcpu:0");
        m_b = rowNamed(*m_timeline, "vm", "vm:b/vcpu:0");
        QVERIFY(m_a.isValid() && m_b.isValid());
    }

    void detailsSayWhoseRowItIsAndWhoTookIt()
    {
        const auto details = stateDetails(m_timeline, m_a, timestamp(210));
        QVERIFY(details);
        QCOMPARE(QString::fromStdString(details->row.label), QString("vCPU 0 of a"));
        QCOMPARE(details->host, QString("nest"));
        QCOMPARE(details->taken.by.size(), std::size_t(2));
        QVERIFY(details->value.isEmpty()); // The row's id is not shown as a value.
        const auto* recorded = factOf(*details, "Host thread");
        QVERIFY(recorded);
        QCOMPARE(recorded->value, QString("t20 20 on nest"));
        QCOMPARE(rowOf(*m_timeline, recorded->row)->tid, 20);
        QVERIFY(stateDetails(m_timeline, m_a, timestamp(100))->taken.by.empty());
    }

    void detailsSayHowAVcpuIsKnown()
    {
        const auto details = stateDetails(m_timeline, m_a, timestamp(100));
        QVERIFY(factOf(*details, "Identified by"));
        QCOMPARE(factOf(*details, "Identified by")->value, QString("hypercalls, kvm_exit"));
    }

    void aMachineSaysWhoseItIsAndHowThatIsKnown()
    {
        const TrackRef row = rowNamed(*m_timeline, "vm", "vm:a");
        const auto facts = machineFacts(*m_timeline, row);
        QVERIFY(facts);
        QCOMPARE(facts->guest, std::string("a"));
        QCOMPARE(facts->host, std::string("nest"));
        QCOMPARE(facts->process, std::string("process-10"));
        QCOMPARE(facts->method, std::string("hypercalls"));
        QVERIFY(!facts->isGiven && facts->problems.empty());
        QCOMPARE(facts->vcpus.size(), std::size_t(1));
        QCOMPARE(facts->vcpus[0].thread, std::string("t20 (20)"));
        QVERIFY(facts->vcpus[0].row == m_a);
        QVERIFY(!machineFacts(*m_timeline, m_a)); // There are no facts, because the row is a vCPU, not a virtual machine.

        Both both;
        both.made.assignGuest("a", {"nest", 11, {{0, 21}}});
        const Timeline& given = both.made.withRows();
        const auto byHand = machineFacts(given, rowNamed(given, "vm", "vm:a"));
        QVERIFY(byHand && byHand->isGiven);
        QCOMPARE(byHand->method, std::string("by hand"));
        QCOMPARE(
            byHand->problems,
            std::vector<std::string>{"a: set by hand to run in process 11 of nest; 1 hypercall says that it runs in process 10 of nest"});
        // Two diagnostics: the second one says that guest b has no virtual machine any more.
        QCOMPARE(given.relations[*given.correlatorRegistry->find("machines")]->diagnostics.size(), std::size_t(2));
        const auto vcpu = stateDetails(std::make_shared<const Timeline>(given), rowNamed(given, "vm", "vm:a/vcpu:0"), timestamp(250));
        QCOMPARE(factOf(*vcpu, "Identified by")->value, QString("set by hand"));
    }

    void theCardOfAMachineShowsThat()
    {
        Both both;
        both.made.assignGuest("a", {"nest", 11});
        ViewContext context;
        QWidget page;
        MachineCard card(context, &page);
        page.show();
        context.setTimeline(std::make_shared<const Timeline>(both.made.withRows()));
        context.time().setRow(rowNamed(*context.timeline(), "vm", "vm:a"));
        QTRY_VERIFY(!card.isEmpty());
        QStringList words;
        for (const QLabel* label : card.findChildren<QLabel*>())
            words << label->text();
        QVERIFY2(words.contains("set by hand"), qPrintable(words.join('|')));
        QVERIFY(words.join('|').contains("1 hypercall says that it runs in process 10 of nest."));
        context.time().setRow(rowNamed(*context.timeline(), "vm", "vm:a/vcpu:0"));
        QTRY_VERIFY(card.isEmpty());
        QVERIFY(card.isHidden());
    }

    void rowsSayWhatWasSetByHand()
    {
        const auto besideOf = [](const Timeline& timeline, const std::string& id) {
            const ViewRows rows = makeViewRows(timeline, "vm");
            const auto at = std::ranges::find(rows.rows, id, &Row::id) - rows.rows.begin();
            return rows.beside[std::size_t(at)];
        };
        QCOMPARE(besideOf(*m_timeline, "vm:a").remark, QString());
        QCOMPARE(besideOf(*m_timeline, "vm:a").tip, QString("a runs in process 10 of nest: identified by hypercalls"));
        QCOMPARE(besideOf(*m_timeline, "vm:a/vcpu:0").tip,
                 QString("vCPU 0 of a runs in thread 20, process 10 of nest: identified by hypercalls, kvm_exit"));
        Both both;
        both.made.assignGuest("a", {"nest", 11});
        const Timeline& given = both.made.withRows();
        QCOMPARE(besideOf(given, "vm:a").remark, QString("by hand"));
        QCOMPARE(besideOf(given, "vm:a").tip, QString("a runs in process 11 of nest: set by hand"));
        // The vCPU has no remark, because its thread was found, not set by the user.
        QCOMPARE(besideOf(given, "vm:a/vcpu:0").remark, QString());
        QCOMPARE(besideOf(given, "vm:process-10").tip, QString("It is unknown whose guest process-10 is"));
        both.made.assignGuest("a", {"nest", 11, {{0, 21}}});
        QCOMPARE(besideOf(both.made.withRows(), "vm:a/vcpu:0").remark, QString("by hand"));
    }

    void curvesOfExitsNameTheMachine()
    {
        QStringList names;
        for (const NamedSeries& it : namedSeries(*m_timeline, "vm-exits", theme())) {
            names << it.name;
            QVERIFY(it.host);
            QCOMPARE(QString::fromStdString(it.host->name), it.name.last(1));
            QCOMPARE(it.place.row, rowNamed(*m_timeline, "vm", "vm:" + it.host->name));
        }
        names.sort();
        QCOMPARE(names, QStringList({"HLT (120) of b", "INTR (96) of a"}));
        Both both;
        both.made.assignGuest("a", {}); // Removes the assignment, so that the guest's name is unknown.
        QCOMPARE(namedSeries(both.made.withRows(), "vm-exits", theme()).front().name, QString("INTR (96) of process-10"));
    }

    /// Property: the tip shows the whole name of a curve. The drawn name may be shortened in the middle, because the guest's name is at its
    /// end.
    void theTipShowsTheWholeNameOfACurve()
    {
        TimeWindow window;
        ViewContext context;
        TimeAxis axis(context.time(), context.bookmarks(), context.hits());
        axis.setTimeline(m_timeline);
        CurveGraph graph(axis);
        graph.resize(600, 100);
        graph.setSeries(namedSeries(*m_timeline, "vm-exits", theme()));
        const auto nameAt = [&](int y) { return graph.tipOf({40, y}); };
        QStringList tips;
        for (int y = 0; y < 100; ++y)
            if (const QString tip = nameAt(y); !tip.isEmpty() && !tips.contains(tip))
                tips << tip;
        tips.sort();
        QCOMPARE(tips, QStringList({"HLT (120) of b", "INTR (96) of a"}));
    }

    /// Property: headings and cells are not cut, in docks as narrow as on a small screen.
    void headsAndCellsAreNotCut()
    {
        ViewContext context;
        StatisticsView statistics(context);
        statistics.resize(350, 300);
        statistics.show();
        StealView losses(context);
        losses.resize(900, 160);
        losses.show();
        context.time().setFull({timestamp(0), timestamp(400)});
        context.setTimeline(m_timeline);
        const auto* pill = statistics.findChild<Pill*>();
        const auto* rows = statistics.findChild<QComboBox*>();
        QTRY_VERIFY(pill->isVisible() && rows->isVisible());
        QTest::qWait(0); // Waits for the layout.
        for (const QWidget* it : {static_cast<const QWidget*>(pill), static_cast<const QWidget*>(rows)})
            QVERIFY2(it->width() >= it->sizeHint().width(), qPrintable(QString("%1 < %2").arg(it->width()).arg(it->sizeHint().width())));
        for (const QLabel* it : statistics.findChildren<QLabel*>())
            if (it->isVisible() && !it->wordWrap())
                QVERIFY2(it->width() >= it->sizeHint().width(), qPrintable(it->text()));
        QTRY_VERIFY(losses.table().rowCount() > 0 && !losses.isBusy());
        for (const auto shown : {StealView::Shown::Culprits, StealView::Shown::Matrix, StealView::Shown::Threads}) {
            losses.list(shown);
            const auto* lines = losses.findChild<QTreeView*>();
            for (int column = 0; column < losses.table().columnCount(); ++column)
                for (int line = 0; line < losses.table().rowCount(); ++line) {
                    const QModelIndex index = losses.table().index(line, column);
                    // Margins left and right of a cell's text in pixels: those of the item delegate and those of paintCell().
                    constexpr int Margins = 2 * (8 + 3);
                    const double needed = cachedTextWidth(lines->font(), index.data().toString()) + Margins;
                    QVERIFY2(lines->columnWidth(column) >= needed, qPrintable(index.data().toString()));
                }
        }
    }

    /// Property: details of a host's CPU list the guest's activity on it.
    void detailsOfACpuSayWhatRanInside()
    {
        const TrackRef cpu = recordedRow(*m_timeline, cpus(*m_timeline), "nest", "cpu:1");
        const auto details = stateDetails(m_timeline, cpu, timestamp(250));
        QVERIFY(details && details->taken.isInside);
        QCOMPARE(details->taken.by[0].words, std::string("vCPU 0 of b: t8 (8)"));
    }

    void detailsOfAPreemptedVcpuSayWhoHadItsCpu()
    {
        const TrackRef vcpu = findMirrorRow(*m_timeline, m_a).isValid() ? findMirrorRow(*m_timeline, m_a) : m_a;
        const auto details = stateDetails(m_timeline, vcpu, timestamp(250));
        QVERIFY(details && details->preemption);
        QCOMPARE(details->preemption->vcpu, std::string("vCPU 0 of a"));
        QCOMPARE(details->taken.by.front().words, std::string("vCPU 0 of b: t8 (8)"));
        ViewContext context;
        DetailsView view(context);
        view.resize(416, 700);
        view.show();
        context.time().setFull({timestamp(0), timestamp(400)});
        context.setTimeline(m_timeline);
        context.time().setRow(vcpu);
        context.time().setCursor(timestamp(250));
        const auto texts = [&] {
            QStringList all;
            for (const QLabel* it : view.findChildren<QLabel*>())
                if (it->isVisible())
                    all << it->text();
            return all;
        };
        QTRY_VERIFY2(texts().contains("Why it was preempted"), qPrintable(texts().join('\n')));
        QVERIFY2(texts().join('\n').contains("Preempted by vCPU 0 of b: t8 (8) for 85 ns of 95 ns"), qPrintable(texts().join('\n')));
    }

    void aClickOnTheCardLeadsToTheCulprit()
    {
        StealCard card;
        QSignalSpy chosen(&card, &StealCard::chosen);
        card.setTaken(computeStealBreakdown(*m_timeline, m_a, {timestamp(205), timestamp(300)}), Duration(95));
        card.resize(380, 200);
        card.show();
        QVERIFY(card.accessibleName().contains(": vCPU 0 of b: t8 (8), 85 ns, another VM's vCPU, once, CPU 1"));
        QTest::mouseClick(&card, Qt::LeftButton, {}, card.placeOf(0));
        QCOMPARE(chosen.size(), 1);
        QVERIFY(chosen[0][0].value<TrackRef>() == m_b);
        QCOMPARE(chosen[0][1].value<Timestamp>(), timestamp(205));
        card.setTaken({}, Duration(95));
        QVERIFY(!card.isVisibleTo(nullptr));
    }

    void theCardIsFollowedByKeys_data()
    {
        QTest::addColumn<int>("key");
        for (const int key : {int(Qt::Key_Return), int(Qt::Key_Enter), int(Qt::Key_Space)})
            QTest::addRow("%d", key) << key;
    }
    void theCardIsFollowedByKeys()
    {
        QFETCH(int, key);
        StealCard card;
        QSignalSpy chosen(&card, &StealCard::chosen);
        StealBreakdown taken = computeStealBreakdown(*m_timeline, m_a, {timestamp(205), timestamp(300)});
        StealCulprit unknown = taken.by.front();
        unknown.row = {}; // A culprit without a row. Its line leads nowhere, so the arrow keys skip the line.
        taken.by.insert(taken.by.begin(), unknown);
        card.setTaken(taken, Duration(95));
        card.show();
        QVERIFY(card.focusPolicy() == Qt::StrongFocus);
        QCOMPARE(card.current(), std::optional<std::size_t>(1));
        QCOMPARE(card.accessibleDescription(), card.words(1));
        QTest::keyClick(&card, Qt::Key_Up);
        QCOMPARE(card.current(), std::optional<std::size_t>(1));
        QTest::keyClick(&card, Qt::Key_End);
        QCOMPARE(card.current(), std::optional<std::size_t>(taken.by.size() - 1));
        QTest::keyClick(&card, Qt::Key(key));
        QCOMPARE(chosen.size(), 1);
        QVERIFY(chosen[0][0].value<TrackRef>() == taken.by.back().row);

        for (StealCulprit& it : taken.by)
            it.row = {};
        card.setTaken(taken, Duration(95));
        QVERIFY(card.focusPolicy() == Qt::NoFocus);
        QTest::keyClick(&card, Qt::Key(key));
        QCOMPARE(chosen.size(), 1);
    }

    void tooltipsNameMachinesOneALine()
    {
        const TipRequest question{m_timeline, m_a, "vCPU 0 of a", timestamp(210), {}, {}, {}, 9, theme()};
        const auto tip = tipFor(question);
        QVERIFY(tip);
        QCOMPARE(tip->sharedBy, QString("Culprits"));
        QCOMPARE(tip->parts.size(), std::size_t(2));
        QCOMPARE(tip->parts[0].first, QString("vCPU 0 of b: t8 (8)"));
        for (const auto& [name, value] : tip->facts)
            QVERIFY2(!value.contains("vm:"), qPrintable(value));
    }

    /// Input: a guest's thread that seems to run for 389 ns, of which 95 ns were stolen.
    void statisticsAreAsRecordedOrWithoutWhatWasStolen()
    {
        const TimeRange all{timestamp(0), timestamp(400)};
        const auto recorded = rowStatistics(*m_timeline, all, {}), without = rowStatistics(*m_timeline, all, {}, {}, true);
        QVERIFY(lineOf(recorded, "t7 on a") && lineOf(without, "t7 on a"));
        QCOMPARE(lineOf(recorded, "t7 on a")->onCpu - lineOf(without, "t7 on a")->onCpu, Duration(95));
        QCOMPARE(lineOf(recorded, "t8 on b")->onCpu, lineOf(recorded, "t7 on a")->onCpu);
        const TrackRef cpu = recordedRow(*m_timeline, cpus(*m_timeline), "a", "cpu:0");
        const std::string view(viewOf(*m_timeline, cpu));
        const auto cpusRecorded = rowStatistics(*m_timeline, all, {}, view), cpusWithout = rowStatistics(*m_timeline, all, {}, view, true);
        const auto before = std::ranges::find(cpusRecorded, cpu, &RowStatistics::track);
        const auto after = std::ranges::find(cpusWithout, cpu, &RowStatistics::track);
        QVERIFY(before != cpusRecorded.end() && after != cpusWithout.end());
        QCOMPARE(before->onCpu - after->onCpu, Duration(95));
        QCOMPARE(after->name, before->name);
        QCOMPARE(after->tid, before->tid);
        QCOMPARE(after->covered, before->covered);
        const auto vcpus = rowStatistics(*m_timeline, all, {}, "vm");
        QVERIFY(lineOf(vcpus, "vCPU 0 of a") && lineOf(vcpus, "vCPU 0 of b"));
    }

    /// Property: rows of virtual machines have numbers, titles and badges; the guests' own rows show steal time over their bars.
    void rowsHaveWhatIsKnownBesideTheirStates()
    {
        ViewRows found = makeViewRows(*m_timeline, "vm");
        RowTree tree;
        tree.setRows(std::move(found.rows));
        int badges = 0;
        for (const GraphRow& row : makeGraphRows(tree, found.beside)) {
            badges += row.badge >= 0;
            if (row.ref == m_a) {
                QCOMPARE(row.id, QString("20"));
                QCOMPARE(row.place, QString("vCPU 0 of a"));
                QVERIFY(row.hasShare);
            }
        }
        QCOMPARE(badges, 2);
        ViewRows threads =
            makeViewRows(*m_timeline, viewOf(*m_timeline, recordedRow(*m_timeline, helio::threads(*m_timeline), "a", "tid:7")));
        int overlays = 0;
        for (std::size_t i = 0; i < threads.rows.size(); ++i)
            if (threads.beside[i].overlay.isValid()) {
                ++overlays;
                QVERIFY(threads.rows[i].host != 0); // Only rows of guest threads have an overlay.
            }
        QCOMPARE(overlays, 2);
    }

    /// Property: a collapsed CPU row of the host shows its guests' activity over its bars; an expanded one has a row for it.
    void aHostsCpuIsCoveredByItsMachines()
    {
        const TrackRef cpu = recordedRow(*m_timeline, helio::cpus(*m_timeline), "nest", "cpu:1");
        ViewRows found = makeViewRows(*m_timeline, viewOf(*m_timeline, cpu));
        RowTree tree;
        tree.setRows(std::move(found.rows));
        const auto covers = [&] {
            std::map<TrackRef, TrackRef> all;
            for (const GraphRow& row : makeGraphRows(tree, found.beside))
                if (row.cover.isValid())
                    all[row.ref] = row.cover;
            return all;
        };
        const auto closed = covers();
        QCOMPARE(closed.size(), std::size_t(1));
        QCOMPARE(rowOf(*m_timeline, closed.at(cpu))->id, std::string("cpu:1/machines"));
        tree.setOpen(tree.find(cpu), true);
        QVERIFY(covers().empty());
        QVERIFY(std::ranges::any_of(makeGraphRows(tree, found.beside), [&](const GraphRow& row) { return row.ref == closed.at(cpu); }));
    }

    void aClickInTheTablesLeadsToTheLongest()
    {
        ViewContext context;
        StealView view(context);
        view.resize(900, 300);
        view.show();
        context.time().setFull({timestamp(0), timestamp(400)});
        context.setTimeline(m_timeline);
        QTRY_COMPARE(view.table().rowCount(), 2);
        view.list(StealView::Shown::Matrix);
        const NavigableTable& table = view.table();
        QCOMPARE(table.columnCount(), 4);
        QCOMPARE(table.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("b"));
        QCOMPARE(table.data(table.index(0, 0), Qt::DisplayRole).toString(), QString("a"));
        QCOMPARE(table.data(table.index(0, 3), Qt::DisplayRole).toString(), QString("95 ns"));
        QVERIFY(table.cell(table.index(0, 1)).place.row == m_a);
        QVERIFY(!table.cell(table.index(1, 1)).place.row.isValid());
        view.list(StealView::Shown::Threads);
        QCOMPARE(table.data(table.index(0, 4), Qt::DisplayRole).toString(), QString("95 ns"));
    }

    /// Property: with the guest's trace only, steal time is unknown, not zero.
    void unknownStealIsNotDenied()
    {
        static MadeMachines alone;
        alone.markAsGuest(alone.add(guest(7), "a", 400));
        ViewContext context;
        StealView view(context);
        view.resize(900, 300);
        view.show();
        context.time().setFull({timestamp(0), timestamp(400)});
        context.setTimeline(std::make_shared<const Timeline>(alone.withRows()));
        const auto says = [&](const QString& what) {
            return std::ranges::any_of(view.findChildren<QLabel*>(), [&](const QLabel* label) { return label->text().contains(what); });
        };
        QTRY_VERIFY(says("no trace of the host is open"));
        QVERIFY(!says("No vCPU was preempted"));
    }

    /// Property: shares beside rows exclude steal time if the user chose so, for pinned rows, too.
    void sharesLeaveOutWhatWasStolen()
    {
        const TrackRef thread = recordedRow(*m_timeline, helio::threads(*m_timeline), "a", "tid:7");
        ViewRows found = makeViewRows(*m_timeline, viewOf(*m_timeline, thread));
        RowTree tree;
        tree.setRows(std::move(found.rows));
        tree.setPinned(tree.find(thread), true);
        auto pinned = makePinnedGraphRows(tree, found.beside);
        QCOMPARE(pinned.size(), std::size_t(1));
        QVERIFY(pinned[0].meter() == thread);
        pinned[0].excludeStealTime();
        QVERIFY(pinned[0].meter() == pinned[0].overlay && pinned[0].overlay.isValid());
    }

private:
    std::shared_ptr<const Timeline> m_timeline;
    TrackRef m_a, m_b;
};

HELIO_TEST(MachineViewsTest)

#include "tst_machine_views.moc"
