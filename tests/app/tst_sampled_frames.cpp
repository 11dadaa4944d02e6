// The context menu of a frame of sampled stacks leads to its source, its callers and the flame graph.

#include "core/query/rows/frame_text.h"
#include "core/query/rows/rows.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/code/code_pane.h"
#include "widgets/controls/status_bar.h"
#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/docks/functions/functions_view.h"
#include "widgets/profiling/code_view.h"
#include "widgets/timeline/panels/time_area.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTest>

using namespace helio;

namespace {

/// A window with a recording of a program in which hot() is inlined into first() and second().
struct SampledWindow {
    SampledWindow()
    {
        const std::filesystem::path folder = SOURCE_DIR "/tests/fixtures/names";
        ExperimentOptions options;
        options.storeDirectory = home.path().toStdString();
        options.symbols.directories = {folder};
        window.setExperimentOptions(options);
        isReady = test::openIn(window, {QString::fromStdString((folder / "inl.data").string())});
    }

    /// First frame of a function in the rows; an invalid row if there is none.
    std::pair<TrackRef, Interval> frameOf(const std::string& function)
    {
        const auto timeline = window.context().timeline();
        for (const Row& row : rows(*timeline, "sampled-stacks"))
            if (row.valueKind == ValueKind::Frame)
                for (const Interval& it : intervals(*timeline, row.ref, timeline->range))
                    if (frameText(*timeline, row.ref.store, StackId{it.value}) == function)
                        return {row.ref, it};
        return {};
    }

    /// Opens the context menu of a frame, and triggers the action with the text; only opens the menu if the text is empty. Returns the
    /// texts of all actions.
    QStringList choose(const std::pair<TrackRef, Interval>& frame, const QString& text = {})
    {
        emit window.findChild<TimeArea*>()->contextMenuRequested({10, 10}, frame.first, frame.second.range.begin);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return {};
        QStringList texts;
        QAction* chosen = nullptr;
        for (QAction* action : menu->actions()) {
            if (!action->isSeparator())
                texts << action->text();
            if (action->text() == text)
                chosen = action;
        }
        menu->close();
        if (chosen)
            chosen->trigger();
        return texts;
    }

    test::OwnHome home;
    MainWindow window;
    bool isReady = false;
};

} // namespace

class SampledFramesTest : public QObject {
    Q_OBJECT

private slots:
    void theMenuOfAFrameLeadsToItsFunction()
    {
        SampledWindow it;
        QVERIFY(it.isReady);
        QTRY_VERIFY(it.frameOf("hot").first.isValid());
        const auto hot = it.frameOf("hot");
        QTRY_VERIFY(it.window.findChild<TimeArea*>()->panelOf(hot.first));
        const QStringList texts = it.choose(hot);
        QCOMPARE(texts.mid(0, 5), (QStringList{"Zoom to frame", "Show source", "Show callers", "Show in flame graph", "Copy name"}));

        it.choose(hot, "Show callers");
        auto* functions = dynamic_cast<FunctionsView*>(it.window.docks().view("functions"));
        QTRY_VERIFY(functions->isVisible());
        // hot() has two callers: the functions first() and second(), into which it is inlined.
        QTRY_COMPARE(functions->calls().rowCount(functions->calls().index(0, 0)), 2);
        QCOMPARE(functions->calls().index(0, 0).data().toString(), QString("hot"));

        it.choose(hot, "Show in flame graph");
        auto* flame = dynamic_cast<FlameGraphView*>(it.window.docks().view("flame_graph"));
        QTRY_VERIFY(flame->isVisible());
        QTRY_VERIFY(std::ranges::any_of(flame->findChildren<QLineEdit*>(), [](const QLineEdit* field) { return field->text() == "hot"; }));

        it.choose(hot, "Copy name");
        QCOMPARE(QApplication::clipboard()->text(), QString("hot"));

        it.choose(it.frameOf("second"), "Show source");
        const auto* source = static_cast<CodeView*>(it.window.docks().view("source"));
        QTRY_VERIFY(source->isVisible());
        QTRY_VERIFY(SampleModel::of(it.window.context()).function()->name == "second");
    }

    void callsOfASampledFrameCannotBeCompared()
    {
        SampledWindow it;
        QVERIFY(it.isReady);
        QTRY_VERIFY(it.frameOf("hot").first.isValid());
        const auto hot = it.frameOf("hot");
        it.window.context().time().jump({.row = hot.first, .cursor = hot.second.range.begin});
        it.window.actions().at("compare.calls").trigger();
        const auto isSaid = [&](const QString& text) {
            const auto labels = it.window.findChild<StatusBar*>()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
        };
        QTRY_VERIFY(isSaid("Samples do not record where calls begin and end"));
    }
};

HELIO_TEST(SampledFramesTest)
#include "tst_sampled_frames.moc"
