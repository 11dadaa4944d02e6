#include "tests/core/profiling/made_stacks.h"
#include "tests/support/test_program.h"
#include "widgets/compare/flame/saved_difference.h"
#include "widgets/docks/flame_graph/flame_choices.h"
#include "widgets/flame/frame/saved_zoom.h"

#include <QJsonDocument>
#include <QTest>

using namespace helio;

namespace {

FlameContent contentOf(const char* stack)
{
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    const MadeStacks made = MadeStacks().add(stack);
    return {std::make_shared<const CallTree>(buildCallTree(made.profile, made.names, options)), nullptr, WeightBy::Samples};
}

QJsonObject parsed(const QByteArray& json) { return QJsonDocument::fromJson(json).object(); }

} // namespace

class SavedChoicesTest : public QObject {
    Q_OBJECT

private slots:
    void aFlameGraphsChoicesComeBack()
    {
        FlameChoices choices;
        choices.isInverted = true;
        choices.areRootsBelow = true;
        choices.order = CallTreeOptions::Order::FirstTime;
        choices.base = CallTreeOptions::Base::Cpu;
        choices.coloring = FlameColoring::Code;
        choices.collapsesRecursion = true;
        choices.hiddenFunctions = {"a", "b::c<d>"};
        choices.hiddenModules = {"[kernel.kallsyms]"};
        choices.focus = {"main"};
        choices.sandwich = {"f", "lib"};
        QCOMPARE(parseFlameChoices(toJson(choices)), choices);
        QCOMPARE(parseFlameChoices(toJson(FlameChoices())), FlameChoices());
    }

    void aDifferencesChoicesComeBack()
    {
        SavedDifference kept;
        kept.choices = {{DifferenceBasis::Per::Unit, 2.5, 7}, true, true, "cycles"};
        kept.look = {{DifferenceWidths::Of::Widest, true}, true, true, true};
        const SavedDifference again = savedDifferenceFrom(toJson(kept));
        QVERIFY(again.choices == kept.choices);
        QVERIFY(again.look == kept.look);
    }

    void whatAFileShouldNotSayIsAsInANewView()
    {
        QCOMPARE(parseFlameChoices(parsed(R"({"order":7,"base":"moon","coloring":[],"focus":"x","sandwich":["f"],"inverted":"yes"})")),
                 FlameChoices());
        const SavedDifference difference = savedDifferenceFrom(parsed(R"({"per":"mile","unitsA":-3,"unitsB":1e300,"widths":{}})"));
        QVERIFY(difference.choices.basis.per == DifferenceBasis::Per::Run);
        QVERIFY(difference.choices.basis.unitsA > 0);
        QVERIFY(difference.choices.basis.unitsB <= 1e15);
        QVERIFY(difference.look == DifferenceGraphOptions());
        QJsonArray many;
        for (int i = 0; i < 100'000; ++i)
            many << QString::number(i);
        // The number of hidden functions is limited, because each one is a chip in the window.
        QVERIFY(parseFlameChoices({{"hiddenFunctions", many}}).hiddenFunctions.size() < 100);
    }

    void aZoomWaitsForItsTree()
    {
        FlameView graph;
        graph.setContent(contentOf("main;work;deep 10"));
        graph.zoomTo(0, 2);
        SavedZoom zoom;
        const QJsonArray kept = zoom.kept(graph);
        QCOMPARE(kept.size(), 2);

        FlameView other;
        SavedZoom restored;
        restored.restore(kept);
        // The graph has no tree yet, so the restored zoom cannot be applied. Saving it again must return it unchanged.
        QCOMPARE(restored.kept(other), kept);
        other.setContent(contentOf("main;rest 10"));
        restored.apply(other, false);
        QCOMPARE(other.zoom(), 0u);
        other.setContent(contentOf("main;work;deep 10"));
        restored.apply(other, false);
        QCOMPARE(other.zoom(), 2u);
        other.zoomTo(0, 0);
        restored.apply(other, false);
        QCOMPARE(other.zoom(), 0u); // The saved zoom is applied once only.
    }

    void aZoomThatWillNotComeIsForgotten()
    {
        FlameView graph;
        SavedZoom zoom;
        zoom.restore(QJsonArray{QJsonArray{"gone", ""}});
        graph.setContent(contentOf("main 10"));
        zoom.apply(graph, true);
        QVERIFY(zoom.kept(graph).isEmpty());
        zoom.restore(QJsonObject{{"not", "a path"}});
        QVERIFY(zoom.kept(graph).isEmpty());
    }
};

HELIO_TEST(SavedChoicesTest)
#include "tst_saved_choices.moc"
