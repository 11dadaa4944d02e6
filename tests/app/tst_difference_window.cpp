// Samples of two recordings in the compare window. Property: results equal those of perf report and perf annotate for each recording.

#include "app/gui/compare_window/compare_window.h"
#include "tests/support/own_home.h"
#include "tests/support/perf_recording.h"
#include "tests/support/test_program.h"
#include "widgets/code/source_settings.h"
#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/compare/functions/difference_source_view.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/pill.h"
#include "widgets/profiling/source_paths_dialog.h"

#include <QFile>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace helio;

class DifferenceWindowTest : public QObject {
    Q_OBJECT

private:
    test::OwnHome m_folder;
    std::unique_ptr<CompareWindow> m_window;

    DifferenceGraphView& graph() const { return *m_window->findChild<DifferenceGraphView*>(); }
    DifferenceModel& model() const { return *m_window->context().findChild<DifferenceModel*>(); }
    DockArea& dock() const
    {
        for (DockArea* it : m_window->findChildren<DockArea*>())
            if (it->contains("functions"))
                return *it;
        qFatal("no dock");
    }

    void open(const QString& a, const QString& b, const QString& collection = {}) { open(comparisonOf({a}, {b}), collection); }
    void open(const Comparison& comparison, const QString& collection)
    {
        m_window = std::make_unique<CompareWindow>();
        m_window->resize(1920, 1080);
        m_window->show();
        m_window->open(comparison, recordingOptions(collection, m_folder.path()));
    }
    void openRecordings(const QString& collection)
    {
        open(collection + "/data/solo.data", collection + "/data/parallel4.data", collection);
        QTRY_VERIFY_WITH_TIMEOUT(model().shown().tree && model().shown().name() == "matinit" && model().work().isEmpty(), 60'000);
        QTRY_VERIFY(graph().graph().content().tree);
    }
    const FunctionDifference& function(const std::string& name) const
    {
        const DifferenceResult& shown = model().shown();
        const auto found = std::ranges::find_if(
            *shown.functions, [&](const FunctionDifference& it) { return shown.tree->functions[std::size_t(it.function)].name == name; });
        return *found;
    }

private slots:
    void cleanup() { m_window.reset(); }

    void functionsHavePerfsSamplesOnBothSides()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        const DifferenceResult& shown = model().shown();
        QCOMPARE(shown.sides[0].runs, 1u);
        QCOMPARE(shown.sides[1].runs, 4u);
        QCOMPARE(shown.tree->whole.a.samples, 4395u);
        QCOMPARE(shown.tree->whole.b.samples, 4534u + 4528u + 4524u + 4541u);
        QCOMPARE(function("initprm_").self.a.samples, 940u);
        QCOMPARE(function("initprm_").total.a.samples, 2563u);
        QCOMPARE(function("initprm_").total.b.samples, 10574u);
        // The difference is only noise: the CPU time per process did not change.
        QVERIFY(std::abs(function("initprm_").total.z(shown.tree->scale)) < 2);
    }

    void thePaletteFindsFunctionsOfBothSides()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        auto& omnibox = *m_window->findChild<Omnibox*>();
        omnibox.open("initprm");
        QVERIFY(omnibox.isOpen());
        QCOMPARE(omnibox.model().item(0)->text, QString("initprm_"));
        QTest::keyClick(&omnibox, Qt::Key_Return);
        QCOMPARE(dock().current(), QString("functions"));
        QVERIFY(model().function() && model().function()->name == "initprm_");
    }

    void amountsFollowWhatIsChosen()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        using Per = DifferenceSettings::Per;
        const auto choose = [&](const DifferenceSettings& choices) {
            model().setChoices(choices);
            QTRY_VERIFY(model().shown().choices == choices && model().shown().tree);
        };
        choose({{Per::Share, 1, 1}, false, false, {}});
        QCOMPARE(function("initprm_").self.scaledA(model().shown().tree->scale), 940.0 / 4395);
        choose({{Per::Samples, 1, 1}, false, false, {}});
        QCOMPARE(function("initprm_").total.scaledB(model().shown().tree->scale), 10574.0);
        choose({{Per::Unit, 2, 8}, false, false, {}});
        QCOMPARE(function("initprm_").total.scaledA(model().shown().tree->scale), 2563 * 1001001.0 / 2);
        choose({{Per::Run, 1, 1}, false, true, {}});
        QVERIFY(model().shown().graph != model().shown().tree);
        choose({{Per::Run, 1, 1}, true, false, {}});
        QVERIFY(model().shown().tree->whole.b.samples > 18'127); // Samples of all processes count, also samples of bash and perf.
    }

    void aSearchShowsTheShareOfBothSides()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        graph().search("initprm_");
        QVERIFY2(graph().found().startsWith("58.3 % of A, 29.2 % of B in "),
                 // The shares are parts of the wall time. During half of B's wall time, the program was on no CPU.
                 qPrintable(graph().found()));
        graph().search("nothing like this");
        QCOMPARE(graph().found(), "none");
    }

    void aChosenFunctionOpensWithPerfAnnotatesSharesOfBothSides()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        const FlameView& frames = graph().graph();
        const auto& functions = frames.content().tree->functions;
        const auto initprm = std::ranges::find(functions, std::string("initprm_"), &SampledFunction::name);
        QVERIFY(initprm != functions.end());

        model().openSource(SampledFunction(*initprm));

        QCOMPARE(dock().current(), "source");
        const CodePane& code = m_window->findChild<DifferenceSourceView*>()->instructions();
        QTRY_VERIFY_WITH_TIMEOUT(code.rows().size() > 50, 30000);
        const auto hottest = std::ranges::max_element(code.rows(), {}, &CodeRow::share);
        QCOMPARE(hottest->label, "1574");
        QCOMPARE(hottest->cells.size(), std::size_t(3));
        QCOMPARE(hottest->cells[0].text, QStringLiteral("24.89\u00a0%"));
        QCOMPARE(hottest->cells[1].text, QStringLiteral("26.43\u00a0%"));
        const auto& lines = m_window->findChild<DifferenceSourceView*>()->source().rows();
        QVERIFY(std::ranges::any_of(lines, [](const CodeRow& row) { return row.label == "38" && row.cells.size() == 3; }));
    }

    void aSourceThatIsMissingIsReadWhereAPersonSays()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        saveSourcePaths({});
        const auto& functions = graph().graph().content().tree->functions;
        model().openSource(SampledFunction(*std::ranges::find(functions, std::string("initprm_"), &SampledFunction::name)));
        auto* view = m_window->findChild<DifferenceSourceView*>();
        const auto hasText = [&] {
            return std::ranges::any_of(view->source().rows(), [](const CodeRow& row) { return row.label == "38" && !row.text.isEmpty(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(!view->source().rows().empty(), 30000);
        QVERIFY(!hasText());
        m_window->context().a().setAskFile([&](const QString&, const QString&, bool) { return collection + "/src"; });

        QTimer::singleShot(0, view, [view] {
            auto* dialog = view->findChild<SourcePathsDialog*>();
            for (QPushButton* button : dialog->findChildren<QPushButton*>())
                if (button->text().startsWith("Add folder"))
                    button->click();
            dialog->accept();
        });
        for (Pill* pill : view->findChildren<Pill*>())
            if (pill->text().startsWith("Paths"))
                pill->click();

        QTRY_VERIFY_WITH_TIMEOUT(hasText(), 30000);
        saveSourcePaths({});
    }

    void aFrameThatIsClickedIsChosenInTheTable()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        FlameView& frames = graph().graph();
        std::uint32_t node = 0;
        for (std::uint32_t i = 1; i < frames.content().tree->nodes.size(); ++i)
            if (frames.content().tree->functionOf(i).name == "gradient_" && !frames.rectOf({0, i, 1}).isEmpty())
                node = i;
        QVERIFY(node != 0);
        QTest::mouseClick(frames.viewport(), Qt::LeftButton, {}, frames.rectOf({0, node, 1}).center().toPoint());
        QCOMPARE(frames.zoom(), node);
        auto* table = graph().findChild<DifferenceTable*>();
        QCOMPARE(table->currentIndex().siblingAtColumn(0).data().toString(), "gradient_");
    }

    void whatIsShownIsSaved()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        QString path;
        m_window->context().a().setAskPath([&](const QString&, const QString& suggestion, const QString&) {
            path = m_folder.filePath(suggestion);
            return path;
        });
        QCOMPARE(graph().exports().size(), 4);
        for (QAction* action : graph().exports()) {
            QVERIFY(action->isEnabled());
            action->trigger();
            QFile file(path);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
            const QByteArray bytes = file.readAll();
            if (path.endsWith(".png"))
                QVERIFY(bytes.startsWith("\x89PNG"));
            else
                QVERIFY2(bytes.contains("initprm_"), qPrintable(path));
        }
    }

    void aComparisonComesBackAsItLooked()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        openRecordings(collection);
        const CallTree& tree = *graph().graph().content().tree;
        std::uint32_t node = 1;
        while (tree.functionOf(node).name != "gradient_")
            ++node;
        graph().graph().zoomTo(0, node);
        graph().setLook({{DifferenceWidths::Of::Widest, false}, true, true, true});
        model().setChoices({{DifferenceBasis::Per::Unit, 2, 8}, false, false, "cpu-clock:ppp"});
        dock().setCurrent("functions");
        QTRY_VERIFY(model().shown().tree && model().shown().choices == model().choices());
        const QString path = m_folder.filePath("kept.heliograph");
        const Comparison before = m_window->comparison();
        QVERIFY(saveComparison(before, path));

        const auto loaded = loadComparison(path);
        QVERIFY(loaded);
        open(*loaded, collection); // Opens the session in a new window.

        QCOMPARE(dock().current(), "functions");
        QCOMPARE(m_window->comparison().layout, before.layout); // The layout includes the zoom, although the tree is not ready yet.
        dock().setCurrent("difference");
        QTRY_VERIFY_WITH_TIMEOUT(graph().graph().zoom() != 0, 60'000);
        QCOMPARE(graph().graph().content().tree->functionOf(graph().graph().zoom()).name, "gradient_");
        QVERIFY((graph().look() == DifferenceGraphOptions{{DifferenceWidths::Of::Widest, false}, true, true, true}));
        QCOMPARE(model().choices().basis.unitsB, 8.0);
    }

    void withoutSamplesThePageSaysHowToRecordThem()
    {
        const QString sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
        open(sample, sample);
        // The page in front is "durations", because the page "difference" has no content.
        QTRY_COMPARE_WITH_TIMEOUT(dock().current(), "durations", 60'000);
        dock().setCurrent("difference");
        QTRY_COMPARE_WITH_TIMEOUT(model().shown().missing, "Neither A nor B has samples.", 60'000);
        QVERIFY(model().shown().advice.contains("perf record"));
    }
};

HELIO_TEST(DifferenceWindowTest)
#include "tst_difference_window.moc"
