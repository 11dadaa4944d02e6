// Panels of views that an analysis describes. Property: they work although the window's code does not name them.

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/related/related.h"
#include "tests/support/made_analysis.h"
#include "tests/support/made_timeline.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/opened_text.h"
#include "tests/support/sample.h"
#include "tests/support/simulated_scheduling.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace helio;

namespace {

/// An analysis with the view "queues", which is placed between the resources and the threads.
class QueueAnalysis final : public test::MadeKind {
public:
    explicit QueueAnalysis(std::string title = "Queues", std::string nothing = "No queue was recorded.", const std::string& id = "queues",
                           bool beginsCollapsed = false)
        : m_queues{{.id = id,
                    .title = std::move(title),
                    .tip = "All that waits",
                    .beginsCollapsed = beginsCollapsed,
                    .order = 15,
                    .one = "queue",
                    .many = "queues",
                    .share = "full",
                    .nothing = std::move(nothing)}}
    {
        name = id;
    }
    std::span<const TrackView> views() const override { return m_queues; }

private:
    const std::vector<TrackView> m_queues;
};

/// Returns MadeTimeline's timeline with an additional analysis, whose view has no rows.
std::shared_ptr<const Timeline> withoutQueues(std::string title, std::string nothing, bool beginsCollapsed = false)
{
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    if (!analyses->add(std::make_shared<QueueAnalysis>(std::move(title), std::move(nothing), "queues", beginsCollapsed)))
        qFatal("not added");
    timeline->analyses = analyses;
    timeline->isComplete = true;
    return timeline;
}

/// Returns a synthetic timeline with a view for each pair of id and title.
std::shared_ptr<const Timeline> withViews(const std::vector<std::pair<std::string, std::string>>& titles)
{
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    for (const auto& [id, title] : titles)
        if (!analyses->add(std::make_shared<QueueAnalysis>(title, "None.", id)))
            qFatal("not added");
    timeline->analyses = analyses;
    timeline->isComplete = true;
    return timeline;
}

/// Returns the synthetic timeline with the built-in analyses, the analysis of queues, and a store of three queues.
std::shared_ptr<const Timeline> withQueues(StateSet states = {"queue", {{"empty"}, {"full"}}, {}}, bool isSampled = false)
{
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    if (!analyses->add(std::make_shared<QueueAnalysis>()))
        qFatal("not added");
    timeline->analyses = analyses;
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    for (int i = 0; i < 3; ++i) {
        Track track;
        track.view = "queues";
        track.key = track.label = "queue " + std::to_string(i);
        track.states = *builder->stateSet(states);
        const TrackId id = builder->addTrack(track);
        if (!isSampled) // Each row gets State{1} at 100 * i ns. A row without samples also gets State{0} at time 0.
            builder->set(hostTime(0), id, State{0});
        builder->set(hostTime(100 * i), id, State{1});
    }
    if (isSampled) {
        HostSample sample;
        sample.time = hostTime(50);
        sample.weight = 10;
        sample.kind = builder->samples().addKind({"cpu-clock", "ns", SampleKind::Origin::Event, true});
        builder->samples().add(sample);
    }
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(4000)};
    timeline->stores.push_back({0, *builder->finish(std::move(summary)), true});
    return timeline;
}

struct Shown {
    Shown()
        : area(context)
    {
        area.resize(1100, 900);
        area.show();
    }
    TimePanels& panels() { return *area.panels(); }
    QString ids()
    {
        QStringList all;
        for (const TimePanel* panel : panels().panels())
            all << QString::fromStdString(panel->id());
        return all.join(' ');
    }

    ViewContext context;
    TimeArea area;
};

QString legendOf(const TimePanel* panel)
{
    QStringList words;
    for (const LegendChip& chip : panel->header()->legend())
        words << chip.text;
    return words.join(' ');
}

StateKind explained(const std::string& name, std::uint8_t order)
{
    StateStyle style;
    style.order = order;
    style.flags = StateFlag::InHeader;
    return {name, StateCategory::None, style};
}

void choose(TimePanel* panel, const QString& line)
{
    QMenu menu;
    panel->fillMenu(menu);
    for (QAction* action : menu.actions())
        if (action->text() == line)
            return action->trigger();
    QFAIL(qPrintable(line));
}

} // namespace

class ViewPanelsTest : public QObject {
    Q_OBJECT

private slots:
    void theHeaderCountsCpusOfTwoRecordingsOnce()
    {
        const QTemporaryDir folder;
        std::vector<std::filesystem::path> paths;
        for (const char* name : {"a", "b"}) {
            QVERIFY(test::writeScheduling(folder.filePath(name), test::Simulation{.cpus = 2}.events(), false));
            paths.emplace_back(folder.filePath(name).toStdString());
        }
        const test::OpenedExperiment opened(paths);
        ViewContext context;
        TimeArea area(context);
        area.resize(1300, 900);
        area.show();
        context.setTimeline(opened.timeline);
        QTRY_VERIFY(area.rowsPanel("resources"));
        QTRY_COMPARE(area.rowsPanel("resources")->header()->subtitle(), QString("2 CPUs"));
    }

    /// Input: a Perfetto trace of two heap graphs, which are not read. Property: the empty panel says so.
    void aFileWithoutEventsSaysWhatIsNotRead()
    {
        const QByteArray packet("\n\x05\x40\x01\xc2\x03\x00", 7); // A packet with a time and an empty heap graph.
        const OpenedText opened(packet + packet, "heap.pftrace");
        QVERIFY2(opened.timeline, opened.error.c_str());
        Shown s;
        s.context.setTimeline(opened.timeline);
        const TimeGraph* const graph = s.area.rowsPanel(TrackRole::Thread)->graph();
        QTRY_COMPARE(graph->emptyWords().what, QString("This file has no events that can be shown."));
        QVERIFY2(graph->emptyWords().how.contains("heap_graph"), qPrintable(graph->emptyWords().how));
    }

    void aViewOfAnAnalysisHasAPanel()
    {
        Shown s;
        QCOMPARE(s.ids(), QString("resources control-flow"));
        QSignalSpy added(&s.area, &TimeArea::panelAdded);
        s.context.setTimeline(withQueues());
        QCOMPARE(added.size(), 1);
        QCOMPARE(s.ids(), QString("resources queues control-flow"));
        TrackPanel* queues = s.area.rowsPanel("queues");
        QCOMPARE(queues->name(), QString("Queues"));
        QTRY_COMPARE(queues->graph()->rows().count(), 3);
        QVERIFY(queues->isVisible());
        QVERIFY(queues->y() > s.area.panel("resources")->y() && queues->y() < s.area.panel("control-flow")->y());
    }

    /// Property: the legend does not depend on the order of the states in a file, so that two recordings side by side have the same legend.
    void valuesThatAFileDefinesAreExplainedInItsOrder()
    {
        for (const std::vector<StateKind>& states :
             {std::vector{explained("third", 22), explained("rests", 100), explained("first", 20), explained("second", 21)},
              std::vector{explained("second", 21), explained("third", 22), explained("first", 20), explained("rests", 100)}}) {
            Shown s;
            s.context.setTimeline(withQueues({"queue", states, {}}));
            QTRY_COMPARE(legendOf(s.area.panel("queues")), QString("first second third rests"));
        }
    }

    /// Input: rows without samples, in a recording that has samples. Property: the legend shows the rows' states.
    void rowsOfOneStateWithoutSamplesAreExplainedByTheirStates()
    {
        Shown s;
        s.context.setTimeline(withQueues({"queue", {explained("empty", 20), explained("full", 21)}, {}}, true));
        QVERIFY(!sampleKinds(*s.context.timeline()).empty());
        QTRY_COMPARE(legendOf(s.area.panel("queues")), QString("empty full"));
    }

    /// Input: a state without an entry of its own, in the colour of a state that no row has. Property: the legend explains the colour.
    void aStateIsExplainedIfTheUsualStateOfItsColourIsMissing()
    {
        StateKind usual = explained("user", 20), plain = explained("running", 21), other = explained("other", 22),
                  rests = explained("rests", 100);
        for (StateKind* state : {&usual, &plain, &other, &rests})
            state->style.legend = state->name;
        usual.style.color = plain.style.color = "cpu.user";
        other.style.color = "cpu.irq";
        plain.style.flags = other.style.flags = 0;
        Shown s;
        s.context.setTimeline(withQueues({"queue", {rests, plain, usual, other}, {}}));
        QTRY_COMPARE(legendOf(s.area.panel("queues")), QString("running rests"));
    }

    /// Property: the legend does not explain a state that has no legend entry of its own if it already explains the usual state of the same
    /// colour.
    void aStateIsNotExplainedBesideTheUsualStateOfItsColour()
    {
        StateKind usual = explained("user", 20), plain = explained("running", 21);
        usual.style.legend = "user";
        plain.style.legend = "running";
        usual.style.color = plain.style.color = "cpu.user";
        plain.style.flags = 0;
        Shown s;
        s.context.setTimeline(withQueues({"queue", {plain, usual}, {}}));
        QTRY_COMPARE(legendOf(s.area.panel("queues")), QString("user"));
    }

    /// Input: an analysis file that is edited while its panel is open. Property: the empty panel shows the edited text.
    void whatAnEmptyPanelSaysIsThatOfTheEditedAnalysis()
    {
        Shown s;
        s.context.setTimeline(withoutQueues("Queues", "Its rows are a/*."));
        TrackPanel* const queues = s.area.rowsPanel("queues");
        QVERIFY(queues);
        QTRY_COMPARE(queues->graph()->emptyWords().what, QString("Its rows are a/*."));

        s.context.setTimeline(withoutQueues("Queues", "Its rows are b/*, which no rule sets."));
        QCOMPARE(s.area.rowsPanel("queues"), queues); // The panel is not replaced.
        QTRY_COMPARE(queues->graph()->emptyWords().what, QString("Its rows are b/*, which no rule sets."));
    }

    /// Property: a panel without rows stays if it is open by default, and explains why it has no rows. A panel that is collapsed by default
    /// is hidden, because it would only be an empty header.
    void aPanelWithoutRowsStaysUnlessItIsCollapsedAtFirst()
    {
        Shown open;
        open.context.setTimeline(withoutQueues("Queues", "None."));
        QTRY_VERIFY(open.area.rowsPanel("queues")->emptyTextHeight() > 0);
        QVERIFY(!open.area.panel("queues")->isHidden());
        Shown collapsed;
        collapsed.context.setTimeline(withoutQueues("Queues", "None.", true));
        QTRY_VERIFY(collapsed.area.panel("queues")->isHidden());
    }

    /// Input: ftrace texts with a marker, which may be a slice (atrace). Property: a built-in panel that turns out to have no rows is
    /// hidden.
    void builtInPanelsWithoutRowsAreHidden()
    {
        const auto text = [](const char* marker) {
            return QByteArray("  bash-393 [003] .....    95.909375: tracing_mark_write: ") + marker
                + "\n  bash-393 [003] .....    95.909385: tracing_mark_write: E|393\n";
        };
        const OpenedText without(text("the end"), "trace.txt"), with(text("B|393|work"), "trace.txt");
        QVERIFY(without.timeline && with.timeline);
        Shown empty;
        empty.context.setTimeline(without.timeline);
        QVERIFY(empty.area.panel("call-stack") && empty.area.panel("app-counters"));
        QTRY_VERIFY(empty.area.panel("call-stack")->isHidden());
        QTRY_VERIFY(empty.area.panel("app-counters")->isHidden());
        Shown full;
        full.context.setTimeline(with.timeline);
        QTRY_VERIFY(full.area.rowsPanel("call-stack")->graph()->rows().count() > 0);
        QVERIFY(!full.area.panel("call-stack")->isHidden());
    }

    void aPanelThatIsDescribedOtherwiseIsAnother()
    {
        Shown s;
        s.context.setTimeline(withQueues());
        QTRY_COMPARE(s.area.rowsPanel("queues")->graph()->rows().count(), 3);
        choose(s.area.panel("queues"), "Move panel down");
        s.area.panel("queues")->header()->setFilter("queue 1");
        const QString order = s.ids();

        s.context.setTimeline(withoutQueues("Waiting lines", "None."));

        QCOMPARE(s.area.panel("queues")->name(), QString("Waiting lines"));
        QCOMPARE(s.ids(), order);
        QCOMPARE(s.area.panel("queues")->header()->filter()->text(), QString("queue 1"));
    }

    /// Property: a panel whose description changes keeps its place among panels with the same sort key. For example, panels of analysis
    /// files all have one sort key and are placed in the order in which they were added.
    void aPanelThatIsDescribedOtherwiseKeepsItsPlaceAmongItsLike()
    {
        Shown s;
        s.context.setTimeline(withViews({{"a", "A"}, {"b", "B"}, {"c", "C"}}));
        const QString order = s.ids();
        QVERIFY2(order.contains("a b c"), qPrintable(order));
        s.context.setTimeline(withViews({{"a", "A"}, {"b", "B, renamed"}, {"c", "C"}}));
        QCOMPARE(s.area.panel("b")->name(), QString("B, renamed"));
        QCOMPARE(s.ids(), order);
        s.context.setTimeline(withViews({{"a", "A, renamed"}, {"b", "B, renamed"}, {"c", "C, renamed"}}));
        QCOMPARE(s.ids(), order);
        // A panel that was removed and is added again returns to its old place.
        s.context.setTimeline(withViews({{"c", "C"}}));
        s.context.setTimeline(withViews({{"c", "C"}, {"b", "B"}}));
        s.context.setTimeline(withViews({{"c", "C"}, {"b", "B"}, {"a", "A"}, {"d", "D"}}));
        QCOMPARE(s.ids(), QString(order).replace("a b c", "a b c d"));
    }

    void itGoesWithItsAnalysis()
    {
        Shown s;
        s.context.setTimeline(withQueues());
        QTRY_COMPARE(s.area.rowsPanel("queues")->graph()->rows().count(), 3);
        TimePanel* const threads = s.area.panel("control-flow");
        QSignalSpy removed(&s.area, &TimeArea::panelRemoved);
        s.context.setTimeline(MadeTimeline::make(3));
        QCOMPARE(removed.size(), 1);
        QCOMPARE(s.ids(), QString("resources control-flow"));
        QCOMPARE(s.area.panel("control-flow"), threads); // Other panels are not replaced.
        QVERIFY(!s.area.panel("queues"));
    }

    void aPersonMovesPanels()
    {
        Shown s;
        s.context.setTimeline(withQueues());
        QTRY_COMPARE(s.area.rowsPanel("queues")->graph()->rows().count(), 3);
        QTRY_VERIFY(s.area.rowsPanel("control-flow")->graph()->rows().count() > 0);
        choose(s.area.panel("control-flow"), "Move panel up");
        QCOMPARE(s.ids(), QString("resources control-flow queues"));
        choose(s.area.panel("resources"), "Move panel down");
        choose(s.area.panel("resources"), "Move panel down");
        QCOMPARE(s.ids(), QString("control-flow queues resources"));
        choose(s.area.panel("resources"), "Move panel down"); // The menu item has no effect, because the panel is the last one.
        QCOMPARE(s.ids(), QString("control-flow queues resources"));
        QVERIFY(s.area.panel("control-flow")->y() < s.area.panel("queues")->y());
        QVERIFY(s.area.panel("queues")->y() < s.area.panel("resources")->y());
    }

    void theLayoutIsKeptForPanelsThatComeLater()
    {
        QJsonObject layout;
        QJsonObject rows;
        {
            Shown s;
            s.context.setTimeline(withQueues());
            QTRY_COMPARE(s.area.rowsPanel("queues")->graph()->rows().count(), 3);
            choose(s.area.panel("queues"), "Move panel down");
            s.panels().setPanelVisible(s.area.panel("queues"), false);
            s.area.panel("queues")->header()->setFilter("queue 1");
            layout = s.panels().layout();
            rows = s.area.save();
        }
        Shown s;
        s.panels().restoreLayout(layout);
        s.area.restore(rows);
        QCOMPARE(s.panels().layout(), layout); // The layout keeps the missing panel.
        s.context.setTimeline(withQueues());
        QCOMPARE(s.ids(), QString("resources control-flow queues"));
        TrackPanel* queues = s.area.rowsPanel("queues");
        QVERIFY(!s.panels().isPanelWanted(queues) && queues->isHidden());
        s.panels().setPanelVisible(queues, true);
        QTRY_COMPARE(queues->graph()->rows().count(), 1);
    }

    /// Input: a layout without some panels, for example because it was saved with another kind of recording. Property: the missing panels
    /// are placed as in a new window.
    void whatALayoutDoesNotNameIsAsInANewWindow()
    {
        Shown s;
        s.context.setTimeline(MadeTimeline::make(3));
        QTRY_VERIFY(s.area.rowsPanel("control-flow")->graph()->rows().count() > 0);
        QTRY_VERIFY(s.area.rowsPanel("resources")->graph()->rows().count() > 0);
        TimePanel* threads = s.area.panel("control-flow");
        choose(threads, "Move panel up");
        threads->setWantedHeight(200);
        threads->setCollapsed(true);
        s.panels().setPanelVisible(s.area.panel("resources"), false);
        s.panels().restoreLayout({});
        QCOMPARE(s.ids(), QString("resources control-flow"));
        QVERIFY(!threads->wantedHeight() && !threads->isCollapsed());
        QVERIFY(s.panels().isPanelWanted(s.area.panel("resources")));
    }

    /// Input: panels with one shared header, as on the sides of a comparison.
    void panelsUnderOneHeaderComeAndGo()
    {
        Shown s;
        s.panels().shareHeader(s.area.panel("control-flow"));
        s.context.setTimeline(withQueues());
        QTRY_COMPARE(s.area.rowsPanel("queues")->graph()->rows().count(), 3);
        QCOMPARE(s.area.panel("resources")->headerHeight(), 0);
        QVERIFY(s.area.panel("resources")->header()->isHidden());
        const TimePanel* queues = s.area.panel("queues");
        QVERIFY(queues->headerHeight() > 0 && queues->header()->isVisible());
        QCOMPARE(queues->header()->title(), QString("Queues"));
        QCOMPARE(queues->header()->toolTip(), QString("All that waits"));
        // The header has no tooltip, because it belongs to all panels below it.
        QVERIFY(s.area.panel("control-flow")->header()->toolTip().isEmpty());
        QVERIFY(queues->height() >= queues->headerHeight() + 3 * 14);
        s.panels().remove(s.area.panel("queues"));
        QCOMPARE(s.panels().findChildren<PanelHeader*>(QString(), Qt::FindDirectChildrenOnly).size(), 2);
        s.panels().remove(s.area.panel("control-flow")); // Removes the panel whose header was shared.
        QVERIFY(s.area.panel("resources")->header()->isVisible());
        QVERIFY(!s.area.grab().isNull());
    }

    /// Input: a recording in which one sample, at 26559.089 s, has a stack of 8 frames, and all others have 3. Property: the rows
    /// are those of the deepest stack in the visible range; the selected row stays, at its place.
    void sampledStacksAreAsHighAsTheVisibleStacks()
    {
        const auto base = test::timelineOf("tests/fixtures/perf/fp.data");
        QVERIFY(base);
        const auto timeline = withShownRows(*base);
        QVERIFY(timeline && *timeline);
        Shown s;
        s.context.setTimeline(*timeline);
        const TrackPanel* panel = s.area.rowsPanel("sampled-stacks");
        QVERIFY(panel);
        const TimeGraph* graph = panel->graph();
        const auto depths = [&] {
            QStringList byThread;
            for (int i = 0; i < graph->rows().count(); ++i)
                if (graph->rows()[i].hasFrames() && graph->rows()[i].drawnAs == RowShape::FirstFrame) {
                    const auto [first, last] = graph->rows().stackOf(i);
                    int frames = 0;
                    for (int row = first; row < last; ++row)
                        frames += graph->rows()[row].hasFrames();
                    byThread << QString("%1: %2").arg(graph->rows()[i].id).arg(frames);
                }
            byThread.sort();
            return byThread.join(", ");
        };
        // The deep stack has a ninth frame if this machine knows a function that was inlined in its C library.
        const auto areDeep = [&](const char* worker) {
            return depths() == QString("17051: 8, 17053: %1").arg(worker) || depths() == QString("17051: 9, 17053: %1").arg(worker);
        };
        const auto at = [](std::int64_t us) { return timestamp((26'559'000'000 + us) * 1000); };
        TimeWindow& window = s.context.time();
        window.setVisible({at(45'000), at(89'060)});
        QTRY_VERIFY2(areDeep("3"), qPrintable(depths()));
        window.setVisible({at(45'000), at(80'000)});
        QTRY_COMPARE(depths(), QString("17051: 3, 17053: 3"));
        window.setVisible({at(78'500), at(89'060)});
        QTRY_VERIFY2(areDeep("1"), qPrintable(depths())); // No sample of the worker is in view; its row remains.

        const auto deepest = [&] {
            for (int i = graph->rows().count() - 1; i >= 0; --i)
                if (graph->rows()[i].place.contains("depth 8"))
                    return graph->rows()[i].ref;
            return TrackRef();
        };
        const TrackRef selected = deepest();
        QVERIFY(selected.isValid());
        window.setRow(selected);
        window.setVisible({at(45'000), at(80'000)});
        QTRY_VERIFY2(areDeep("3"), qPrintable(depths()));
        QVERIFY(graph->selectedRow() >= 0);
        window.setRow({});
        window.setVisible({at(46'000), at(80'000)});
        QTRY_COMPARE(depths(), QString("17051: 3, 17053: 3"));
        window.setRow(selected); // A row that is not shown is revealed.
        QTRY_VERIFY2(areDeep("3"), qPrintable(depths()));
    }

    void aLayoutWithoutPlacesLeavesThemInTheirOrder()
    {
        Shown s;
        s.panels().restoreLayout({{"control-flow", QJsonObject{{"shown", true}, {"height", 200}}}});
        QCOMPARE(s.ids(), QString("resources control-flow"));
        QCOMPARE(s.area.panel("control-flow")->wantedHeight(), std::optional(200));
    }
};

HELIO_TEST(ViewPanelsTest)
#include "tst_view_panels.moc"
