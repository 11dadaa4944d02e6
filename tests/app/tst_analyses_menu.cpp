// The Analysis menu of both windows: its texts, and the effect of its actions on the panels.

#include "app/gui/analyses/analyses_menu.h"
#include "app/gui/compare_window/compare_window.h"
#include "tests/app/analyses_menu_lines.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocument>

#include <algorithm>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
const QString Ranks = QStringLiteral(SOURCE_DIR "/tests/fixtures/ust-per-pid");

} // namespace

class AnalysesMenuTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        QSettings().clear();
        QDir(folder()).removeRecursively();
    }

    void longListsOfEventsAreShortInTipsAndWholeInTheList()
    {
        QByteArray text = analysis("first");
        const auto begin = text.indexOf("<eventHandler"), end = text.indexOf("</stateProvider>");
        const QByteArray handler = text.mid(begin, end - begin);
        text.remove(begin, end - begin);
        for (int i = 0; i < 9; ++i)
            text.insert(begin, QByteArray(handler).replace("sched_switch", "never_" + QByteArray::number(i)));
        write("mine.xml", text);
        MainWindow window;
        open(window);
        QTextDocument tip;
        tip.setHtml(line(window, "Analysis mine")->toolTip());
        const QString said = tip.toPlainText();
        QVERIFY2(said.contains("lttng enable-event -k never_8,never_7,never_6 and 6 more"), qPrintable(said));
        QVERIFY2(said.contains(QString::fromUtf8("Full list: Inspect › Analysis mine › Open inspector")), qPrintable(said));
        QVERIFY(!said.contains("never_0"));
        QVERIFY(AnalysisList::of(window.context()).find("mine")->reason.count(',') > 8);
    }

    void listsAreCutWhereTheyAreLong_data()
    {
        QTest::addColumn<QString>("reason");
        QTest::addColumn<QString>("shown");
        test::addRow("none", "it is for kernel traces", "it is for kernel traces");
        test::addRow("empty", "", "");
        test::addRow("few", "lacks a, b, c, d", "lacks a, b, c, d");
        test::addRow("many", "lacks: a, b, c, d, e", "lacks: a, b, c and 2 more");
        test::addRow("command", "with x -k a,b,c,d,e,f && x -u g", "with x -k a,b,c and 3 more && x -u g");
        test::addRow("both", "lacks a, b, c, d, e; record them with x a,b,c,d,e,f",
                     "lacks a, b, c and 2 more; record them with x a,b,c and 3 more");
    }
    void listsAreCutWhereTheyAreLong()
    {
        QFETCH(QString, reason);
        QFETCH(QString, shown);
        QCOMPARE(shortenLists(reason), shown);
    }

    void aComparisonSaysWhoseRowsAreWhatAndSwitchesThem()
    {
        write("mine.xml", analysis("first"));
        CompareWindow window;
        QTemporaryDir stores;
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        window.show();
        window.open(comparisonOf({Sample}, {Sample}), options);
        const auto panels = [&](std::string_view view) {
            std::vector<TimePanel*> found;
            for (TimeArea* area : window.findChildren<TimeArea*>())
                if (TimePanel* its = area->panel(view))
                    found.push_back(its);
            return found;
        };
        QTRY_COMPARE_WITH_TIMEOUT(panels("mine.rows").size(), std::size_t(2), 30'000);
        for (const TimePanel* its : panels("mine.rows")) {
            QTRY_VERIFY(its->isVisible() && its->header()->isVisible());
            QCOMPARE(its->header()->parentWidget(), its);
            QCOMPARE(its->header()->title(), QString("Rows of mine"));
            QCOMPARE(its->header()->toolTip(), QStringLiteral("Analysis mine, from %1/mine.xml").arg(folder()));
            QTRY_VERIFY(its->height() > its->header()->height());
        }
        for (const TimePanel* its : panels("resources"))
            QVERIFY(its->header()->isHidden());

        // The action is disabled, because neither side has the events that the analysis needs.
        QTRY_VERIFY(!line(window, "MPI states")->isEnabled());
        QVERIFY(line(window, "Analysis mine")->isChecked() && line(window, "Futex contention")->isEnabled());
        // The menu does not offer "Open inspector", because the compare window has no inspector.
        QVERIFY(offersOf(window, "Analysis mine").filter("Open inspector").isEmpty());
        emit analyseMenu(window)->aboutToShow();
        attributes(window, "Analysis mine")->trigger();
        QTRY_COMPARE(panels("mine").size(), std::size_t(2));
        emit analyseMenu(window)->aboutToShow();
        QVERIFY(attributes(window, "Analysis mine")->isChecked());
        attributes(window, "Analysis mine")->trigger();
        QTRY_COMPARE(panels("mine").size(), std::size_t(0));

        line(window, "Analysis mine")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(panels("mine.rows").size(), std::size_t(0), 30'000);
        QVERIFY(!line(window, "Analysis mine")->isChecked());
        line(window, "IRQ handling time")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(panels("irq-time-rows").size(), std::size_t(2), 30'000);
    }

    /// Input: traces without states, where the docks have most of the height. Property: a panel that the user shows is high enough.
    void panelsThatAreSwitchedOnAreHighEnough()
    {
        MainWindow window;
        open(window, Ranks);
        QVERIFY(line(window, "MPI states")->isChecked()); // It runs without being asked for, because a finder reads its rows.
        const auto* area = window.findChild<TimeArea*>();
        QTRY_VERIFY_WITH_TIMEOUT(area->panel("mpi-states-messages") && area->panel("mpi-states-rows")->naturalHeight() > 100, 20000);
        for (const char* view : {"mpi-states-rows", "mpi-states-waiting", "mpi-states-messages"}) {
            const TimePanel* panel = area->panel(view);
            QVERIFY(panel && panel->isVisible());
            QTRY_VERIFY2(panel->height() >= panel->headerHeight() + std::min(78, panel->naturalHeight() - panel->headerHeight()),
                         qPrintable(QStringLiteral("%1 %2").arg(view).arg(panel->height())));
        }
    }

private:
    QString folder() const { return m_home.filePath("heliograph/analyses"); }
    void write(const QString& name, const QByteArray& text) const
    {
        QDir().mkpath(folder());
        QFile file(folder() + '/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static void open(MainWindow& window, const QString& trace = Sample) { QVERIFY(test::openIn(window, {trace})); }

    test::OwnHome m_home;
};

HELIO_TEST(AnalysesMenuTest)

#include "tst_analyses_menu.moc"
