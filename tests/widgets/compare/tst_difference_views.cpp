#include "tests/support/made_call_tree.h"
#include "tests/support/made_timeline.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"
#include "widgets/compare/difference/difference_style.h"
#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/compare/flame/difference_ramp.h"
#include "widgets/compare/functions/difference_functions.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/controls/table_copy.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/theme/themes.h"

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

using namespace helio;
using Of = DifferenceWidths::Of;

namespace {

constexpr std::uint64_t Ms = 1'000'000;

/// Makes a comparison of A and B: function "slow" grew from 1 s to 4 s, "noise" changed by less than chance explains, "gone" is only in A,
/// and "came" is only in B.
DifferenceResult changed(DifferenceScale scale = {WeightBy::Weight, 1, 1})
{
    DifferenceResult shown;
    shown.tree = std::make_shared<const DifferenceTree>(
        compareTrees(treeOf({{"main;slow", 1000}, {"main;noise", 500}, {"main;gone", 500}}, Ms),
                     treeOf({{"main;slow", 4000}, {"main;noise", 520}, {"main;came", 480}}, Ms), scale));
    shown.graph = shown.tree;
    shown.functions = std::make_shared<const std::vector<FunctionDifference>>(computeFunctionDifferences(*shown.tree));
    for (ComparedSide& side : shown.sides) {
        side.name = "solver";
        side.kind.isTime = true;
    }
    return shown;
}

std::uint32_t nodeOf(const DifferenceTree& tree, const std::string& name)
{
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
        if (tree.functionOf(node).name == name)
            return node;
    return 0;
}

FlameContent contentOf(const DifferenceResult& shown, const DifferenceGraphOptions& look)
{
    FlameContent content;
    content.tree = std::make_shared<const CallTree>(widthTree(*shown.graph, look.widths));
    content.by = WeightBy::Weight;
    content.style = std::make_shared<const DifferenceStyle>(shown, look);
    return content;
}

const SampleKind cycles{"cycles", "", SampleKind::Origin::Event, false};

/// Makes a timeline with `samples` samples of one stack.
std::shared_ptr<const Timeline> sampled(const SampleKind& kind, int samples)
{
    const auto builder = makeMemoryStoreBuilder(hostTime(0));
    const SampleKindId id = samples > 0 ? builder->samples().addKind(kind) : SampleKindId{};
    for (int i = 0; i < samples; ++i) {
        HostSample sample;
        sample.time = hostTime(i);
        sample.weight = 1;
        sample.stack = builder->stacks().stack(NoStack, {UnknownModule, false, 0x10});
        sample.kind = id;
        builder->samples().add(sample);
    }
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(100)};
    auto timeline = std::make_shared<Timeline>();
    addTrace(*timeline, {*builder->finish(summary), std::make_shared<MadeTrace>()});
    timeline->isComplete = true;
    return timeline;
}

/// Colours of a frame: at its upper left corner and inside.
struct Painted {
    QColor edge;
    QColor inside;
};
Painted paintedOf(FlameView& view, std::uint32_t node)
{
    const QRectF rect = view.rectOf({0, node, 1});
    if (rect.isEmpty())
        return {};
    const QImage image = view.image(view.viewport()->width());
    return {image.pixelColor(int(rect.left()), int(rect.top())), image.pixelColor(int(rect.left()) + 2, int(rect.top()) + 2)};
}

} // namespace

class DifferenceViewsTest : public QObject {
    Q_OBJECT

private slots:
    void colourIsAFramesOwnChangeAndNoiseIsGrey()
    {
        const DifferenceResult shown = changed();
        const DifferenceStyle style(shown, {});
        QCOMPARE(style.stepOf(nodeOf(*shown.graph, "slow")), 4);
        QCOMPARE(style.stepOf(nodeOf(*shown.graph, "noise")), 0);
        // main has the neutral step 0, because the whole difference is in its callees.
        QCOMPARE(style.stepOf(nodeOf(*shown.graph, "main")), 0);
        QVERIFY(style.stepOf(nodeOf(*shown.graph, "came")) > 0);
        const DifferenceStyle inclusive(shown, {{}, true, false, false});
        QCOMPARE(inclusive.stepOf(nodeOf(*shown.graph, "main")), 4);
        QCOMPARE(inclusive.stepOf(nodeOf(*shown.graph, "noise")), 0);
    }

    void theSourceToLookAtFirstIsTheProgramsOwnBusiest()
    {
        DifferenceResult shown = changed();
        DifferenceTree tree = *shown.tree;
        for (SampledFunction& function : tree.functions)
            function.code = CodeKind::Kernel;
        shown.tree = std::make_shared<const DifferenceTree>(tree);
        QVERIFY(!shown.findBusiestOwnFunction());
        for (SampledFunction& function : tree.functions)
            function.code = CodeKind::User;
        shown.tree = std::make_shared<const DifferenceTree>(tree);
        QVERIFY(shown.findBusiestOwnFunction());
        QCOMPARE(shown.findBusiestOwnFunction()->name, "slow"); // main() is not the busiest function, because it has no time of its own.
        const auto sourceIfInHeader = [&](const std::vector<std::string>& names) {
            return shown.findSourceFunction([&](const SampledFunction& it) { return std::ranges::count(names, it.name) > 0; })->name;
        };
        QCOMPARE(sourceIfInHeader({"main"}), "slow");
        QCOMPARE(sourceIfInHeader({"slow"}), "main");
        QCOMPARE(sourceIfInHeader({"slow", "main"}), "slow");
    }

    void framesArePaintedInTheStepsColour()
    {
        FlameView view;
        view.resize(1000, 200);
        view.show();
        const DifferenceResult shown = changed();
        for (const Theme::Kind kind : {Theme::Kind::Light, Theme::Kind::Dark}) {
            Themes::instance().setTheme(kind);
            view.setContent(contentOf(shown, {}));
            QCOMPARE(paintedOf(view, nodeOf(*shown.graph, "slow")).inside, theme().color("diff.+4"));
            QCOMPARE(paintedOf(view, nodeOf(*shown.graph, "noise")).inside, theme().color("diff.0"));
        }
    }

    void whatIsGoneIsSeenOnlyWhereItIsKept()
    {
        FlameView view;
        view.resize(1000, 200);
        view.show();
        const DifferenceResult shown = changed();
        const std::uint32_t gone = nodeOf(*shown.graph, "gone");
        view.setContent(contentOf(shown, {}));
        QVERIFY(view.rectOf({0, gone, 1}).isEmpty());
        view.setContent(contentOf(shown, {{Of::B, true}, false, false, false}));
        const Painted kept = paintedOf(view, gone);
        QCOMPARE(kept.edge, theme().color("diff.-4"));
        QCOMPARE(kept.inside, theme().color("surface.panel"));
    }

    void theWidestModeShowsAllFramesInTheirLargerWidth()
    {
        FlameView view;
        view.resize(1000, 200);
        view.show();
        const DifferenceResult shown = changed();
        view.setContent(contentOf(shown, {{Of::Widest, false}, false, false, false}));
        const double width = view.viewport()->width();
        const auto widthOf = [&](const char* name) { return view.rectOf({0, nodeOf(*shown.graph, name), 1}).width(); };
        const double whole = 4000 + 520 + 500 + 480;
        QVERIFY(std::abs(widthOf("slow") - width * 4000 / whole) <= 2);
        QVERIFY(std::abs(widthOf("gone") - width * 500 / whole) <= 2);
        QVERIFY(std::abs(widthOf("came") - width * 480 / whole) <= 2);
    }

    void wideFramesSayRatioAndDifference()
    {
        const DifferenceResult shown = changed();
        const DifferenceStyle style(shown, {});
        const auto slow = style.frameTexts(nodeOf(*shown.graph, "slow"));
        QCOMPARE(slow.strong, QStringLiteral("\u00d74.00"));
        QCOMPARE(slow.plain, QStringLiteral("+3.00\u00a0s"));
        QCOMPARE(style.frameTexts(nodeOf(*shown.graph, "noise")).plain, QStringLiteral("within noise"));
        QCOMPARE(style.rootName(), "solver, per process");
        QVERIFY(style.description(nodeOf(*shown.graph, "slow"))
                    .startsWith(QStringLiteral("slow: 1.00\u00a0s in A, 4.00\u00a0s in B, +3.00\u00a0s")));
    }

    void amountsOfFourRunsAreThoseOfOne()
    {
        const DifferenceResult shown = changed({WeightBy::Weight, 1, 0.25});
        const DifferenceStyle style(shown, {});
        // slow has the neutral step 0, because 4 s in four processes are 1 s in each.
        QCOMPARE(style.stepOf(nodeOf(*shown.graph, "slow")), 0);
        QVERIFY(style.stepOf(nodeOf(*shown.graph, "noise")) < 0);
    }

    void theRampNamesItsSteps()
    {
        const DifferenceResult shown = changed();
        DifferenceRamp ramp;
        ramp.setSteps(DifferenceStyle(shown, {}).steps(), shown.unit);
        QCOMPARE(ramp.nameOf(4), QStringLiteral("+2\u00a0s"));
        QCOMPARE(ramp.nameOf(-3), QStringLiteral("\u22120.5\u00a0s"));
        QCOMPARE(ramp.nameOf(2), "+0.1");
        QCOMPARE(ramp.nameOf(0), "same");
    }

    void theTableSortsAndFilters()
    {
        DifferenceFunctions table;
        table.setDifference(changed());
        const auto names = [&] {
            QStringList all;
            for (int row = 0; row < table.rowCount(); ++row)
                all << table.index(row, 0).data().toString();
            return all;
        };
        QCOMPARE(names(), (QStringList{"slow", "gone", "came", "noise"}));
        table.sort(DifferenceFunctions::Difference, Qt::AscendingOrder); // Sorts the functions that shrank most to the top.
        QCOMPARE(names().first(), "gone");
        table.sort(DifferenceFunctions::Function, Qt::AscendingOrder);
        QCOMPARE(names(), (QStringList{"came", "gone", "noise", "slow"}));
        table.setFilter("SLO");
        QCOMPARE(names(), QStringList{"slow"});
        QCOMPARE(table.index(0, DifferenceFunctions::A).data().toString(), QStringLiteral("1000\u00a0ms"));
        QCOMPARE(table.index(0, DifferenceFunctions::Difference).data().toString(), QStringLiteral("+3000\u00a0ms"));
        QCOMPARE(table.index(0, DifferenceFunctions::Ratio).data().toString(), QStringLiteral("\u00d74.00"));
        QCOMPARE(table.index(0, 0).data(DifferenceFunctions::StepRole).toInt(), 4);
    }

    void csvHasPlainNumbers()
    {
        DifferenceFunctions table;
        table.setDifference(changed());
        const QStringList lines = table.csv().split('\n');
        QCOMPARE(lines[0], "function,module,a,b,difference,ratio,z,samples_a,samples_b");
        QVERIFY2(lines[1].startsWith("slow,,1000000000,4000000000,3000000000,4,"), qPrintable(lines[1]));
        QVERIFY2(lines[2].startsWith("gone,,500000000,0,-500000000,0,"), qPrintable(lines[2]));
        table.setTotals(true);
        QVERIFY(table.csv().contains("main,,2000000000,5000000000"));
    }

    void theTableIsCopiedAndExportedAsTheModelWritesIt()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        DifferenceTable table(model);
        table.functions().setDifference(changed());
        QCOMPARE(tableCsv(table), table.functions().csv());
        QStringList offered;
        QTimer::singleShot(0, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu)
                return;
            for (const QAction* action : menu->actions())
                offered << action->text();
            menu->close();
        });
        emit table.customContextMenuRequested(table.visualRect(table.model()->index(0, 0)).center());
        QCOMPARE(offered, (QStringList{"Annotated source", "Copy name", "Copy row", "Copy cell", "Copy table as CSV"}));
    }

    void aTimelineThatComesWhileItComparesIsComparedToo()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        QWidget view;
        model.serve(&view);
        DifferenceSettings choices;
        choices.isOfAll = true;
        model.setChoices(choices);
        context.a().setTimeline(sampled(cycles, 1));
        context.b().setTimeline(sampled(cycles, 1));
        view.show();
        QTRY_VERIFY(model.shown().tree);
        choices.basis.per = DifferenceSettings::Per::Share;
        model.setChoices(choices);
        context.a().setTimeline(sampled(cycles, 5));
        QTRY_COMPARE(model.shown().tree->whole.a.samples, 5u);
    }

    void inlinedFunctionsThatOneSideDoesNotNameAreNoDifference()
    {
        const auto script = [](const QByteArray& top) {
            return "prog  10 [000] 1.000000: 250000 cycles: \n" + top + "\t55d1 main+0x10 (/bin/prog)\n\n";
        };
        const OpenedText plain(script(""));
        const OpenedText inlined(script("\t55d1 sum (inlined)\n"));
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        QWidget view;
        model.serve(&view);
        DifferenceSettings choices;
        choices.isOfAll = true;
        model.setChoices(choices);
        context.a().setTimeline(inlined.timeline);
        context.b().setTimeline(plain.timeline);
        view.show();
        QTRY_VERIFY(model.shown().tree);
        QCOMPARE(nodeOf(*model.shown().tree, "sum"), 0u);
        QVERIFY2(basisText(model.shown()).contains("B has none"), qPrintable(basisText(model.shown())));
        context.b().setTimeline(inlined.timeline);
        QTRY_VERIFY(nodeOf(*model.shown().tree, "sum") != 0);
        QVERIFY(!basisText(model.shown()).contains("inlined"));
    }

    void unlikeCountersAreComparedByTheirSharesAlone()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        QWidget view;
        model.serve(&view);
        DifferenceSettings choices;
        choices.isOfAll = true;
        model.setChoices(choices);
        context.a().setTimeline(sampled({"cache-misses", "", SampleKind::Origin::Event, false}, 1));
        context.b().setTimeline(sampled(cycles, 1));
        view.show();
        QTRY_VERIFY(model.shown().missing.contains("which are not comparable"));
        choices.basis.per = DifferenceSettings::Per::Share;
        model.setChoices(choices);
        QTRY_VERIFY(model.shown().tree);
        choices.basis.per = DifferenceSettings::Per::Samples;
        model.setChoices(choices);
        QTRY_VERIFY(model.shown().missing.contains("which are not comparable"));
    }

    void aViewThatIsShownLaterSaysWhatIsMissing()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        QWidget other;
        model.serve(&other);
        DifferenceGraphView view(model);
        context.a().setTimeline(sampled(cycles, 0));
        context.b().setTimeline(sampled(cycles, 1));
        other.show();
        QTRY_VERIFY(model.shown().missing.startsWith("A has no samples"));
        view.show();
        const auto labels = view.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* it) { return it->isVisible() && it->text() == model.shown().missing; }));
    }

    void theGraphStandsAboveItsFunctionsAndTheSearchIsHiddenUntilItIsAskedFor()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        DifferenceSettings choices;
        choices.isOfAll = true;
        model.setChoices(choices);
        DifferenceGraphView view(model);
        view.resize(1200, 500);
        context.a().setTimeline(sampled(cycles, 1));
        context.b().setTimeline(sampled(cycles, 3));
        view.show();
        QTRY_VERIFY(view.graph().isVisible());
        const auto* table = view.findChild<QTreeView*>();
        QVERIFY(table->isVisible() && table->mapTo(&view, QPoint()).y() >= view.graph().mapTo(&view, QPoint(0, view.graph().height())).y());
        const auto* field = view.findChild<QLineEdit*>();
        QVERIFY(!field->isVisible());
        emit view.graph().searchRequested();
        QVERIFY(field->isVisible());
        view.search("nothing like this");
        QCOMPARE(view.found(), "none");
        QTest::keyClick(view.findChild<QLineEdit*>(), Qt::Key_Escape);
        QVERIFY(!field->isVisible() && view.found().isEmpty());
        view.search("prog"); // The menu item "Find all occurrences" of a frame also calls search(), so the field must appear.
        QVERIFY(field->isVisible());
    }

    void withoutTracesThePageSaysWhatIsMissing()
    {
        ViewContext a, b;
        CompareContext context(a, b);
        DifferenceModel model(context);
        DifferenceGraphView view(model);
        view.show();
        QTRY_VERIFY(!model.shown().missing.isEmpty());
        QVERIFY(view.graph().parts().empty());
        for (const QAction* action : view.exports())
            QVERIFY(!action->isEnabled());
    }
};

HELIO_TEST(DifferenceViewsTest)
#include "tst_difference_views.moc"
