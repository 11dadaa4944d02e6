// The Functions dock on recordings of perf. Property: its lines equal the output of `heliograph flame --table`.

#include "app/gui/main_window/main_window.h"
#include "tests/app/cli/program.h"
#include "tests/support/own_home.h"
#include "tests/support/perf_recording.h"
#include "tests/support/test_program.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/docks/flame_graph/flame_graph_view.h"
#include "widgets/docks/functions/functions_view.h"

#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QTreeView>

using namespace helio;

class FunctionsWindowTest : public QObject {
    Q_OBJECT

private:
    test::OwnHome m_folder;
    std::unique_ptr<MainWindow> m_window;
    ViewContext m_context; ///< A view context without a trace.

    FunctionsView* functionsOf(const QString& collection, const QString& name)
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1920, 1080);
        m_window->setExperimentOptions(recordingOptions(collection, m_folder.path()));
        m_window->show();
        m_window->open({collection + "/data/" + name});
        const SampleModel& samples = SampleModel::of(m_window->context());
        const auto isNamed = [&] {
            m_window->docks().show("functions");
            return m_window->session().state() == Session::State::Ready && samples.shown().names && samples.shown().names->isComplete;
        };
        return QTest::qWaitFor(isNamed, 30000) ? dynamic_cast<FunctionsView*>(m_window->docks().view("functions")) : nullptr;
    }

    /// Lines of `heliograph flame --table` for a recording with its symbols, in the command's order.
    QList<CsvRow> tableLines(const QString& collection, const QString& name, const QStringList& options)
    {
        QStringList arguments{"flame", collection + "/data/" + name, "--table", "--format", "csv"};
        for (const char* folder : {"bin", "libs"})
            arguments << "--symbols" << collection + '/' + folder;
        arguments << "--kallsyms" << collection + "/text/kallsyms.txt" << options;
        return csvRows(heliograph(arguments));
    }

    /// Opens a recording with the given text, and returns the table of the Functions dock; nullptr if there are no lines.
    const QTreeView* tableOf(const QString& name, const QByteArray& text)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return nullptr;
        file.close();
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1440, 900);
        m_window->show();
        m_window->open({file.fileName()});
        auto* view = dynamic_cast<FunctionsView*>(m_window->docks().view("functions"));
        const auto isListed = [&] {
            m_window->docks().show("functions");
            return m_window->session().state() == Session::State::Ready && view->functions().rowCount() > 0;
        };
        if (!QTest::qWaitFor(isListed, 20'000))
            return nullptr;
        const auto isTable = [](const QTreeView* it) { return dynamic_cast<const FunctionModel*>(it->model()) != nullptr; };
        const auto tables = view->findChildren<QTreeView*>(); // The table of functions, and the tree of callers.
        const auto table = std::ranges::find_if(tables, isTable);
        return table != tables.end() ? *table : nullptr;
    }

private slots:
    void cleanup() { m_window.reset(); }

    /// Property: slices have no columns of modules and CPU times, which they lack, so that there is room for their names.
    void columnsThatSlicesLackAreHidden()
    {
        const QTreeView* table = tableOf("slices.json", R"([{"ph":"X","pid":1,"tid":2,"ts":1,"dur":9,"name":"MessageLoop::RunTask"}])");
        QVERIFY(table);
        QTRY_VERIFY(!table->isColumnHidden(FunctionModel::Median) && table->isColumnHidden(FunctionModel::Module));
        QVERIFY(table->isColumnHidden(FunctionModel::OnCpu));
        QVERIFY(table->columnWidth(FunctionModel::Symbol) > table->columnWidth(FunctionModel::Median));
    }

    /// Property: weights that are times are shown in ms, also if the profile sums them itself.
    void weightsInNanosecondsAreTimes()
    {
        const QTreeView* table = tableOf("a.cpuprofile",
                                         R"({"nodes":[{"id":1,"callFrame":{"functionName":"f","scriptId":"0","url":"","lineNumber":1,)"
                                         R"("columnNumber":1}}],"startTime":1000,"endTime":3000,"samples":[1,1],"timeDeltas":[0,1500]})");
        QVERIFY(table);
        const QAbstractItemModel& model = *table->model();
        QTRY_COMPARE(model.headerData(FunctionModel::Amount, Qt::Horizontal).toString(), QString("Self, ms"));
        QVERIFY2(model.index(0, FunctionModel::Amount).data().toString().contains('.'), "The weight is a number of ms with decimals");
    }

    void otherEventsStandBesideAsOnTheCommandLine()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        FunctionsView* view = functionsOf(collection, "parallel4-multi3.data");
        QVERIFY(view);
        FunctionChoices choices;
        choices.events = {"page-faults", "context-switches", "no such event"};

        view->setChoices(choices);

        const FunctionModel& functions = view->functions();
        QTRY_VERIFY(functions.lines() && functions.lines()->events.size() == 2 && !functions.lines()->events[1].costs.empty());
        QCOMPARE(functions.headerData(FunctionModel::columnOf(0, FunctionModel::EventRatio), Qt::Horizontal).toString(),
                 "page-faults / cpu-clock");
        const auto lines = tableLines(collection, "parallel4-multi3.data",
                                      {"--event", "cpu-clock", "--base", "none", "--with", "page-faults", "--with", "context-switches"});
        QVERIFY(functions.rowCount() > 10);
        QCOMPARE(functions.rowCount(), lines.size());
        QStringList shown, written;
        const auto text = [&](int row, std::size_t event, FunctionModel::EventColumn column) {
            return functions.index(row, FunctionModel::columnOf(event, column)).data().toString().remove(QChar(0x2009));
        };
        for (int row = 0; row < lines.size(); ++row) {
            shown << functions.functionOf(row).label().c_str()
                    + QStringLiteral(" %1 %2 %3 %4")
                          .arg(text(row, 0, FunctionModel::EventSelf), text(row, 0, FunctionModel::EventTotal),
                               text(row, 0, FunctionModel::EventRatio), text(row, 1, FunctionModel::EventTotal));
            const CsvRow& line = lines[row];
            written << line["function"]
                    + QStringLiteral(" %1 %2 %3 %4")
                          .arg(line["self_page-faults"], line["total_page-faults"], line["self_ratio_page-faults"],
                               line["total_context-switches"]);
        }
        QCOMPARE(shown, written);
        // Samples and page faults of initprm_; its share of all page faults, 99.89 %, is the share in perf report.
        QCOMPARE(shown.filter("initprm_").value(0), "initprm_ 1563442 1563442 0.001215 1258");
    }

    /// Input: a profile of Callgrind. Property: the table shows costs, not the number of records that contain them.
    void recordsOfSumsAreNotShown()
    {
        const QTreeView* table = tableOf("callgrind.out.1", "events: Ir\nfn=main\n1 5\ncfn=work\ncalls=3 2\n1 30\nfn=work\n2 30\n");
        QVERIFY(table);
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QTRY_VERIFY(table->isColumnHidden(FunctionModel::Samples));
        QVERIFY(!table->isColumnHidden(FunctionModel::Amount));
    }

    void linesAreGroupedAsOnTheCommandLine()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        FunctionsView* view = functionsOf(collection, "parallel4-multi3.data");
        QVERIFY(view);
        const FunctionModel& functions = view->functions();
        using Group = FunctionGroup;
        for (const auto& [group, word] : {std::pair(Group::Module, "module"),
                                          {Group::File, "file"},
                                          {Group::Line, "line"},
                                          {Group::Thread, "thread"},
                                          {Group::Process, "process"}}) {
            FunctionChoices choices;
            choices.group = group;
            choices.byCommand = hasModules(group);
            view->setChoices(choices);
            QTRY_VERIFY(functions.lines() && functions.lines()->choices.group == group);
            const auto lines = tableLines(collection, "parallel4-multi3.data", {"--event", "cpu-clock", "--group", word});
            QVERIFY(lines.size() > 3);
            QStringList shown, written;
            const auto text = [&](int row, int column) { return functions.index(row, column).data().toString(); };
            for (int row = 0; row < functions.rowCount(); ++row)
                shown << QStringList{text(row, FunctionModel::Samples), text(row, FunctionModel::Command), text(row, FunctionModel::Module),
                                     hasSymbols(group) ? QString::fromStdString(functions.functionOf(row).label()) : QString(),
                                     text(row, FunctionModel::Place)}
                             .join('|');
            for (const CsvRow& line : lines)
                written << QStringList{line["self_samples"], line["comm"], line["module"], line["function"],
                                       group == Group::Process ? line["pid"] : line["tid"]}
                               .join('|');
            QCOMPARE(shown.replaceInStrings(QString(QChar(0x2009)), QString()), written);
        }
    }

    void linesAreSplitAsByTheCopiedCommand_data()
    {
        QTest::addColumn<QString>("base");
        for (const char* base : {"none", "command", "thread", "cpu"})
            QTest::newRow(base) << QString(base);
    }
    /// Property: for each way to split functions, the dock has the lines that its copied command prints.
    void linesAreSplitAsByTheCopiedCommand()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        QFETCH(QString, base);
        FunctionsView* view = functionsOf(collection, "parallel4-multi3.data");
        QVERIFY(view);
        FunctionChoices choices;
        choices.byCommand = base == "command";
        choices.byThread = base == "thread";
        choices.byCpu = base == "cpu";
        view->setChoices(choices);
        const FunctionModel& functions = view->functions();
        QTRY_VERIFY(functions.lines() && functions.lines()->choices == choices && functions.rowCount() > 10
                    && !functions.functionOf(0).name.empty());
        const QStringList words = view->shownCommand().words;
        const qsizetype option = words.indexOf("--base");
        QCOMPARE(option < 0 ? QString("command") : words.value(option + 1), base);

        const auto lines = tableLines(collection, "parallel4-multi3.data", {"--event", "cpu-clock", "--base", base});
        QStringList shown, written;
        const auto text = [&](int row, int column) { return functions.index(row, column).data().toString().remove(QChar(0x2009)); };
        for (int row = 0; row < functions.rowCount(); ++row)
            shown << QStringList{text(row, FunctionModel::Samples), text(row, FunctionModel::Command), text(row, FunctionModel::Module),
                                 QString::fromStdString(functions.functionOf(row).label()), text(row, FunctionModel::Place).remove("CPU ")}
                         .join('|');
        for (const CsvRow& line : lines)
            written << QStringList{line["self_samples"], line["comm"], line["module"], line["function"],
                                   base == "cpu" ? line["cpu"] : line["tid"]}
                           .join('|');
        QCOMPARE(shown, written);
    }

    void theCallersOfALineAreThoseOfItsCommand()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        FunctionsView* view = functionsOf(collection, "solo.data");
        QVERIFY(view);
        FunctionChoices choices;
        choices.byCommand = true;
        view->setChoices(choices);
        const FunctionModel& functions = view->functions();
        QTRY_VERIFY(functions.lines() && functions.rowCount() > 10);
        // Returns the row of a function that an earlier row also shows, for another command; -1 if there is no such row.
        const auto secondLine = [&] {
            for (int row = 1; row < functions.rowCount(); ++row)
                if (const SampledFunction& it = functions.functionOf(row); !it.name.empty() && functions.find(it) < row)
                    return row;
            return -1;
        };
        QTRY_VERIFY(secondLine() > 0);
        const int line = secondLine();
        const std::string comm = functions.line(line).comm, name = functions.functionOf(line).name;
        const auto tables = view->findChildren<QTreeView*>();
        QTreeView* table = *std::ranges::find(tables, &functions, [](const QTreeView* it) { return it->model(); });

        table->setCurrentIndex(functions.index(line, 0));

        const CallTreeModel& calls = view->calls();
        QTRY_VERIFY(calls.rowCount() == 1);
        const int current = table->currentIndex().row();
        QCOMPARE(functions.line(current).comm, comm);
        QCOMPARE(functions.functionOf(current).name, name);
        QCOMPARE(calls.index(0, CallTreeModel::Total).data(Qt::DisplayRole).toString(),
                 functions.index(current, FunctionModel::Total).data().toString());
        QVERIFY(std::ranges::any_of(view->findChildren<QLabel*>(), [&](const QLabel* it) {
            return it->text().startsWith("Callers of") && it->text().endsWith(" in " + QString::fromStdString(comm));
        }));
    }

    void aColumnKeepsTheWidthItWasGiven()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        FunctionsView* view = functionsOf(collection, "parallel4-multi3.data");
        QVERIFY(view);
        FunctionChoices choices;
        choices.events = {"page-faults"};
        view->setChoices(choices);
        const FunctionModel& functions = view->functions();
        QTRY_VERIFY(functions.lines() && functions.lines()->events.size() == 1);
        const auto tables = view->findChildren<QTreeView*>();
        QHeaderView& header = *(*std::ranges::find(tables, &functions, [](const QTreeView* it) { return it->model(); }))->header();
        const int column = FunctionModel::columnOf(0, FunctionModel::EventTotal);
        header.resizeSection(column, 137);
        header.moveSection(header.visualIndex(column), 0);
        const auto before = functions.lines();

        const TimeRange full = m_window->context().time().full();
        m_window->context().time().setSelection({full.begin + full.duration() / 4, full.begin + full.duration() / 2});

        QTRY_VERIFY(functions.lines() && functions.lines() != before && SampleModel::of(m_window->context()).shown().isSelection);
        QTRY_VERIFY(SampleModel::of(m_window->context()).work().isEmpty());
        QCOMPARE(header.sectionSize(column), 137);
        QCOMPARE(header.visualIndex(column), 0);
        choices.events = {"context-switches", "page-faults"};
        view->setChoices(choices);
        QTRY_VERIFY(header.visualIndex(column) > 1); // The view now shows other counters, so the columns are back in their default order.
    }

    void theMenusOfTheEventsDiffer()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        FunctionsView* view = functionsOf(collection, "parallel4-multi3.data");
        QVERIFY(view);
        QMenu menu;
        view->fillOfferedMenus(menu);
        QStringList paths;
        for (const QAction* action : menu.actions())
            if (action->menu())
                for (const QAction* line : action->menu()->actions())
                    if (!line->isSeparator())
                        paths << action->text() + " > " + line->text();
        QVERIFY(std::ranges::count_if(paths, [](const QString& it) { return it.contains("page-faults"); }) == 2);
        QCOMPARE(paths.removeDuplicates(), 0);
    }

    void theChosenFunctionIsMarkedWhereItWasSampled()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        FunctionsView* view = functionsOf(collection, "parallel4-multi3.data");
        QVERIFY(view);
        ViewContext& context = m_window->context();
        SampleModel& samples = SampleModel::of(context);
        const FunctionModel& functions = view->functions();
        QTRY_VERIFY(functions.rowCount() > 10 && functions.find({"initprm_", "matinit"}) >= 0);
        const auto total = [&] { return qsizetype(functions.line(functions.find({"initprm_", "matinit"})).total.samples); };
        QTRY_COMPARE(total(), 1867); // perf report prints 58.91 % of 3,169 samples, which is 1,867 samples.
        const auto timeline = context.timeline();
        const auto counted = [&](const char* panel) { // Number of samples that a panel marks in each row, keyed by the row's label.
            QMap<QString, qsizetype> counts;
            for (const Row& it : rows(*timeline, panel))
                if (const auto found = context.rowTimes()->find(it.ref); found != context.rowTimes()->end())
                    counts[QString::fromStdString(it.label)] += qsizetype(found->second.size());
            return counts;
        };

        samples.chooseFunction(SampledFunction(functions.functionOf(functions.find({"initprm_", "matinit"}))));

        QTRY_VERIFY(context.rowTimes());
        QCOMPARE(counted("control-flow"), (QMap<QString, qsizetype>{{"matinit", 1867}}));
        const auto onCpus = counted("resources");
        QCOMPARE(onCpus.size(), 2);
        QCOMPARE(onCpus["CPU 0"] + onCpus["CPU 1"], 1867);
        for (const auto& [ref, times] : *context.rowTimes())
            QVERIFY(std::ranges::is_sorted(times));

        m_window->docks().show("events");
        // Hide the Functions dock. The rows must still mark the samples of the selected function, now only those in the selected range.
        QTRY_VERIFY(!view->isVisible());
        const TimeRange full = context.time().full();
        const TimeRange part{full.begin + full.duration() / 4, full.begin + full.duration() / 2};
        context.time().setSelection(part);
        QTRY_VERIFY(samples.shown().isSelection && samples.shown().names->isComplete && samples.work().isEmpty());
        QTRY_VERIFY(std::ranges::all_of(
            *context.rowTimes(), [&](const auto& it) { return part.contains(it.second.front()) && part.contains(it.second.back()); }));
        const auto inPart = counted("control-flow")["matinit"];
        m_window->docks().show("functions");
        QTRY_COMPARE(total(), inPart);

        samples.setMarksFunction(false);
        QVERIFY(!context.rowTimes());
    }

    void theFlameGraphIsSavedSampleBySampleAsOnTheCommandLine()
    {
        HELIO_REQUIRE_TRACE(collection, "solo-vs-parallel-perf");
        QVERIFY(functionsOf(collection, "parallel4-multi3.data"));
        m_window->docks().show("flame_graph");
        auto* flame = dynamic_cast<FlameGraphView*>(m_window->docks().view("flame_graph"));
        QTRY_VERIFY(flame->graph().content().tree && flame->graph().content().tree->isNamed);
        const QString path = m_folder.filePath("saved.json");
        m_window->context().setAskPath([&](const QString&, const QString&, const QString&) { return path; });

        flame->save("flame-graph.speedscope.json", {});

        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject saved = QJsonDocument::fromJson(file.readAll()).object();
        QStringList arguments{"flame", collection + "/data/parallel4-multi3.data", "--format", "speedscope", "--event", "cpu-clock"};
        for (const char* folder : {"bin", "libs"})
            arguments << "--symbols" << collection + '/' + folder;
        const QJsonObject printed =
            QJsonDocument::fromJson(heliograph(arguments << "--kallsyms" << collection + "/text/kallsyms.txt").out).object();
        QVERIFY(printed["profiles"].toArray().size() > 4);
        QVERIFY(saved["profiles"] == printed["profiles"]);
        QVERIFY(saved["shared"] == printed["shared"]);
    }

    void whatTheDocksMenusOfferIsInThePalette()
    {
        QFile file(m_folder.filePath("two.folded"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("app;main;work 30\napp;main;rest 10\n");
        file.close();
        m_window = std::make_unique<MainWindow>();
        m_window->setExperimentOptions(recordingOptions({}, m_folder.path()));
        m_window->show();
        m_window->open({file.fileName()});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().state() == Session::State::Ready, 30000);
        Omnibox& omnibox = m_window->findChild<HeaderBar*>()->omnibox();
        const auto run = [&](const QString& group, const QString& title) {
            omnibox.open();
            omnibox.model().setText("> " + title);
            for (int line = 0; line < omnibox.model().rowCount(); ++line)
                if (const PaletteItem* item = omnibox.model().item(line); item->text == title && item->group == group) {
                    item->run();
                    return true;
                }
            return false;
        };

        QTRY_VERIFY(run(QStringLiteral("Flame graph \u203a Shape"), "Inverted: callers below the sampled functions"));
        QVERIFY(dynamic_cast<FlameGraphView*>(m_window->docks().view("flame_graph"))->choices().isInverted);
        QTRY_VERIFY(run(QStringLiteral("Functions \u203a Group by"), "Shared objects"));
        QVERIFY(dynamic_cast<FunctionsView*>(m_window->docks().view("functions"))->choices().group == FunctionGroup::Module);
        // The command of the palette also brought the Functions dock to the front.
        QVERIFY(m_window->docks().view("functions")->isVisible());
    }

    void cyclesAndInstructionsAreShownAsIpc()
    {
        const auto title = [](const char* own, const char* other) {
            auto lines = std::make_shared<FunctionLines>();
            lines->kind.name = own;
            lines->events.resize(1);
            lines->events[0].kind.name = other;
            FunctionModel model;
            model.setLines(lines, {});
            return model.headerData(FunctionModel::columnOf(0, FunctionModel::EventRatio), Qt::Horizontal).toString();
        };
        QCOMPARE(title("cycles:u", "instructions:u"), "IPC");
        QCOMPARE(title("cpu_core/cycles/", "cpu_core/instructions/"), "IPC");
        QCOMPARE(title("instructions", "cpu-cycles"), "CPI");
        QCOMPARE(title("ref-cycles", "instructions"), "instructions / ref-cycles");
    }

    void choicesComeBackWithASession()
    {
        FunctionsView view(m_context);
        FunctionChoices choices;
        choices.group = FunctionGroup::Line;
        choices.byThread = true;
        choices.events = {"page-faults"};
        view.setChoices(choices);
        FunctionsView again(m_context);
        again.restore(view.save());
        QCOMPARE(again.save(), view.save());
        again.restore({{"group", "moon"}, {"events", 7}});
        QCOMPARE(again.save(), FunctionsView(m_context).save());
    }
};

HELIO_TEST(FunctionsWindowTest)
#include "tst_functions_window.moc"
