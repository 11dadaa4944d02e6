// Analysis files in the window: running, enabling, disabling and editing them, and their errors.

#include "app/gui/analyses/analysis_file_actions.h"
#include "app/gui/compare_window/compare_window.h"
#include "core/query/rows/rows.h"
#include "core/xml_analysis/catalog.h"
#include "tests/app/analyses_menu_lines.h"
#include "tests/support/files.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/rows_panel.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/analysis_list.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

} // namespace

class AnalysesWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("EDITOR", "true");
        qputenv("VISUAL", "gedit-that-is-not-there");
    }
    void init()
    {
        QSettings().clear();
        m_data = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_data->path().toUtf8());
        m_folder = m_data->filePath("heliograph/analyses");
    }

    void anAnalysisOfThePersonHasItsPanelAndNoneOfItsAttributes()
    {
        write("mine.xml", analysis("first"));
        MainWindow window;
        open(window);
        QTRY_VERIFY(hasRow(window, "mine.rows", "first"));
        QVERIFY(!panel(window, "mine"));

        window.actions().menu("Analysis")->aboutToShow();
        attributes(window, "Analysis mine")->trigger();
        QTRY_VERIFY(hasRow(window, "mine", "first"));

        window.actions().menu("Analysis")->aboutToShow();
        QVERIFY(attributes(window, "Analysis mine")->isChecked());
        attributes(window, "Analysis mine")->trigger();
        QTRY_VERIFY(!panel(window, "mine"));
    }

    void aFileThatChangesRunsAgainAndTheWindowKeepsItsPlace()
    {
        write("mine.xml", analysis("first"));
        MainWindow window;
        open(window);
        QTRY_VERIFY(hasRow(window, "mine.rows", "first"));
        TimeWindow& time = window.context().time();
        const TimeRange full = time.full();
        const TimeRange visible{full.begin + full.duration() / 4, full.begin + full.duration() / 2};
        time.setVisible(visible);
        time.setSelection({visible.begin + Duration(10), visible.begin + Duration(1000)});
        time.setCursor(visible.begin + Duration(500));
        const auto threads = rows(*window.context().timeline(), "control-flow");
        const auto row = std::ranges::find_if(threads, [](const Row& it) { return it.ref.isValid(); });
        time.setRow(row->ref);
        const TimePanel* kept = panel(window, "control-flow");

        write("mine.xml", analysis("second"));

        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "second"), 20000);
        QTRY_VERIFY(!hasRow(window, "mine.rows", "first"));
        QVERIFY(time.visible() == visible);
        QVERIFY(time.selection() == (TimeRange{visible.begin + Duration(10), visible.begin + Duration(1000)}));
        QVERIFY(time.cursor() == visible.begin + Duration(500));
        QVERIFY(time.row() == row->ref);
        QCOMPARE(panel(window, "control-flow"), kept);
    }

    /// Property: the selected row stays selected when its analysis runs again, even if it gets another track id.
    void theSelectedRowOfAnAnalysisThatRunsAgainStaysSelected()
    {
        write("mine.xml", analysis("wanted"));
        MainWindow window;
        open(window);
        QTRY_VERIFY(hasRow(window, "mine.rows", "wanted"));
        window.context().time().setRow(rowOf(window, "mine.rows", "wanted"));

        QByteArray text = analysis("another");
        const auto end = text.indexOf("</stateProvider>");
        const QByteArray more = analysis("wanted");
        const auto from = more.indexOf("<eventHandler");
        text.insert(end, more.mid(from, more.indexOf("</stateProvider>") - from));
        write("mine.xml", text);

        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "another") && hasRow(window, "mine.rows", "wanted"), 20000);
        QTRY_COMPARE(window.context().time().row(), rowOf(window, "mine.rows", "wanted"));
    }

    void anErrorIsSaidWithItsPlaceAndTheFormerVersionStays()
    {
        const QString path = write("mine.xml", analysis("first"));
        MainWindow window;
        open(window);
        QTRY_VERIFY(hasRow(window, "mine.rows", "first"));
        auto* notice = window.findChild<NoticeBar*>();
        QVERIFY(notice->isHidden());

        write("mine.xml", analysis("second").replace("<stateValue ", "<stateVelue "));

        QTRY_VERIFY_WITH_TIMEOUT(!notice->isHidden(), 20000);
        QVERIFY2(notice->text().startsWith(path + ":5:"), qPrintable(notice->text()));
        QVERIFY(notice->text().contains("stateVelue"));
        QVERIFY(window.context().errors() > 0);
        QTest::qWait(300); // Wait, because the rows of the last valid version of the file must stay visible.
        QVERIFY(hasRow(window, "mine.rows", "first"));

        write("mine.xml", analysis("second"));

        QTRY_VERIFY_WITH_TIMEOUT(notice->isHidden(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "second"), 20000);
        QTRY_COMPARE(window.context().errors(), 0);
    }

    /// Input: a file that is replaced by another file, as most editors save.
    void aFileThatIsReplacedByAnotherIsRead()
    {
        write("mine.xml", analysis("first"));
        MainWindow window;
        open(window);
        QTRY_VERIFY(hasRow(window, "mine.rows", "first"));
        for (const char* value : {"second", "third"}) {
            const QString made = write(".mine.xml.swp", analysis(value));
            QVERIFY(std::rename(qPrintable(made), qPrintable(m_folder + "/mine.xml")) == 0);
            QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", value), 20000);
        }
        QVERIFY(QFile::remove(m_folder + "/mine.xml"));
        QTRY_VERIFY_WITH_TIMEOUT(!panel(window, "mine.rows"), 20000);
    }

    void aFileThatComesIsAnAnalysis()
    {
        MainWindow window;
        open(window);
        QVERIFY(!panel(window, "mine.rows"));
        write("mine.xml", analysis("first"));
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "first"), 20000);
        write("other.xml", analysis("first", "other"));
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "other.rows", "first"), 20000);
        QVERIFY(hasRow(window, "mine.rows", "first"));
    }

    void whatIsSwitchedOffStaysOffInTheNextWindow()
    {
        write("mine.xml", analysis("first"));
        {
            MainWindow window;
            open(window);
            QTRY_VERIFY(hasRow(window, "mine.rows", "first"));
            line(window, "Analysis mine")->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!panel(window, "mine.rows"), 20000);
        }
        MainWindow window;
        open(window);
        QVERIFY(!panel(window, "mine.rows"));
        QVERIFY(!line(window, "Analysis mine")->isChecked());
        line(window, "Analysis mine")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "first"), 20000);
    }

    void aBuiltInOneRunsOnceItIsSwitchedOn()
    {
        MainWindow window;
        open(window);
        QVERIFY(!panel(window, "irq-time-rows"));
        QAction* action = line(window, "IRQ handling time");
        QVERIFY(action && action->isEnabled() && !action->isChecked());
        action->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(panel(window, "irq-time-rows"), 20000);
        QVERIFY(line(window, "IRQ handling time")->isChecked());
    }

    void whatIsSwitchedOnBelongsToTheRecording()
    {
        const QString other = m_data->filePath("other");
        test::copyTree(Sample, other);
        {
            MainWindow window;
            open(window);
            line(window, "IRQ handling time")->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(panel(window, "irq-time-rows"), 20000);
            open(window, other);
            QVERIFY(!line(window, "IRQ handling time")->isChecked());
            QTRY_VERIFY(!panel(window, "irq-time-rows"));
        }
        MainWindow window;
        open(window, other);
        QVERIFY(!line(window, "IRQ handling time")->isChecked());
        open(window);
        QTRY_VERIFY(line(window, "IRQ handling time")->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(panel(window, "irq-time-rows"), 20000);
    }

    void attributesThatAreShownBelongToTheRecording()
    {
        write("mine.xml", analysis("first"));
        const QString other = m_data->filePath("other");
        test::copyTree(Sample, other);
        MainWindow window;
        open(window);
        window.actions().menu("Analysis")->aboutToShow();
        attributes(window, "Analysis mine")->trigger();
        QTRY_VERIFY(hasRow(window, "mine", "first"));
        open(window, other);
        QTRY_VERIFY(hasRow(window, "mine.rows", "first")); // After another trace was opened, the user's analysis runs on this trace, too.
        QVERIFY(!panel(window, "mine"));
    }

    void aSessionKeepsWhatIsSwitchedOn()
    {
        const QString session = m_data->filePath("kept.heliograph");
        {
            MainWindow window;
            open(window);
            line(window, "IRQ handling time")->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(panel(window, "irq-time-rows"), 20000);
            QVERIFY(saveSession(window.sessionState(), session));
        }
        QSettings().clear(); // Simulates another machine, without settings.
        MainWindow window;
        open(window, session);
        QVERIFY(line(window, "IRQ handling time")->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(panel(window, "irq-time-rows"), 20000);
    }

    void aComparisonRunsWhatIsSwitchedOnForItsSides()
    {
        const QString file = m_data->filePath("compared.heliograph");
        {
            MainWindow window;
            open(window);
            line(window, "IRQ handling time")->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(panel(window, "irq-time-rows"), 20000);
        }
        const auto runs = [](CompareWindow& window) {
            return std::ranges::all_of(Sides, [&](Side side) {
                const auto timeline = (side == Side::A ? window.context().a() : window.context().b()).timeline();
                return timeline && !rows(*timeline, "irq-time-rows").empty();
            });
        };
        {
            CompareWindow window;
            window.open(comparisonOf({Sample}, {Sample}), {});
            QTRY_VERIFY_WITH_TIMEOUT(runs(window), 20000);
            QVERIFY(saveComparison(window.comparison(), file));
        }
        QSettings().clear(); // Simulates another machine, without settings.
        CompareWindow window;
        window.open(*loadComparison(file), {});
        QTRY_VERIFY_WITH_TIMEOUT(runs(window), 20000);
    }

    void oneThatDoesNotApplyIsGreyAndSaysHowToRecord()
    {
        write("mine.xml", analysis("first").replace("sched_switch", "never_recorded"));
        MainWindow window;
        open(window);
        QAction* action = line(window, "Analysis mine");
        QVERIFY(action && !action->isEnabled());
        QVERIFY2(action->toolTip().contains("lttng enable-event -k never_recorded"), qPrintable(action->toolTip()));
        QVERIFY(Qt::mightBeRichText(action->toolTip())); // The tooltip is rich text, so that its lines are wrapped.
    }

    void aFileThatIsLoadedRunsWhateverTheTrace()
    {
        const QString path = m_data->filePath("given.xml");
        test::writeFile(path, analysis("first"));
        MainWindow window;
        window.loadAnalyses({path.toStdString()});
        open(window);
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "first"), 20000);
        test::writeFile(path, analysis("second"));
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "second"), 20000);
    }

    void oneOfAllTracesTogetherRunsAndIsCounted()
    {
        const auto ofAll = [](const QByteArray& value) {
            return analysis(value).replace("<head><label value=\"Analysis",
                                           "<head><traceType id=\"my.experiment\"/><label value=\"Analysis");
        };
        write("mine.xml", ofAll("first"));
        MainWindow window;
        open(window);
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "first"), 20000);
        QVERIFY(line(window, "Analysis mine")->isEnabled());
        const auto trial = AnalysisList::of(window.context()).trial()(*window.context().timeline(), "mine", 0, {});
        QVERIFY(trial && trial->rules.size() == 1 && trial->rules[0].fired > 100);
        QCOMPARE(trial->times.size(), std::size_t(trial->rules[0].fired));
        QVERIFY(window.context().time().full().contains(trial->times.front()));

        write("mine.xml", ofAll("second"));
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "mine.rows", "second"), 20000);
    }

    void aNewAnalysisRunsAtOnce()
    {
        MainWindow window;
        open(window);
        window.analysisFileActions().write("waits-1");
        QVERIFY(QFile::exists(m_folder + "/waits-1.xml"));
        QTRY_VERIFY_WITH_TIMEOUT(hasRow(window, "waits-1.rows", "CPU 0"), 20000);
        const AnalysisEntry* entry = AnalysisList::of(window.context()).find("waits-1.stays");
        QVERIFY(entry && entry->isOn && entry->applies);
        QVERIFY(window.findChild<NoticeBar*>()->isHidden());
    }

    void aViewThatFoundNothingKeepsItsPanel()
    {
        write("mine.xml", analysis("first").replace("Things/*", "Others/*"));
        MainWindow window;
        open(window);
        QTRY_VERIFY(panel(window, "mine.rows"));
        QTRY_VERIFY(panel(window, "mine.rows")->emptyTextHeight() > 0);
        QTest::qWait(200);
        QVERIFY(!panel(window, "mine.rows")->isVacant() && !panel(window, "mine.rows")->isHidden());
        // A panel that shows only a text is only as high as the text.
        QVERIFY(panel(window, "mine.rows")->height() < panel(window, "control-flow")->height());

        write("mine.xml", analysis("first"));
        QTRY_VERIFY(hasRow(window, "mine.rows", "first"));
    }

    void aComparisonRunsAnEditedFileAgainOnBothSides()
    {
        write("mine.xml", analysis("first"));
        CompareWindow window;
        QTemporaryDir stores;
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        window.show();
        window.open(comparisonOf({Sample}, {Sample}), options);
        const auto has = [&](const char* name) {
            return std::ranges::all_of(Sides, [&](Side side) {
                const auto timeline = window.context().side(side).timeline();
                return timeline && std::ranges::count(rows(*timeline, "mine.rows"), std::string(name), &Row::label) == 1;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(has("first"), 30'000);

        write("mine.xml", analysis("second"));
        QTRY_VERIFY_WITH_TIMEOUT(has("second") && !has("first"), 30'000);

        write("mine.xml", "<tmfxml>\n<stateProvider id=\"mine\"/>\n</tmfxml>\n");
        auto* notice = window.findChild<NoticeBar*>();
        QTRY_VERIFY(notice->text().contains("mine.xml:2:"));
        QVERIFY(notice->isVisible());
        QTRY_VERIFY(window.context().a().errors() > 0);
        QVERIFY(has("second"));
        emit notice->linkActivated("inspect"); // The link shows a hint instead of the inspector, which this window does not have.
        QVERIFY(std::ranges::any_of(window.findChildren<QLabel*>(), [](QLabel* it) { return it->text().contains("analysis inspector"); }));

        write("mine.xml", analysis("third"));
        QTRY_VERIFY_WITH_TIMEOUT(has("third"), 30'000);
        QVERIFY(notice->text().isEmpty() && !notice->isVisible());
        QTRY_VERIFY(window.context().a().errors() == 0);
    }

    /// Property: a comparison also runs the analyses that the user named on the command line.
    void aComparisonHasTheAnalysesThatWereNamed()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("named.xml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(analysis("given", "named"));
        file.close();
        CompareWindow window;
        window.loadAnalyses({file.fileName().toStdString()});
        ExperimentOptions options;
        options.storeDirectory = folder.path().toStdString();
        window.show();
        window.open(comparisonOf({Sample}, {Sample}), options);
        QTRY_VERIFY_WITH_TIMEOUT(window.context().b().timeline() && rows(*window.context().b().timeline(), "named.rows").size() == 1,
                                 30'000);
    }

private:
    QString write(const QString& name, const QByteArray& text) { return test::writeFile(m_folder + '/' + name, text); }
    static void open(MainWindow& window, const QString& path = Sample) { QVERIFY(test::openIn(window, {path})); }
    static TimePanel* panel(MainWindow& window, std::string_view id) { return window.findChild<TimeArea*>()->panel(id); }
    static TrackRef rowOf(MainWindow& window, std::string_view view, std::string_view label)
    {
        const auto timeline = window.context().timeline();
        for (const Row& row : timeline ? rows(*timeline, view) : std::vector<Row>())
            if (row.label == label)
                return row.ref;
        return {};
    }
    /// True if the row is in the timeline and in its panel.
    static bool hasRow(MainWindow& window, std::string_view view, std::string_view label)
    {
        const auto* shown = qobject_cast<TrackPanel*>(panel(window, view));
        const TrackRef row = rowOf(window, view, label);
        return shown && row.isValid() && shown->has(row);
    }

    test::OwnHome m_home;
    std::unique_ptr<QTemporaryDir> m_data;
    QString m_folder;
};

HELIO_TEST(AnalysesWindowTest)

#include "tst_analyses_window.moc"
