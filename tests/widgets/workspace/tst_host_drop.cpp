// Dragging a host's name onto the row of a virtual machine, and outlines around the culprits of steal time.

#include "core/query/rows/row_notes.h"
#include "tests/core/correlators/machines/two_guests.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/panels/guest_menu.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/view_context.h"

#include <QMouseEvent>
#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// A time area with the panels of CPUs, threads and virtual machines of a host with two guests; one guest is not assigned yet.
struct Shown {
    explicit Shown(bool isBound)
        : area(context)
    {
        const auto of = made.add(host(), "nest", 400);
        const auto a = made.add(guest(7), "a", 400);
        const auto b = made.add(guest(8), "b", 400);
        if (isBound)
            made.addHypercall(of, 20, a);
        made.addHypercall(of, 21, b);
        // Stands in for Session: applies changed clock settings to the timeline.
        QObject::connect(&context.clocks(), &ClockHistory::choiceChanged, &context, [this] {
            Timeline now = made.withRows();
            now.clockSettings = context.clocks().choice();
            context.setTimeline(std::make_shared<const Timeline>(std::move(now)));
        });
        area.resize(1100, 1000);
        area.show();
        context.setTimeline(std::make_shared<const Timeline>(made.withRows()));
        context.time().setVisible({timestamp(0), timestamp(400)});
        threads = area.rowsPanel(TrackRole::Thread)->graph();
        cpus = area.rowsPanel(TrackRole::Cpu)->graph();
    }
    TimeGraph* machines() const { return area.rowsPanel("vm") ? area.rowsPanel("vm")->graph() : nullptr; }
    bool isReady() const
    {
        return machines() && machines()->rows().count() > 0 && machines()->isIdle() && cpus->isIdle()
            && GuestChoices::of(const_cast<ViewContext&>(context)).ask();
    }
    TrackRef row(const std::string& view, const std::string& id) const { return rowNamed(*context.timeline(), view, id); }
    static QPoint label(const TimeGraph& graph, int row) { return {120, graph.rows().top(row) + graph.rows().metrics(row).height / 2}; }
    static QPoint place(const TimeGraph& graph, TrackRef row, int ns)
    {
        const int at = graph.rows().find(row);
        return {300 + ns * (graph.width() - 300) / 400, graph.rows().top(at) + 10};
    }
    void takeName(std::uint32_t of)
    {
        from = label(*threads, threads->rows().findHost(of));
        QTest::mousePress(threads, Qt::LeftButton, {}, from);
    }
    void moveTo(const TimeGraph& graph, QPoint at)
    {
        const QPointF global = graph.mapToGlobal(QPointF(at));
        QMouseEvent event(QEvent::MouseMove, threads->mapFromGlobal(global), global, Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(threads, &event);
    }
    void letGo() { QTest::mouseRelease(threads, Qt::LeftButton, {}, from); }
    TrackRef target() { return area.axis().hosts().target(); }

    MadeMachines made;
    ViewContext context;
    TimeArea area;
    TimeGraph* threads = nullptr;
    TimeGraph* cpus = nullptr;
    QPoint from;
};

constexpr std::uint32_t Nest = 0, A = 1; // Indexes of the hosts.

} // namespace

class HostDropTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Light); }

    void aNameOnAMachinesRowIsAStepLikeTheMenus()
    {
        Shown s(false);
        QTRY_VERIFY(s.isReady());
        std::string machine;
        for (const Row& row : rows(*s.context.timeline(), "vm"))
            if (row.role == TrackRole::Group && !row.id.ends_with(":b"))
                machine = row.id;
        QVERIFY(!machine.empty());
        s.takeName(A);
        const TimeGraph& vm = *s.machines();
        const TrackRef onto = s.row("vm", machine);
        s.moveTo(vm, Shown::label(vm, vm.rows().find(onto)));
        QVERIFY(s.area.axis().hosts().isCarrying());
        QVERIFY(s.target() == onto);
        const QImage picture = s.machines()->grab().toImage();
        QCOMPARE(picture.pixelColor(60, vm.rows().top(vm.rows().find(onto))), theme().color("accent.line"));
        QVERIFY(s.context.clocks().choice().guests.empty()); // Nothing is assigned before the drop.
        s.letGo();
        QVERIFY(!s.area.axis().hosts().isCarrying() && !s.target().isValid());
        QVERIFY(s.context.clocks().choice().guests.at("a") == (GuestOverride{"nest", 10}));
        QCOMPARE(s.context.changes().undoText(), QString("Guest assignment of a"));
        s.context.changes().undo();
        QVERIFY(s.context.clocks().choice() == ClockSettings());
    }

    void escapeAndOtherRowsChangeNothing()
    {
        Shown s(false);
        QTRY_VERIFY(s.isReady());
        const TimeGraph& vm = *s.machines();
        s.takeName(A);
        s.moveTo(*s.threads, s.from + QPoint(2, 1)); // The movement is too short for a drag, so the press stays a click.
        QVERIFY(!s.area.axis().hosts().isCarrying());
        s.moveTo(*s.cpus, Shown::label(*s.cpus, s.cpus->rows().count() - 1));
        QVERIFY(s.area.axis().hosts().isCarrying() && !s.target().isValid());
        s.letGo();
        QVERIFY(s.context.clocks().choice() == ClockSettings());
        s.takeName(A);
        s.moveTo(vm, Shown::label(vm, 0));
        QVERIFY(s.target().isValid());
        QTest::keyClick(s.threads, Qt::Key_Escape);
        QVERIFY(!s.area.axis().hosts().isCarrying() && !s.target().isValid());
        s.letGo();
        QVERIFY(s.context.clocks().choice() == ClockSettings());
        s.takeName(Nest); // The rows are no drop targets for this host, because it runs the guests itself.
        s.moveTo(vm, Shown::label(vm, 0));
        QVERIFY(s.area.axis().hosts().isCarrying() && !s.target().isValid());
        s.letGo();
        QVERIFY(s.context.clocks().choice() == ClockSettings());
    }

    /// Property: while the user hovers over or selects an interval in which a vCPU was preempted, the intervals of the culprits are
    /// outlined. Here, the culprit had CPU 1 of the host from 205 to 300.
    void culpritsAreOutlined()
    {
        Shown s(true);
        QTRY_VERIFY(s.isReady());
        const TrackRef cpu = recordedRow(*s.context.timeline(), cpuRows(*s.context.timeline()), "nest", "cpu:1");
        const TrackRef vcpu = s.row("vm", "vm:a/vcpu:0");
        QVERIFY(cpu.isValid() && vcpu.isValid());
        const auto edgeAt = [&](int ns) {
            const int row = s.cpus->rows().find(cpu);
            const QPoint at(Shown::place(*s.cpus, cpu, ns).x(), s.cpus->rows().top(row) + s.cpus->rows().metrics(row).baseline() - 1);
            return s.cpus->grab().toImage().pixelColor(at) == theme().color("vm.preempted");
        };
        QVERIFY(!edgeAt(270));
        const auto pointAt = [&](int ns) {
            const QPoint at = Shown::place(*s.machines(), vcpu, ns);
            QMouseEvent event(QEvent::MouseMove, QPointF(at), s.machines()->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(s.machines(), &event);
        };
        pointAt(250);
        QTRY_VERIFY(edgeAt(270));
        QVERIFY(edgeAt(208) && edgeAt(297) && !edgeAt(200) && !edgeAt(304));
        pointAt(100);
        QTRY_VERIFY(!edgeAt(270));
        s.context.time().setRow(vcpu);
        s.context.time().setCursor(timestamp(250));
        QTRY_VERIFY(edgeAt(270));
        pointAt(220);
        QTRY_VERIFY(edgeAt(270));
        s.context.time().setCursor(timestamp(100));
        QVERIFY(edgeAt(270)); // The hovered position has priority over the cursor.
        s.context.time().setVisible({timestamp(240), timestamp(400)});
        QTRY_VERIFY(!s.area.axis().culpritIntervals()); // A hovered position out of view does not count.
    }

private:
    static std::vector<Row> cpuRows(const Timeline& timeline)
    {
        std::vector<Row> all;
        for (const Row& row : rows(timeline, "resources"))
            if (row.role == TrackRole::Cpu)
                all.push_back(row);
        return all;
    }
};

HELIO_TEST(HostDropTest)
#include "tst_host_drop.moc"
