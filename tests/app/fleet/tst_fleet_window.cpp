// The window of a fleet: the table shows what queries print, clicks in the head are conditions, traces are opened and compared, and
// hostile catalogues are shown without harm.

#include "app/gui/common/actions.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/fleet/fleet_data.h"
#include "app/gui/fleet/fleet_details_page.h"
#include "app/gui/fleet/fleet_status.h"
#include "app/gui/fleet/fleet_window.h"
#include "app/gui/fleet/trace_location.h"
#include "app/gui/main_window/fleet_windows.h"
#include "app/gui/main_window/main_window.h"
#include "tests/support/files.h"
#include "tests/support/made_catalogue.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/expression_field.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/fleet/finder_button.h"
#include "widgets/fleet/fleet_latency_chart.h"
#include "widgets/fleet/fleet_model.h"
#include "widgets/fleet/host_grid.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace helio;
using fleet::TraceSummary;
using test::fleetSummary;
using test::MadeFleet;

namespace {

const QString sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

/// Ten traces of ten hosts; the higher the number, the worse.
std::vector<TraceSummary> tenTraces()
{
    std::vector<TraceSummary> all;
    for (std::int64_t i = 1; i <= 10; ++i)
        all.push_back(fleetSummary(i, double(i) / 20, i * 1'000));
    return all;
}

/// A window with a catalogue. It uses a temporary home folder.
struct OpenFleet {
    explicit OpenFleet(const std::vector<TraceSummary>& summaries)
        : made(summaries)
    {
    }
    /// Opens the catalogue; returns false if its traces are not listed, and the first one is not described, within 20 s.
    bool open()
    {
        window.resize(1600, 1000); // Wide enough to show the details.
        window.show();
        window.open(made.file());
        return isListed() && isDescribed();
    }
    bool isListed()
    {
        return QTest::qWaitFor([this] { return !window.data().isReading() && !window.data().isFiltering() && window.data().table(); },
                               20'000);
    }
    /// Waits until the selected trace is described; buttons of an earlier one are hidden.
    bool isDescribed()
    {
        return QTest::qWaitFor([this] { return button("Open") != nullptr; }, 20'000);
    }
    QString cell(int row, int column) { return plainText(window.model().index(row, column).data().toString()); }
    QStringList hosts()
    {
        QStringList all;
        for (int row = 0; row < window.model().rowCount(); ++row)
            all << cell(row, FleetModel::Host);
        return all;
    }
    Pill* pill(const QString& text)
    {
        for (Pill* const it : window.findChildren<Pill*>())
            if (plainText(it->text()) == text && it->isVisible())
                return it;
        return nullptr;
    }
    QPushButton* button(const QString& text)
    {
        for (QPushButton* const it : window.findChildren<QPushButton*>())
            if (it->text() == text && it->isVisible())
                return it;
        return nullptr;
    }
    void trigger(const char* id) { window.actions().at(id).trigger(); }
    QString notice() { return window.findChild<NoticeBar*>()->text(); }
    /// Returns the text of the page that is shown in place of the window, or of the table.
    QString page()
    {
        for (const EmptyPage* const it : window.findChildren<EmptyPage*>())
            if (it->isVisible())
                return it->accessibleName() + QLatin1Char('\n') + it->accessibleDescription();
        return {};
    }

    test::OwnHome home;
    MadeFleet made;
    FleetWindow window;
};

/// Makes an existing path for a trace.
std::string existing(const MadeFleet& made, const char* name) { return test::writeFile(made.folder() + '/' + name, "trace").toStdString(); }

} // namespace

class FleetWindowTest : public QObject {
    Q_OBJECT

private slots:
    void tableShowsTheWorstFirst()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        const std::vector<std::string> rows =
            it.made.ask("SELECT host, text, round(share * 100) || '', (max_ns / 1000000) || ' ms' FROM worst_finding JOIN "
                        "digest USING (trace_id) WHERE kind = 'wakeup' AND name = '' ORDER BY share DESC");
        QCOMPARE(it.window.model().rowCount(), int(rows.size()));
        for (int row = 0; row < it.window.model().rowCount(); ++row) {
            const QString shown = it.cell(row, FleetModel::Host) + '|' + it.cell(row, FleetModel::Finding) + '|'
                + it.cell(row, FleetModel::Explained).remove(" %") + ".0|" + it.cell(row, FleetModel::Latency);
            QCOMPARE(shown, QString::fromStdString(rows[std::size_t(row)]));
        }
        QCOMPARE(it.cell(0, FleetModel::CpuBusy), QStringLiteral("25 %"));
        QCOMPARE(it.cell(0, FleetModel::Lost), QStringLiteral("0"));
        QCOMPARE(it.cell(0, FleetModel::Length), QStringLiteral("10 s"));
    }

    void columnsSort()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        it.window.table().sortByColumn(FleetModel::Host, Qt::AscendingOrder);
        QCOMPARE(it.hosts().front(), QStringLiteral("web-01"));
        // The selected trace stays selected.
        QCOMPARE(it.window.table().currentIndex().row(), 9);
        it.window.table().sortByColumn(FleetModel::OtherLatency, Qt::DescendingOrder);
        QCOMPARE(it.hosts().front(), QStringLiteral("web-10"));
        for (int column = 0; column < FleetModel::ColumnCount; ++column)
            it.window.table().sortByColumn(column, Qt::AscendingOrder);
    }

    void lossesAreLowerBounds()
    {
        std::vector<TraceSummary> traces = tenTraces();
        traces[9].lostEvents = 33'976;
        traces[8].latencies.clear();
        traces[8].gaps = 2;
        traces[8].cpuBusyShare.reset();
        traces[7].latencies.clear();
        traces[6].findings.clear();
        traces.push_back(test::failedSummary(99));
        OpenFleet it(traces);
        QVERIFY(it.open());
        QCOMPARE(it.cell(0, FleetModel::Latency), QStringLiteral("\u2265 10 ms"));
        QCOMPARE(it.cell(0, FleetModel::CpuBusy), QStringLiteral("\u2265 25 %"));
        QCOMPARE(it.cell(0, FleetModel::Lost), QStringLiteral("33976"));
        QCOMPARE(it.cell(1, FleetModel::Latency), QStringLiteral("unknown"));
        QCOMPARE(it.cell(1, FleetModel::CpuBusy), QStringLiteral("unknown"));
        QCOMPARE(it.cell(1, FleetModel::Lost), QStringLiteral("2 gaps"));
        QCOMPARE(it.cell(2, FleetModel::Latency), QStringLiteral("not recorded"));
        QCOMPARE(it.cell(9, FleetModel::Finding), QStringLiteral("no finding"));
        QCOMPARE(it.cell(10, FleetModel::Finding), QStringLiteral("Cannot be read: permission denied"));
        for (int row = 0; row < it.window.model().rowCount(); ++row)
            for (int column = 0; column < FleetModel::ColumnCount; ++column)
                QVERIFY2(!it.cell(row, column).isEmpty(), qPrintable(QString("%1, %2").arg(row).arg(column)));
    }

    void clicksInTheHeadAreConditions()
    {
        std::vector<TraceSummary> traces = tenTraces();
        traces[0].findings.erase(traces[0].findings.begin());
        OpenFleet it(traces);
        QVERIFY(it.open());
        auto finders = it.window.findChildren<FinderButton*>();
        finders.removeIf([](const FinderButton* button) { return !button->isVisible(); });
        QCOMPARE(finders.size(), 2);
        QCOMPARE(finders[1]->text(), QStringLiteral("Throttling"));
        QTest::mouseClick(finders[1], Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 9);
        QVERIFY(finders[1]->isChecked() && it.pill("Throttling"));
        QTest::mouseClick(finders[1], Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 10);
        QVERIFY(!finders[1]->isChecked() && !it.pill("Throttling"));
        QTest::mouseClick(finders[1], Qt::LeftButton);
        QTest::mouseClick(it.pill("Throttling"), Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 10);
        QVERIFY(!finders[1]->isChecked());

        auto* const grid = it.window.findChild<HostGrid*>();
        QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cellOf("web-04").center().toPoint());
        QVERIFY(it.isListed());
        QCOMPARE(it.hosts(), QStringList{"web-04"});
        QTest::mouseClick(it.pill("web-04"), Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 10);

        auto* const chart = it.window.findChild<FleetLatencyChart*>();
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->positionOf(Duration(5'500'000)));
        QVERIFY(it.isListed());
        QCOMPARE(it.window.data().conditions().latency.has_value(), true);
        QCOMPARE(it.window.model().rowCount(),
                 int(it.made
                         .ask("SELECT 1 FROM digest WHERE kind = 'wakeup' AND max_ns >= "
                              + std::to_string(it.window.data().conditions().latency->count()))
                         .size()));
        QVERIFY(it.window.model().rowCount() < 10 && it.window.model().rowCount() > 2);
    }

    void keysChooseHostsAndLatencies()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        auto* const grid = it.window.findChild<HostGrid*>();
        grid->setSelected("web-02");
        QTest::keyClick(grid, Qt::Key_Down);
        QTest::keyClick(grid, Qt::Key_Return);
        QVERIFY(it.isListed());
        QCOMPARE(it.hosts(), QStringList{"web-03"});
        it.trigger("edit.clear-filter");
        auto* const chart = it.window.findChild<FleetLatencyChart*>();
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Return);
        QVERIFY(it.window.data().conditions().latency.has_value());
    }

    void expressionsFilter()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        it.trigger("edit.find");
        auto* const edit = it.window.findChild<ExpressionField*>()->findChild<QLineEdit*>();
        QVERIFY(QTest::qWaitFor([&] { return edit->hasFocus(); }));
        QTest::keyClicks(edit, "share >= 0.4 && wakeup < 10ms");
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(it.isListed());
        QCOMPARE(it.hosts(), (QStringList{"web-09", "web-08"}));
        QTest::keyClicks(edit, " && nothing == 1");
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(it.isListed());
        QVERIFY(edit->accessibleDescription().startsWith("no trace has a column or tag \"nothing\""));
        QCOMPARE(it.hosts().size(), 2); // A wrong expression keeps the list.
        QTest::keyClick(edit, Qt::Key_Escape);
        QTest::keyClick(&it.window, Qt::Key_Escape);
        QVERIFY(it.isListed());
        QCOMPARE(it.hosts().size(), 10);
        QVERIFY(edit->text().isEmpty() && edit->accessibleDescription().isEmpty());
    }

    void switchesFilter()
    {
        std::vector<TraceSummary> traces = tenTraces();
        traces[3].host = traces[4].host;
        traces[5].findings.clear();
        OpenFleet it(traces);
        QVERIFY(it.open());
        QTest::mouseClick(it.pill("With findings"), Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 9);
        QTest::mouseClick(it.pill("Newest of each host"), Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 8);
        QVERIFY(it.pill("With findings")->isChecked() && it.pill("Newest of each host")->isChecked() && !it.pill("All")->isChecked());
        QTest::mouseClick(it.pill("All"), Qt::LeftButton);
        QVERIFY(it.isListed());
        QCOMPARE(it.window.model().rowCount(), 10);
        QVERIFY(!it.pill("With findings")->isChecked() && it.pill("All")->isChecked());
    }

    void emptyListsSayWhatHelps()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        fleet::FleetConditions conditions;
        conditions.expression = "nowhere";
        it.window.data().setConditions(conditions);
        QVERIFY(it.isListed());
        QVERIFY(it.page().startsWith("No trace fulfils all conditions."));
        QTest::mouseClick(it.button("Clear filter"), Qt::LeftButton);
        QVERIFY(it.isListed());
        QVERIFY(it.page().isEmpty());
        QCOMPARE(it.hosts().size(), 10);
    }

    void emptyCataloguesNameTheCommand()
    {
        OpenFleet it({});
        it.window.show();
        QVERIFY(it.page().contains("heliograph fleet add fleet.db FOLDER"));
        it.window.open(it.made.file());
        QVERIFY(it.isListed());
        QVERIFY2(it.page().startsWith("The catalogue has no traces."), qPrintable(it.page()));
        QVERIFY(it.page().contains("heliograph fleet add " + it.made.file() + " FOLDER"));
    }

    void problemsAreExplained_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("reason");
        QTest::newRow("newer version") << "PRAGMA user_version = 2"
                                       << "a catalogue of version 2; this program uses version 1";
        QTest::newRow("another database") << "PRAGMA application_id = 1"
                                          << "not a catalogue of traces";
        QTest::newRow("text") << ""
                              << "database";
        QTest::newRow("missing file") << "-"
                                      << "fleet-missing.db";
    }
    void problemsAreExplained()
    {
        QFETCH(QString, change);
        QFETCH(QString, reason);
        OpenFleet it(tenTraces());
        QString file = it.made.file();
        if (change.isEmpty())
            file = test::writeFile(it.made.folder() + "/fleet-text.db", QByteArray(10'000, 'x'));
        else if (change == "-")
            file = it.made.folder() + "/fleet-missing.db";
        else
            it.made.change(change.toStdString());
        it.window.show();
        it.window.open(file);
        QVERIFY(QTest::qWaitFor([&] { return !it.window.data().isReading(); }, 20'000));
        QVERIFY2(it.page().startsWith("Cannot open ") && it.page().contains(reason), qPrintable(it.page()));
        QVERIFY(it.button("Open fleet…"));
    }

    /// Property: a catalogue that cannot be read again stays in the window.
    void failedReloadsKeepTheTable()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        it.made.add({fleetSummary(11, 0.9, 5)});
        it.trigger("file.reload");
        QVERIFY(it.isListed());
        QCOMPARE(it.hosts().size(), 11);
        it.made.change("PRAGMA user_version = 2");
        it.trigger("file.reload");
        QVERIFY(it.isListed());
        QVERIFY(it.notice().contains("version 2"));
        QCOMPARE(it.hosts().size(), 11);
    }

    /// Property: reading the catalogue again keeps the selected and the marked traces that are still in it.
    void reloadsKeepSelectionAndMarks()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        auto* const table = it.window.findChild<QTreeView*>();
        const auto select = [&](const QString& host) { table->setCurrentIndex(it.window.model().index(int(it.hosts().indexOf(host)), 0)); };
        const auto selected = [&] { return it.cell(table->currentIndex().row(), FleetModel::Host); };
        select("web-04");
        it.trigger("compare.set-a");
        select("web-06");
        it.trigger("compare.set-b");
        select("web-03");
        it.made.change("DELETE FROM trace WHERE host = 'web-01' OR host = 'web-06'");
        it.made.add({fleetSummary(11, 0.9, 5)});
        it.trigger("file.reload");
        QVERIFY(it.isListed());
        QCOMPARE(it.hosts().size(), 9);
        QCOMPARE(selected(), QStringLiteral("web-03"));
        QVERIFY(it.isDescribed());
        QVERIFY(!it.window.actions().at("compare.marked").isEnabled());
        select("web-05");
        it.trigger("compare.set-b");
        QVERIFY(it.window.actions().at("compare.marked").isEnabled());
        it.trigger("file.reload");
        QVERIFY(it.isListed());
        QVERIFY(it.window.actions().at("compare.marked").isEnabled());
        QCOMPARE(selected(), QStringLiteral("web-05"));
        it.made.change("DELETE FROM trace WHERE host = 'web-05'");
        it.trigger("file.reload");
        QVERIFY(it.isListed());
        QCOMPARE(selected(), QStringLiteral("web-11")); // The first one.
    }

    void tracesAreOpened()
    {
        OpenFleet it({});
        std::vector<TraceSummary> traces = tenTraces();
        traces[9].path = existing(it.made, "here");
        traces[8].path = existing(it.made, "traces.tar.gz") + "/kernel";
        traces[7].machine = "elsewhere";
        it.made.add(traces);
        QVERIFY(it.open());
        QSignalSpy opened(&it.window, &FleetWindow::openRequested);
        QTest::mouseClick(it.button("Open"), Qt::LeftButton);
        QTest::keyClick(&it.window.table(), Qt::Key_Return);
        QCOMPARE(opened.size(), 2);
        QCOMPARE(opened[1][0].toString(), QString::fromStdString(traces[9].path));
        QTest::keyClick(&it.window.table(), Qt::Key_Down);
        it.trigger("file.open-trace");
        QCOMPARE(opened.size(), 3);
        QTest::keyClick(&it.window.table(), Qt::Key_Down);
        const QRect cell = it.window.table().visualRect(it.window.table().currentIndex());
        QTest::mouseClick(it.window.table().viewport(), Qt::LeftButton, {}, cell.center());
        QTest::mouseDClick(it.window.table().viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(opened.size(), 3);
        QCOMPARE(it.notice(),
                 QString("/traces/8 is on elsewhere, not on this machine (%1). Open the trace there, or mount its folder at the "
                         "same path here.")
                     .arg(QSysInfo::machineHostName()));
    }

    void markedTracesAreCompared()
    {
        OpenFleet it({});
        std::vector<TraceSummary> traces = tenTraces();
        traces[9].path = existing(it.made, "a");
        traces[8].path = existing(it.made, "b");
        it.made.add(traces);
        QVERIFY(it.open());
        QSignalSpy compared(&it.window, &FleetWindow::comparisonRequested);
        QVERIFY(!it.window.actions().at("compare.marked").isEnabled());
        it.trigger("compare.set-a");
        QTest::keyClick(&it.window.table(), Qt::Key_Down);
        it.trigger("compare.set-a"); // The mark moves.
        it.trigger("compare.set-b"); // A trace has one mark: it is B now.
        QTest::keyClick(&it.window.table(), Qt::Key_Up);
        it.trigger("compare.set-a");
        it.trigger("compare.marked");
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared[0][0].toString(), QString::fromStdString(traces[9].path));
        QCOMPARE(compared[0][1].toString(), QString::fromStdString(traces[8].path));
        it.trigger("compare.set-a"); // Again: the mark is removed.
        QVERIFY(!it.window.actions().at("compare.marked").isEnabled());
    }

    void keysMarkTraces()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        it.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&it.window));
        QTest::keyClick(&it.window.table(), Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(&it.window.table(), Qt::Key_Down);
        QTest::keyClick(&it.window.table(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(it.window.actions().at("compare.marked").isEnabled());
    }

    void linesAreCsv()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        QStringList lines = it.window.model().csv().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.takeFirst(),
                 QStringLiteral("host,path,begin_ns,duration_ns,kernel,finding,share,wakeup_max_ns,block_max_ns,"
                                "cpu_busy_share,lost_events"));
        const auto rows = it.made.ask("SELECT trace.host || ',' || path || ',' || trace.begin_ns || ',' || duration_ns || ',' || kernel || "
                                      "',' || text || ',' || share || ',' || max_ns || ',' || max_ns || ',' || cpu_busy_share || ',' || "
                                      "lost_events FROM trace JOIN finding ON finding.trace_id = trace.id JOIN digest ON digest.trace_id = "
                                      "trace.id WHERE rank = 1 AND kind = 'wakeup' ORDER BY share DESC");
        QCOMPARE(lines.size(), qsizetype(rows.size()));
        for (qsizetype i = 0; i < lines.size(); ++i)
            QCOMPARE(lines[i], QString::fromStdString(rows[std::size_t(i)]));
    }

    void typicalTracesAreNearTheMedian()
    {
        OpenFleet it({});
        std::vector<TraceSummary> traces = tenTraces();
        traces[9].path = existing(it.made, "worst");
        traces[1].path = existing(it.made, "two");
        traces[6].path = existing(it.made, "seven"); // Nearer to the middle, the sixth of ten, than the second one.
        it.made.add(traces);
        QVERIFY(it.open());
        QSignalSpy compared(&it.window, &FleetWindow::comparisonRequested);
        QVERIFY(QTest::qWaitFor([&] { return it.window.actions().at("compare.typical").isEnabled(); }));
        QTest::mouseClick(it.button("Compare with a typical one"), Qt::LeftButton);
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared[0][0].toString(), QString::fromStdString(traces[6].path));
        QCOMPARE(compared[0][1].toString(), QString::fromStdString(traces[9].path));
        QStringList texts;
        for (const QLabel* const label : it.window.findChild<FleetDetailsPage*>()->findChildren<QLabel*>())
            texts << plainText(label->text());
        QVERIFY(texts.contains("1.7 \u00d7 the median trace"));
        QVERIFY(texts.contains("worst 10 ms against 6 ms on web-06"));
        QVERIFY(texts.contains("app was throttled 10 times"));
    }

    void commandsAreCopied()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        it.trigger("file.copy-command");
        QCOMPARE(it.window.findChild<FleetStatus*>()->remark(), QStringLiteral("Copied: heliograph /traces/10"));
    }

    void narrowWindowsHideTheDetails()
    {
        OpenFleet it(tenTraces());
        QVERIFY(it.open());
        it.window.resize(1024, 600);
        QVERIFY(QTest::qWaitFor([&] { return !it.button("Open"); }));
        QCOMPARE(it.window.width(), 1024);
        it.trigger("view.details");
        QVERIFY(it.isDescribed());
        QVERIFY(QTest::qWaitFor([&] { return it.window.findChild<FleetDetailsPage*>()->width() >= 300; }));
        QCOMPARE(it.window.width(), 1024);
        it.window.resize(1600, 600);
        QVERIFY(QTest::qWaitFor([&] { return it.window.findChild<FleetDetailsPage*>()->isVisible(); }));
    }

    void hostileCataloguesAreShown()
    {
        std::vector<TraceSummary> traces = tenTraces();
        OpenFleet it(traces);
        it.made.change(test::HostileStatements);
        QVERIFY(it.open());
        QVERIFY(it.notice().contains("damaged"));
        it.window.resize(1600, 1000);
        for (int row = 0; row < it.window.model().rowCount(); ++row) {
            it.window.table().setCurrentIndex(it.window.model().index(row, 0));
            for (int column = 0; column < FleetModel::ColumnCount; ++column) {
                (void)it.window.model().index(row, column).data(Qt::ToolTipRole);
                QVERIFY(!it.cell(row, column).isEmpty());
            }
            QVERIFY(it.isDescribed());
            QVERIFY(!it.window.grab().isNull());
        }
        for (int column = 0; column < FleetModel::ColumnCount; ++column)
            it.window.table().sortByColumn(column, Qt::DescendingOrder);
        // Tags in names are text.
        const int row = [&] {
            for (int i = 0; i < it.window.model().rowCount(); ++i)
                if (it.cell(i, FleetModel::Host).startsWith("<img"))
                    return i;
            return -1;
        }();
        QVERIFY(row >= 0);
        for (const int column : {FleetModel::Host, FleetModel::Finding}) {
            const QString tip = it.window.model().index(row, column).data(Qt::ToolTipRole).toString();
            QVERIFY(!tip.isEmpty() && !tip.contains("<img"));
        }
    }

    /// Property: a trace and a comparison of a fleet get windows of their own, and so does a catalogue that a main window is to open.
    void windowsOpenEachOther()
    {
        std::vector<TraceSummary> traces = tenTraces();
        traces[9].path = traces[8].path = sample.toStdString();
        test::OwnHome home;
        const MadeFleet made(traces);
        ExperimentOptions options;
        options.storeDirectory = home.filePath("stores").toStdString();
        const auto find = []<typename Window>(Window*) -> Window* {
            for (QWidget* const it : QApplication::topLevelWidgets())
                if (auto* const window = qobject_cast<Window*>(it))
                    return window;
            return nullptr;
        };
        {
            MainWindow main;
            main.setExperimentOptions(options);
            main.show();
            main.open({made.file()});
        }
        auto* const window = find(static_cast<FleetWindow*>(nullptr));
        QVERIFY(window);
        QVERIFY(QTest::qWaitFor([&] { return window->model().rowCount() == 10; }, 20'000));
        emit window->openRequested(sample);
        emit window->openRequested(sample); // The window that shows the trace already is raised.
        auto* const viewer = find(static_cast<MainWindow*>(nullptr));
        QVERIFY(viewer);
        QVERIFY(QTest::qWaitFor([&] { return viewer->session().state() == Session::State::Ready; }, 20'000));
        const auto all = QApplication::topLevelWidgets();
        QCOMPARE(std::ranges::count_if(all, [](QWidget* it) { return qobject_cast<MainWindow*>(it) != nullptr; }), 1);
        emit window->comparisonRequested(sample, sample);
        auto* const comparison = find(static_cast<CompareWindow*>(nullptr));
        QVERIFY(comparison);
        for (QWidget* const it : {static_cast<QWidget*>(comparison), static_cast<QWidget*>(viewer), static_cast<QWidget*>(window)})
            it->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
};

HELIO_TEST(FleetWindowTest)
#include "tst_fleet_window.moc"
