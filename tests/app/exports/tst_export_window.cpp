// Exports from a window: images, tables and times.

#include "app/gui/common/export_dialog.h"
#include "core/query/rows/facts.h"
#include "tests/app/exports/open_window.h"
#include "tests/support/test_program.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/eventlist/event_search.h"
#include "widgets/timeline/curves/curve_graph.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/panels/render.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QImage>
#include <QProcess>
#include <QTimer>
#include <QTreeView>

using namespace helio;

namespace {

/// Chooses a format and a time range in the dialog for exports as soon as it is shown, and accepts it.
void answerDialog(const QString& format, const QString& range)
{
    QTimer::singleShot(0, qApp, [format, range] {
        auto* dialog = qobject_cast<ExportDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            qFatal("no dialog");
        for (QComboBox* choice : dialog->findChildren<QComboBox*>()) {
            if (const int index = choice->findData(format); index >= 0)
                choice->setCurrentIndex(index);
            if (const int index = choice->findText(range); index >= 0)
                choice->setCurrentIndex(index);
        }
        dialog->accept();
    });
}

} // namespace

class ExportWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aPictureShowsTheRowsAndTheTimesThatThePanelShows()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        const TimePanel* panel = it.area().panels()->current();
        QTRY_VERIFY(dynamic_cast<const GraphPanel*>(panel)->graph()->rows().count() > 0);
        it.trigger("file.export-png");
        const QImage png(it.home.filePath(QString::fromStdString(panel->id()) + ".png"));
        QVERIFY(!png.isNull());
        QCOMPARE(png.width(), 2 * panel->width());
        const QImage before = png;
        const TimeRange full = it.window.context().time().full();
        it.window.context().time().setVisible({full.begin, full.begin + full.duration() / 4});
        it.trigger("file.export-png");
        QVERIFY(QImage(it.home.filePath(QString::fromStdString(panel->id()) + ".png")) != before);
        it.trigger("file.export-svg");
        QVERIFY(contents(it.home.filePath(QString::fromStdString(panel->id()) + ".svg")).contains("<svg"));
    }

    void aPictureHasTheChosenScale_data()
    {
        QTest::addColumn<int>("scale");
        QTest::newRow("file.export-png-1x") << 1;
        QTest::newRow("file.export-png") << 2;
        QTest::newRow("file.export-png-4x") << 4;
    }
    void aPictureHasTheChosenScale()
    {
        QFETCH(int, scale);
        OpenWindow it;
        QVERIFY(it.isReady);
        auto* panel = dynamic_cast<TrackPanel*>(it.area().panel("resources"));
        QVERIFY(panel);
        it.focusPanel("resources");
        QTRY_VERIFY(panel->graph()->rows().count() > 0);

        it.trigger(QTest::currentDataTag());

        const QImage png(it.home.filePath("resources.png"));
        QCOMPARE(png.size(), scale * QSize(panel->width(), 30 + panel->graph()->rows().height()));
    }

    void theTableInUseIsSavedWhole()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("statistics");
        auto* table = it.window.docks().view("statistics")->findChild<QTreeView*>();
        QTRY_VERIFY(table->model()->rowCount() > 3);
        it.trigger("file.export-csv");
        const QByteArray csv = contents(it.home.filePath("statistics.csv"));
        QCOMPARE(int(csv.count('\n')), table->model()->rowCount() + 1);
        QVERIFY(!csv.contains("\u2009"));
    }

    void theEventsAreSavedAsTheCommandPrintsThem_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::newRow("all") << QString();
        QTest::newRow("filtered") << QStringLiteral("name == \"sched_switch\"");
        QTest::newRow("none") << QStringLiteral("cpu == 99");
    }
    void theEventsAreSavedAsTheCommandPrintsThem()
    {
        QFETCH(QString, filter);
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("events");
        it.window.context().filter(filter);
        auto& pages = it.window.docks().view("events")->findChild<EventList*>()->pages();
        QStringList arguments{"events", Sample, "--format", "csv", "--quiet", "--store-dir", it.home.filePath("stores")};
        if (!filter.isEmpty())
            arguments << "--filter" << filter;
        QProcess program;
        program.start(HELIOGRAPH_PROGRAM, arguments);
        QVERIFY(program.waitForFinished(60000));
        const QByteArray expected = program.readAllStandardOutput();
        QTRY_COMPARE_WITH_TIMEOUT(qint64(pages.size()), qint64(expected.count('\n')) - 1, 20000);
        it.trigger("file.export-csv");
        const QString path = it.home.filePath("events.csv");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 20000);
        QCOMPARE(contents(path).replace("\r\n", "\n"), QByteArray(expected).replace("\r\n", "\n"));
    }

    void eventsThatAreNotAllFoundAreNotSaved()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        it.focus("events");
        it.window.context().filter("name =~ \"sched\"");
        it.trigger("file.export-csv"); // Trigger the export while the filter is still searching events.
        QVERIFY(it.isSaid("search for events is not finished"));
        QVERIFY(!QFile::exists(it.home.filePath("events.csv")));
        SearchHits hits;
        const auto timeline = it.window.context().timeline();
        hits.begin("name =~ \"sched\"");
        hits.finish(true);
        const Status cut = checkCompleteness(timeline.get(), hits);
        QVERIFY(!cut && cut.error().what.starts_with("Only part"));
        hits.finish(false);
        QVERIFY(checkCompleteness(timeline.get(), hits));
    }

    void whyAFileCannotBeWrittenIsSaid_data()
    {
        QTest::addColumn<QByteArray>("view");
        QTest::newRow("events") << QByteArray("events");
        QTest::newRow("statistics") << QByteArray("statistics");
    }
    void whyAFileCannotBeWrittenIsSaid()
    {
        QFETCH(QByteArray, view);
        OpenWindow it;
        QVERIFY(it.isReady);
        it.window.context().setAskPath([](const QString&, const QString&, const QString&) { return QString("/nowhere/a.csv"); });
        it.focus(view);
        QTest::qWait(200);
        it.trigger("file.export-csv");
        QTRY_VERIFY(it.isSaid("Cannot write /nowhere/a.csv: no such file or directory"));
        it.window.context().setAskPath([](const QString&, const QString&, const QString&) { return QString("/nowhere/a.png"); });
        it.trigger("file.export-png");
        QVERIFY(it.isSaid("Cannot write /nowhere/a.png: no such file or directory"));
    }

    void recordingIsWrittenInTheChosenFormatAndRange_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("file");
        for (const char* format : {"perfetto", "chrome-json", "csv", "sqlite"})
            QTest::newRow(format) << format
                                  << "workers" + (QByteArray(format) == "csv" ? "-export" : QString(findExportFormat(format)->suffix));
    }
    void recordingIsWrittenInTheChosenFormatAndRange()
    {
        QFETCH(QString, format);
        QFETCH(QString, file);
        OpenWindow it;
        QVERIFY(it.isReady);
        QTRY_VERIFY(it.window.context().timeline() && it.window.context().timeline()->isComplete);
        answerDialog(format, "Visible range");
        it.trigger("file.export-recording");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(it.home.filePath(file)), 20000);
        QTRY_VERIFY(it.isSaid("Saved to "));
    }
    void exportsCanBeCancelled()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        QTRY_VERIFY(it.window.context().timeline() && it.window.context().timeline()->isComplete);
        answerDialog("sqlite", "Whole recording");
        it.trigger("file.export-recording");
        it.window.findChild<StatusBar*>()->cancelWork();
        QTRY_VERIFY(it.isSaid("Export stopped. Nothing was written."));
        QVERIFY(!QFile::exists(it.home.filePath("workers.db")));
    }

    void onlyTheShownJobIsCancelled()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        QTRY_VERIFY(it.window.context().timeline() && it.window.context().timeline()->isComplete);
        answerDialog("sqlite", "Whole recording");
        it.trigger("file.export-recording");
        it.trigger("file.save-report");
        it.window.findChild<StatusBar*>()->cancelWork(); // The status bar shows the export.
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(it.home.filePath(it.window.session().name() + ".html")), 60'000);
        QVERIFY(!QFile::exists(it.home.filePath("workers.db")));
    }

    void aPictureHasTheRowsAsThePanelHasThem()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        auto* panel = dynamic_cast<TrackPanel*>(it.area().panel("control-flow"));
        QVERIFY(panel);
        it.focusPanel("control-flow");
        const QString path = it.home.filePath("control-flow.png");
        const auto heights = [&] {
            it.trigger("file.export-png");
            return std::pair(QImage(path).height(), 2 * (30 + panel->graph()->rows().height()));
        };
        QTRY_VERIFY(panel->graph()->rows().count() > 0);
        const auto [tree, treeRows] = heights();
        QCOMPARE(tree, treeRows);
        QTest::qWait(300); // Waits until idle rows are hidden.
        it.trigger("view.density-roomy");
        QTRY_VERIFY(panel->graph()->rows().density() == Density::Roomy);
        const auto [roomy, roomyRows] = heights();
        QCOMPARE(roomy, roomyRows);
    }

    void aPictureIsCutOnlyWhereItsRowsDoNotFitAtScaleOne()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        RenderRequest request;
        request.timeline = it.window.context().timeline();
        request.view = "control-flow";
        const auto fitOf = [&](int rows) {
            request.rows = GraphRows(std::vector<GraphRow>(std::size_t(rows)), Density::Normal);
            return fitPicture(request, 2, 16000);
        };
        const PictureFit few = fitOf(100);
        QVERIFY(few.scale == 2 && few.height == 30 + 100 * 20 && !few.isCut());
        const PictureFit more = fitOf(423);
        QVERIFY(more.scale > 1.8 && more.scale < 2 && more.height == 30 + 423 * 20 && !more.isCut());
        QVERIFY(more.height * more.scale <= 16000);
        const PictureFit all = fitOf(900);
        QVERIFY(all.scale == 1 && all.height == 16000 && all.isCut());
        QCOMPARE(std::pair(all.shownRows, all.allRows), std::pair((16000 - 30) / 20, 900));
    }

    void aFocusThatChangesWhileTheWindowGoesIsIgnored()
    {
        struct Application : QApplication {
            static int listeners() { return (qApp->*&Application::receivers)(SIGNAL(focusChanged(QWidget*, QWidget*))); }
        };
        const int before = Application::listeners();
        auto it = std::make_unique<OpenWindow>();
        QVERIFY(it->isReady);
        QVERIFY(Application::listeners() > before);
        int after = -1;
        // Counts the receivers of focusChanged when the window has destroyed its members: QObject destroys the children of a window only
        // after them.
        connect(new QObject(&it->window), &QObject::destroyed, qApp, [&after] { after = Application::listeners(); });
        it.reset();
        QCOMPARE(after, before);
    }

    void aCopiedTimeLeadsBackToItself()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        const Timestamp there = time.full().begin + time.full().duration() / 3;
        time.setCursor(there);
        it.trigger("go.copy-time");
        QCOMPARE(clipboard(), QString::number(nanoseconds(there)));
    }
};

HELIO_TEST(ExportWindowTest)
#include "tst_export_window.moc"
