// The main window with a recording of perf record -a -F 999 -g. Property: shares and sample counts equal those in perf report's output.

#include "app/gui/main_window/main_window.h"
#include "tests/support/own_home.h"
#include "tests/support/perf_recording.h"
#include "tests/support/test_program.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/docks/functions/functions_view.h"
#include "widgets/docks/messages/messages_view.h"
#include "widgets/docks/source/source_view.h"
#include "widgets/flame/view/flame_view.h"
#include "widgets/profiling/missing_symbols_notice.h"
#include "widgets/profiling/no_samples_page.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

using namespace helio;

class FlameWindowTest : public QObject {
    Q_OBJECT

private:
    test::OwnHome m_folder;
    std::unique_ptr<MainWindow> m_window;

    template <typename View> View* view(const QString& id) const { return dynamic_cast<View*>(m_window->docks().view(id)); }

    void open(const QString& collection, bool hasSymbols = true, const QString& name = "solo.data")
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1920, 1080);
        m_window->setExperimentOptions(recordingOptions(hasSymbols ? collection : QString(), m_folder.path()));
        m_window->show();
        m_window->open({collection + "/data/" + name});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().state() == Session::State::Ready, 30000);
        // Brings the flame graph to the front; if a recording has states, the events dock is in front after opening.
        m_window->docks().show("flame_graph");
        const SampleModel& samples = SampleModel::of(m_window->context());
        QTRY_VERIFY_WITH_TIMEOUT(samples.shown().names && samples.shown().names->isComplete && samples.work().isEmpty(), 30000);
        auto* flame = view<FlameGraphView>("flame_graph");
        QTRY_VERIFY(flame->graph().content().tree && flame->graph().content().tree->isNamed);
    }

private slots:
    void cleanup() { m_window.reset(); }

    void aSearchFindsTheShareThatPerfReports()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        auto* flame = view<FlameGraphView>("flame_graph");

        flame->search("initprm_");
        QVERIFY2(flame->found().startsWith(QStringLiteral("58.0\u00a0%")), qPrintable(flame->found()));
        flame->search("exc_page_fault");
        QVERIFY2(flame->found().startsWith(QStringLiteral("35.5\u00a0%")), qPrintable(flame->found()));
        flame->search("nothing like this");
        QCOMPARE(flame->found(), "none");
    }

    void foldedStacksShowAllTheirSamplesWithoutBeingAsked()
    {
        QFile file(m_folder.path() + "/two.folded");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("app;main;work 30\napp;main;rest 10\n");
        file.close();
        m_window = std::make_unique<MainWindow>();
        m_window->setExperimentOptions(recordingOptions({}, m_folder.path()));
        m_window->show();

        m_window->open({file.fileName()});

        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().state() == Session::State::Ready, 30000);
        QTRY_VERIFY(view<FlameGraphView>("flame_graph") && view<FlameGraphView>("flame_graph")->isVisible());
        auto* flame = view<FlameGraphView>("flame_graph");
        QTRY_VERIFY(flame->graph().content().tree);
        QCOMPARE(flame->graph().content().tree->whole.samples, std::uint64_t(40));
        flame->search("work");
        QVERIFY2(flame->found().startsWith(QStringLiteral("75.0\u00a0%")), qPrintable(flame->found()));
    }

    void aSessionKeepsHowTheFlameGraphLooked()
    {
        QFile file(m_folder.path() + "/kept.folded");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("app;main;work;deep 30\napp;main;rest 10\n");
        file.close();
        const auto openFile = [&](const QString& path) {
            m_window = std::make_unique<MainWindow>();
            m_window->setExperimentOptions(recordingOptions({}, m_folder.path()));
            m_window->show();
            m_window->open({path});
            QTRY_VERIFY_WITH_TIMEOUT(m_window->session().state() == Session::State::Ready, 30000);
            QTRY_VERIFY(view<FlameGraphView>("flame_graph") && view<FlameGraphView>("flame_graph")->graph().content().tree);
        };
        openFile(file.fileName());
        auto* flame = view<FlameGraphView>("flame_graph");
        FlameChoices choices;
        choices.areRootsBelow = true;
        choices.order = CallTreeOptions::Order::Name;
        choices.coloring = FlameColoring::Heat;
        choices.hiddenFunctions = {"main"};
        flame->setChoices(choices);
        SampleModel::of(m_window->context()).setBy(WeightBy::Weight);
        const auto nodeOf = [](const CallTree& tree, const std::string& name) {
            for (std::uint32_t i = 1; i < tree.nodes.size(); ++i)
                if (tree.functionOf(i).name == name)
                    return i;
            return 0u;
        };
        QTRY_VERIFY(flame->graph().content().tree && nodeOf(*flame->graph().content().tree, "main") == 0);
        flame->graph().zoomTo(0, nodeOf(*flame->graph().content().tree, "work"));
        const QString path = m_folder.filePath("flame.heliograph");
        const SessionState before = m_window->sessionState();
        QVERIFY(saveSession(before, path));

        openFile(path);

        flame = view<FlameGraphView>("flame_graph");
        QTRY_COMPARE(flame->choices(), choices);
        QCOMPARE(SampleModel::of(m_window->context()).by(), WeightBy::Weight);
        QTRY_VERIFY(flame->graph().zoom() != 0);
        QCOMPARE(flame->graph().content().tree->functionOf(flame->graph().zoom()).name, "work");
        QCOMPARE(m_window->sessionState().layout["views"], before.layout["views"]);
    }

    void codeWithoutNamesIsAnnouncedUntilThatIsClosed()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        auto* notice = view<FlameGraphView>("flame_graph")->findChild<MissingSymbolsNotice*>();
        QVERIFY(!notice->isVisible());

        open(collection, false);

        notice = view<FlameGraphView>("flame_graph")->findChild<MissingSymbolsNotice*>();
        QTRY_VERIFY(notice->isVisible());
        const CollectedSamples& shown = SampleModel::of(m_window->context()).shown();
        QVERIFY(std::ranges::count(shown.nameless.modules, "matinit") == 1);
        QVERIFY(shown.nameless.sum.samples > shown.profile->samples / 2);
        QVERIFY(notice->findChild<QLabel*>()->text().contains("matinit"));
        QSignalSpy asked(&m_window->context(), &ViewContext::actionRequested);
        QTimer refuse;
        connect(&refuse, &QTimer::timeout, this, [] {
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
                dialog->reject();
        });
        refuse.start(10);
        emit notice->findChild<QLabel*>()->linkActivated("symbols");
        QTRY_COMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toString(), "file.symbols");
        refuse.stop();

        m_window->docks().show("functions");
        auto* other = view<FunctionsView>("functions")->findChild<MissingSymbolsNotice*>();
        QTRY_VERIFY(other->isVisible());
        other->findChild<QToolButton*>()->click();
        QVERIFY(!other->isVisible());
        m_window->docks().show("flame_graph");
        QVERIFY(!notice->isVisible());
    }

    void timeWithoutACpuIsWeightedByTimeUnlessAPersonSaysOtherwise()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection, true, "parallel4-sched.data");
        SampleModel& samples = SampleModel::of(m_window->context());
        QCOMPARE(samples.by(), WeightBy::Samples);
        m_window->docks().show("functions");
        const auto tables = view<FunctionsView>("functions")->findChildren<QTreeView*>();
        const auto found = std::ranges::find(tables, "Functions", &QWidget::accessibleName);
        QVERIFY(found != tables.end());
        const QTreeView* table = *found;
        QTRY_VERIFY(table->model()->rowCount() > 0);
        QVERIFY(table->isColumnHidden(FunctionModel::Amount));

        samples.setKind("off-cpu:blocked");
        QTRY_VERIFY_WITH_TIMEOUT(
            samples.shown().profile && samples.shown().profile->kind.name == "off-cpu:blocked" && samples.work().isEmpty(), 30000);

        QCOMPARE(samples.by(), WeightBy::Weight);
        QTRY_VERIFY(!table->isColumnHidden(FunctionModel::Amount));
        const auto labels = view<FunctionsView>("functions")->findChildren<QLabel*>();
        const QString counted = QStringLiteral(" s in %1 samples").arg(countText(qint64(samples.shown().profile->samples)));
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(counted); }));
        samples.setBy(WeightBy::Samples);
        samples.setKind("off-cpu:preempted");
        QTRY_VERIFY_WITH_TIMEOUT(
            samples.shown().profile && samples.shown().profile->kind.name == "off-cpu:preempted" && samples.work().isEmpty(), 30000);
        QCOMPARE(samples.by(), WeightBy::Samples);
    }

    void allTimesWithoutACpuAreOneKind()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection, true, "parallel4-sched.data");
        SampleModel& samples = SampleModel::of(m_window->context());
        m_window->docks().show("functions");
        std::uint64_t expected = 0;
        for (const SampleKindFacts& it : sampleKinds(*m_window->context().timeline()))
            expected += it.kind.origin == SampleKind::Origin::OffCpu && it.kind.name != "off-cpu:woken-by" ? it.samples : 0;
        const auto all = std::ranges::find(samples.kinds(), "off-cpu", [](const SampleKindFacts& it) { return it.kind.name; });
        QVERIFY(all != samples.kinds().end());
        QCOMPARE(all->samples, expected);

        samples.setKind("off-cpu");

        QTRY_VERIFY_WITH_TIMEOUT(samples.shown().profile && samples.shown().profile->kind.name == "off-cpu" && samples.work().isEmpty(),
                                 30000);
        QCOMPARE(samples.shown().profile->samples, expected);
        QCOMPARE(samples.by(), WeightBy::Weight);
    }

    void stacksThatEndEarlyAreAnnouncedAndAmongTheMessages()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        // Open the recording without the files of the recorded program, so that callers cannot be found.
        open(collection, false, "solo-dwarf.data");
        auto* notice = view<FlameGraphView>("flame_graph")->findChild<MissingSymbolsNotice*>();
        m_window->docks().show("flame_graph");

        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible() && notice->findChild<QLabel*>()->text().contains("of stacks are truncated"), 30000);
        const TruncatedStacks& ends = SampleModel::of(m_window->context()).shown().ends;
        QVERIFY(ends.samples > ends.all / 2);
        const auto labels = view<MessagesView>("messages")->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().contains("stacks are truncated: the file of the last frame was not found");
        }));
    }

    /// Input: a recording with its program in the same folder. Property: functions have names without --symbols, and a message says which
    /// file they are from.
    void symbolsBesideTheRecordingAreUsedAndAmongTheMessages()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        QTemporaryDir folder;
        QDir(folder.path()).mkdir("data");
        QVERIFY(QFile::copy(collection + "/data/solo-noa.data", folder.filePath("data/solo-noa.data")));
        QVERIFY(QFile::copy(collection + "/bin/matinit", folder.filePath("data/matinit")));

        open(folder.path(), false, "solo-noa.data");

        const auto& functions = SampleModel::of(m_window->context()).shown().names->functions;
        QVERIFY(std::ranges::find(functions, "initprm_", &SampledFunction::name) != functions.end());
        const QString expected = "Symbols were found by build ID beside the recording: " + folder.filePath("data/matinit") + ".";
        const auto labels = view<MessagesView>("messages")->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(expected); }));
    }

    void aThreadWithoutSamplesLeadsToThoseOfAllThreadsInTheFunctionsToo()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        m_window->docks().show("functions");
        auto* functions = view<FunctionsView>("functions");
        QTRY_VERIFY(functions->functions().rowCount() > 10);
        TimeWindow& time = m_window->context().time();
        const auto threads = rows(*m_window->context().timeline(), "control-flow");
        const auto perf = std::ranges::find_if(threads, [](const Row& row) { return row.kind == "thread" && row.tid == 2653; });
        QVERIFY(perf != threads.end());

        time.setRow(perf->ref);
        const TimeRange full = time.full();
        time.setSelection({full.begin + full.duration() / 2, full.begin + full.duration() / 2 + std::chrono::milliseconds(50)});

        QPushButton* button = functions->findChild<NoSamplesPage*>()->findChild<QPushButton*>();
        QTRY_VERIFY(button->isVisible());
        QCOMPARE(button->text(), "Show all threads");
        button->click();
        QTRY_VERIFY(functions->functions().rowCount() > 0 && !button->isVisible());
        const auto pills = functions->findChildren<Pill*>();
        const auto all = std::ranges::find(pills, "All threads", &Pill::text);
        QVERIFY(all != pills.end() && (*all)->isVisible() && (*all)->isChecked());
    }

    void inlinedFunctionsAreFramesOnlyWhileTheyAreAskedFor()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        SampleModel& samples = SampleModel::of(m_window->context());
        const auto hasInlined = [&] {
            return std::ranges::any_of(samples.shown().names->frames, [](const NamedFrame& frame) { return frame.isInlined; });
        };
        QVERIFY(hasInlined());

        samples.setExpandsInlined(false);

        QTRY_VERIFY_WITH_TIMEOUT(!hasInlined() && samples.shown().names->isComplete && samples.work().isEmpty(), 30000);
        auto* flame = view<FlameGraphView>("flame_graph");
        const QJsonObject kept = flame->save();
        samples.setExpandsInlined(true);
        flame->restore(kept);
        QVERIFY(!samples.expandsInlined());
        flame->restore({});
        QVERIFY(samples.expandsInlined());
    }

    void aSavedFlameGraphIsWhatItsNameSays()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        auto* flame = view<FlameGraphView>("flame_graph");
        const auto beginOf = [&](const QString& asked, const QString& written) {
            m_window->context().setAskPath([&](const QString&, const QString&, const QString&) { return m_folder.filePath(asked); });
            flame->save("flame-graph.svg", {});
            QFile file(m_folder.filePath(written));
            [&] { QTRY_VERIFY(file.exists()); }();
            return file.open(QIODevice::ReadOnly) ? file.read(256) : QByteArray();
        };
        QVERIFY(beginOf("a.png", "a.png").startsWith("\x89PNG"));
        QVERIFY(beginOf("b", "b.svg").contains("<svg"));
        QVERIFY(beginOf("c.SVG", "c.SVG").contains("<svg"));
        QVERIFY(beginOf("d.folded", "d.folded").contains(';'));
        QVERIFY(beginOf("e.other", "e.other").contains("<svg"));
    }

    void theFunctionTableHasPerfsNumbers()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        m_window->docks().show("functions");
        const FunctionModel& functions = view<FunctionsView>("functions")->functions();

        QTRY_VERIFY(functions.rowCount() > 10);
        const int row = functions.find({"initprm_", "matinit"});
        QVERIFY(row >= 0);
        QCOMPARE(functions.index(row, FunctionModel::Self).data().toString(), QStringLiteral("21.27\u00a0%"));
        QCOMPARE(functions.index(row, FunctionModel::Total).data().toString(), QStringLiteral("58.00\u00a0%"));
    }

    void samplesOfAFrequencyWeighTheirPeriods()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection, true, "parallel4-multi3.data");
        SampleModel& samples = SampleModel::of(m_window->context());
        samples.setKind("page-faults");
        QTRY_VERIFY_WITH_TIMEOUT(samples.shown().profile && samples.shown().profile->kind.name == "page-faults" && samples.work().isEmpty(),
                                 30000);

        QCOMPARE(samples.by(), WeightBy::Weight);
        const auto labels = view<FlameGraphView>("flame_graph")->findChildren<QLabel*>();
        const QString said = QStringLiteral("1.57 M page faults in %1 samples").arg(countText(qint64(samples.shown().profile->samples)));
        QTRY_VERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == said; }));
        m_window->docks().show("functions");
        const FunctionModel& functions = view<FunctionsView>("functions")->functions();
        QTRY_VERIFY(functions.rowCount() > 3 && functions.find({"initprm_", "matinit"}) >= 0);
        QTRY_COMPARE(functions.index(functions.find({"initprm_", "matinit"}), FunctionModel::Self).data().toString(),
                     QStringLiteral("99.89\u00a0%"));
    }

    void theFirstClickOnANumbersTitleShowsTheLargestOnTop()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        m_window->docks().show("functions");
        auto* functions = view<FunctionsView>("functions");
        const FunctionModel& model = functions->functions();
        QTRY_VERIFY(model.rowCount() > 40);
        const auto tables = functions->findChildren<QTreeView*>();
        QTreeView* table = *std::ranges::find(tables, "Functions", &QWidget::accessibleName);
        SampleModel::of(m_window->context())
            // Selects the function in the last line of the table of functions.
            .chooseFunction(SampledFunction(model.functionOf(model.rowCount() - 1)));
        const auto clickTitle = [&](int column) {
            QHeaderView* header = table->header();
            const QPoint at(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, header->height() / 2);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        };

        clickTitle(FunctionModel::Total);
        QTRY_VERIFY(model.order().column == FunctionModel::Total && model.line(0).total.samples >= model.line(1).total.samples
                    && model.line(0).total.samples > model.line(model.rowCount() - 1).total.samples);
        QVERIFY(model.order().isDescending);
        QCOMPARE(table->indexAt({5, 5}).row(), 0);
        QVERIFY(model.index(0, FunctionModel::Total).data(FunctionModel::ShareRole).toDouble() > 0.9);
        clickTitle(FunctionModel::Symbol);
        QTRY_COMPARE(model.order().column, FunctionModel::Symbol);
        QVERIFY(!model.order().isDescending);
    }

    void theSearchKeyIsForTheDockThatHasTheFocus()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        QSignalSpy searched(&m_window->context(), &ViewContext::searchRequested);
        auto* flame = view<FlameGraphView>("flame_graph");
        QApplication::setActiveWindow(m_window.get());
        flame->graph().setFocus();
        QTRY_VERIFY(flame->graph().hasFocus());

        m_window->context().trigger("analyse.search");
        QVERIFY(flame->findChild<QLineEdit*>()->hasFocus());
        QCOMPARE(searched.count(), 0);
        m_window->setFocus();
        m_window->context().trigger("analyse.search");
        QCOMPARE(searched.count(), 1);
    }

    void theFunctionsSayWhatTheyListAndWhatTheFilterLeftOut()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        m_window->docks().show("functions");
        auto* functions = view<FunctionsView>("functions");
        QTRY_VERIFY(functions->functions().rowCount() > 10);
        const auto says = [&](const QString& text) {
            const auto labels = functions->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
        };
        SampleModel& samples = SampleModel::of(m_window->context());
        const SampledFunction initprm = functions->functions().functionOf(functions->functions().find({"initprm_", "matinit"}));

        samples.chooseFunction(initprm);
        QVERIFY(says("Callers of initprm_"));
        auto* filter = functions->findChild<QLineEdit*>();
        filter->setText("nothing like this");
        QTRY_VERIFY(says("No function matches"));
        QTest::keyClick(filter, Qt::Key_Escape);
        QTRY_VERIFY(functions->functions().rowCount() > 10 && !says("No function matches"));

        samples.askFlameGraph(SampleModel::FlameGraphRequest::HideModule, initprm);
        auto* flame = view<FlameGraphView>("flame_graph");
        QVERIFY(flame->isVisible());
        QCOMPARE(flame->choices().hiddenModules, std::vector<std::string>{"matinit"});
    }

    void escapeStepsOutOfWhatCameLatest()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        auto* flame = view<FlameGraphView>("flame_graph");
        const auto treeHas = [&](std::uint64_t samples) {
            return flame->graph().content().tree && flame->graph().content().tree->nodes[0].total.samples == samples;
        };
        const std::uint64_t whole = flame->graph().content().tree->whole.samples;
        FlameChoices choices = flame->choices();
        choices.focus = {"initprm_"};
        flame->setChoices(choices);
        QTRY_VERIFY(treeHas(2563));
        const auto labels = flame->findChildren<QLabel*>();
        const QString counted = countText(2563) + " of " + countText(qint64(whole)) + " samples";
        QTRY_VERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == counted; }));
        flame->graph().zoomTo(0, flame->graph().content().tree->nodes[0].firstChild);
        flame->search("page");
        choices.hiddenFunctions = {"main"};
        flame->setChoices(choices);
        const auto escape = [&] { QTest::keyClick(&flame->graph(), Qt::Key_Escape); };

        escape();
        QVERIFY(flame->choices().hiddenFunctions.empty() && !flame->found().isEmpty());
        escape();
        QVERIFY(flame->found().isEmpty() && flame->graph().zoom() != 0);
        escape();
        QVERIFY(flame->graph().zoom() == 0 && !flame->choices().focus.empty());
        escape();
        QVERIFY(flame->choices().focus.empty());
        QTRY_VERIFY(treeHas(whole));
        QVERIFY(!flame->stepBack());

        choices = {};
        choices.sandwich = FrameKey{"initprm_", "matinit"};
        flame->setChoices(choices);
        choices.hiddenFunctions = {"initprm_"};
        flame->setChoices(choices);
        QVERIFY(!flame->choices().sandwich);
        choices = {};
        choices.focus = {"nothing like this"};
        flame->setChoices(choices);
        auto* button = flame->findChild<NoSamplesPage*>()->findChild<QPushButton*>();
        QTRY_VERIFY(button->isVisible());
        button->click();
        QTRY_VERIFY(treeHas(whole) && !button->isVisible());
    }

    void theSourceViewHasPerfAnnotatesNumbers()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        open(collection);
        const FlameView& graph = view<FlameGraphView>("flame_graph")->graph();
        const auto& functions = graph.content().tree->functions;
        const auto initprm = std::ranges::find(functions, std::string("initprm_"), &SampledFunction::name);
        QVERIFY(initprm != functions.end());

        SampleModel::of(m_window->context()).openSource(SampledFunction(*initprm));

        const CodePane& code = view<SourceView>("source")->instructions();
        QTRY_VERIFY_WITH_TIMEOUT(code.rows().size() > 50, 30000);
        const auto hottest = std::ranges::max_element(code.rows(), {}, &CodeRow::share);
        QCOMPARE(hottest->label, "1574");
        QCOMPARE(hottest->shareText, QStringLiteral("24.89\u00a0%"));
        QVERIFY(hottest->text.contains("-0x10(%rbp),%eax"));

        const auto start = std::ranges::find(functions, std::string("main"), &SampledFunction::name);
        QVERIFY(start != functions.end());
        SampleModel::of(m_window->context()).openSource(SampledFunction(*start));
        const auto counted = [&] { return std::ranges::any_of(code.rows(), [](const CodeRow& row) { return row.share > 0.6; }); };
        // The shares of the instructions of main() count the samples in the functions that main() calls, because main() itself has no
        // samples.
        QTRY_VERIFY_WITH_TIMEOUT(counted(), 10000);
    }
};

HELIO_TEST(FlameWindowTest)
#include "tst_flame_window.moc"
