// What leaves a window: pictures, tables, times and commands.

#include "app/main_window/main_window.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/timegraph/time_graph.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/tracks/time_area.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QProcess>
#include <QTest>
#include <QTreeView>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

QString clipboard() { return QGuiApplication::clipboard()->text(); }

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A window with the sample open; files are saved into its folder.
struct Open {
    Open()
    {
        window.resize(1440, 900);
        window.show();
        window.open({Sample});
        isReady = QTest::qWaitFor([this] { return window.session().state() == Session::State::Ready; }, 20000);
        window.context().setAskPath(
            [this](const QString&, const QString& suggestion, const QString&) { return home.filePath(suggestion); });
        QTest::qWait(0);
    }
    void trigger(const char* id) { window.actions().at(id).trigger(); }
    void focus(const char* view)
    {
        window.docks().show(view);
        emit qApp->focusChanged(nullptr, window.docks().view(view)); // Windows without a display are never active.
    }
    TimeArea& area() { return *window.findChild<TimeArea*>(); }

    test::OwnHome home;
    MainWindow window;
    bool isReady = false;
};

} // namespace

class ExportWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aPictureShowsTheRowsAndTheTimesThatThePanelShows()
    {
        Open it;
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

    void theTableInUseIsSavedWhole()
    {
        Open it;
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
        Open it;
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

    void theCommandOfADockPrintsItsRange()
    {
        Open it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        const TimeRange full = time.full();
        it.focus("statistics");
        it.trigger("file.copy-command");
        QCOMPARE(clipboard(), QString("heliograph stats %1 --view control-flow").arg(Sample));
        const TimeRange part{full.begin + full.duration() / 4, full.begin + full.duration() / 2};
        time.setSelection(part);
        it.trigger("file.copy-command");
        const QString range = QString(" --begin %1 --end %2").arg(nanoseconds(part.begin)).arg(nanoseconds(part.end));
        QCOMPARE(clipboard(), QString("heliograph stats %1 --view control-flow").arg(Sample) + range);
        it.focus("events");
        it.window.context().filter("name == \"sched_switch\" && cpu == 1");
        it.trigger("file.copy-command");
        QCOMPARE(clipboard(), QString("heliograph events %1 --filter 'name == \"sched_switch\" && cpu == 1'").arg(Sample));
        it.focus("bookmarks");
        it.trigger("file.copy-command");
        QVERIFY(clipboard().startsWith("heliograph events")); // No command prints bookmarks: what was copied stays.
        emit qApp->focusChanged(nullptr, it.area().panels()->current()->body());
        it.trigger("file.copy-command");
        QCOMPARE(clipboard(), QString("heliograph states %1 --view %2").arg(Sample, it.area().panels()->current()->id().c_str()) + range);
    }

    void everyCommandThatIsCopiedRuns()
    {
        Open it;
        QVERIFY(it.isReady);
        const auto timeline = it.window.context().timeline();
        for (const Row& row : rows(*timeline, "control-flow"))
            if (row.tid > 0)
                it.window.context().time().setRow(row.ref);
        int ran = 0;
        for (const QString& view : it.window.docks().views()) {
            QGuiApplication::clipboard()->clear();
            it.focus(qPrintable(view));
            it.trigger("file.copy-command");
            if (clipboard().isEmpty() || view == "lock_stat") // lock_stat: no such file is open here.
                continue;
            QProcess shell;
            QString command = clipboard();
            command.replace(0, QString("heliograph").size(), HELIOGRAPH_PROGRAM);
            shell.start("sh", {"-c", command + " --quiet --store-dir " + it.home.filePath("stores")});
            QVERIFY(shell.waitForFinished(60000));
            const QByteArray problems = shell.readAllStandardError();
            // Statuses 1 and 2 are also those of a view whose events were not recorded.
            const bool isEmpty = problems.contains("were recorded") || problems.contains("there are no samples and no calls here");
            const bool isRight = shell.exitStatus() == QProcess::NormalExit && (shell.exitCode() == 0 || (shell.exitCode() <= 2 && isEmpty));
            QVERIFY2(isRight, qPrintable(view + ": " + command + "\n" + problems));
            ++ran;
        }
        QVERIFY(ran > 5);
    }

    void aCopiedTimeLeadsBackToItself()
    {
        Open it;
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
