// Analyses of plug-ins in the menus of windows: they are listed, enabled, disabled and forbidden.

#include "app/gui/common/plugin_notice.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/main_window/main_window.h"
#include "core/plugin/plugin_analysis.h"
#include "core/plugin/plugin_decisions.h"
#include "core/query/rows/rows.h"
#include "tests/app/analyses_menu_lines.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace fs = std::filesystem;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

/// Options with the plug-in that --plugin names.
ExperimentOptions withNamed(const char* plugin)
{
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    const auto kinds = loadPlugin(std::string(PLUGINS "/") + plugin + ".so");
    for (const auto& kind : *kinds)
        (void)analyses->add(kind);
    ExperimentOptions options;
    options.analyses = std::move(analyses);
    return options;
}

/// Options at the program's start, with the allowed plug-ins of the folders.
ExperimentOptions withAllowed()
{
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    Plugins::ofUser().loadAllowed();
    Plugins::ofUser().addTo(*analyses);
    ExperimentOptions options;
    options.analyses = std::move(analyses);
    return options;
}

void open(MainWindow& window, const ExperimentOptions& options)
{
    window.setExperimentOptions(options);
    QVERIFY(test::openIn(window));
}

void choose(const QMainWindow& window, const QString& label, const QString& text)
{
    for (QAction* action : offers(window, label))
        if (action->text() == text)
            return action->trigger();
    QFAIL(qPrintable("there is no line " + text));
}

bool hasPanel(const MainWindow& window, std::string_view view) { return window.findChild<TimeArea*>()->panel(view) != nullptr; }

} // namespace

class PluginsWindowTest : public QObject {
    Q_OBJECT

private slots:
    /// Set the plug-in folders before everything else: the process has one list of plug-ins, which reads the folders only once.
    void initTestCase()
    {
        QDir().mkpath(m_home.filePath("heliograph/plugins"));
        m_file = m_home.filePath("heliograph/plugins/measures.so");
        QVERIFY(QFile::copy(PLUGINS "/measures.so", m_file));
    }
    void init() { QSettings().clear(); }

    void oneThatWasNamedIsListedAndSwitched()
    {
        {
            MainWindow window;
            open(window, withNamed("numbers"));
            QTRY_VERIFY(hasPanel(window, "numbers"));
            QAction* its = line(window, "All numbers");
            QVERIFY(its && its->isEnabled() && its->isChecked());
            QCOMPARE(its->text().section('\t', 1), QString("plug-in (--plugin)"));
            QVERIFY2(its->toolTip().contains(PLUGINS "/numbers.so"), qPrintable(its->toolTip()));
            QCOMPARE(offersOf(window, "All numbers"), QStringList("numbers.so was loaded for this run only"));
            its->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!hasPanel(window, "numbers"), 20000);
            QVERIFY(!line(window, "All numbers")->isChecked());
        }
        MainWindow window;
        open(window, withNamed("numbers"));
        QVERIFY(!hasPanel(window, "numbers"));
        QAction* its = line(window, "All numbers");
        QVERIFY(its->isEnabled() && !its->isChecked());
        its->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(hasPanel(window, "numbers"), 20000);
    }

    void oneThatDoesNotApplyIsGreyAndSaysSo()
    {
        MainWindow window;
        window.show();
        window.setExperimentOptions(withNamed("elsewhere"));
        QVERIFY(line(window, "Elsewhere")->isEnabled()); // While no trace is open, the menu line of the plug-in's analysis is enabled.
        window.open({Sample});
        QTRY_VERIFY_WITH_TIMEOUT(window.session().state() == Session::State::Ready, 20000);
        QVERIFY(!line(window, "Elsewhere")->isEnabled());
        QVERIFY(line(window, "Elsewhere")->toolTip().contains("does not apply to the open traces"));
    }

    void oneThatWasAllowedIsForbiddenAndAllowedAgain()
    {
        QVERIFY(Plugins::ofUser().allow(m_file.toStdString()));
        MainWindow window;
        open(window, withAllowed());
        const QString label = "Measures";
        QVERIFY(line(window, label) && line(window, label)->isChecked());
        QCOMPARE(line(window, label)->text().section('\t', 1), QString("plug-in"));
        const auto runs = [&] { return window.context().timeline()->analyses->find("measures") != nullptr; };
        QVERIFY(runs());

        choose(window, label, "Forbid plug-in measures.so");

        QTRY_COMPARE(decision(), PluginDecision::Kind::Forbidden);
        QTRY_VERIFY_WITH_TIMEOUT(!runs(), 20000);
        QVERIFY(!line(window, label));
        QAction* its = line(window, "measures.so");
        QVERIFY(its && !its->isEnabled());
        QVERIFY2(its->toolTip().contains("It was forbidden"), qPrintable(its->toolTip()));
        QVERIFY(says(window, "measures.so is forbidden: it no longer runs and will not be loaded at the next start"));
        QCOMPARE(Analyses(*withAllowed().analyses).find("measures"), nullptr);

        auto* notice = window.findChild<PluginNotice*>();
        QVERIFY(notice->isHidden());
        choose(window, "measures.so", QString::fromUtf8("Allow plug-in measures.so…"));
        QVERIFY(!notice->isHidden());
        press(*notice, "Allow");
        QCOMPARE(decision(), PluginDecision::Kind::Allowed);
        QTRY_VERIFY_WITH_TIMEOUT(runs(), 20000);
        QVERIFY(line(window, label)->isChecked());
        QVERIFY(notice->isHidden());

        // Forbids the plug-in through the menu; the button "Never", which is pressed below, has the same effect.
        choose(window, label, "Forbid plug-in measures.so");
        QTRY_COMPARE(decision(), PluginDecision::Kind::Forbidden);
        choose(window, "measures.so", QString::fromUtf8("Allow plug-in measures.so…"));
        press(*notice, "Never");
        QTRY_COMPARE(decision(), PluginDecision::Kind::Forbidden);
        QVERIFY(notice->isHidden() && line(window, "measures.so"));

        QVERIFY(QFile::rename(m_file, m_file + ".away"));
        emit analyseMenu(window)->aboutToShow();
        QVERIFY(!line(window, "measures.so")); // The plug-in is not listed, because a missing file cannot be allowed.
        QVERIFY(QFile::rename(m_file + ".away", m_file));
        emit analyseMenu(window)->aboutToShow();
        QVERIFY(line(window, "measures.so"));
    }

    void oneThatRunsSaysThatItsFileIsGone()
    {
        QVERIFY(Plugins::ofUser().allow(m_file.toStdString()));
        MainWindow window;
        open(window, withAllowed());
        QVERIFY(QFile::rename(m_file, m_file + ".away"));
        emit analyseMenu(window)->aboutToShow();
        QVERIFY(line(window, "Measures"));
        QCOMPARE(line(window, "Measures")->text().section('\t', 1), QString("plug-in, file missing"));
        QVERIFY(QFile::rename(m_file + ".away", m_file));
    }

    void aComparisonListsSwitchesAndForbidsThem()
    {
        QVERIFY(Plugins::ofUser().allow(m_file.toStdString()));
        ExperimentOptions options = withAllowed();
        QTemporaryDir stores;
        options.storeDirectory = stores.path().toStdString();
        CompareWindow window;
        window.show();
        window.open(comparisonOf({Sample}, {Sample}), options);
        const auto run = [&] {
            return std::ranges::count_if(Sides, [&](Side side) {
                const auto timeline = window.context().side(side).timeline();
                return timeline && timeline->analyses->find("measures") && !timeline->analyses->isOff("measures");
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(run() == 2, 30000);
        line(window, "Measures")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(run() == 0, 30000);
        line(window, "Measures")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(run() == 2, 30000);
        choose(window, "Measures", "Forbid plug-in measures.so");
        QTRY_VERIFY_WITH_TIMEOUT(run() == 0, 30000);
        QCOMPARE(decision(), PluginDecision::Kind::Forbidden);
        QVERIFY(!line(window, "measures.so")->isEnabled());
    }

private:
    PluginDecision::Kind decision() const
    {
        const auto all = PluginDecisions(Plugins::ofUser().places().notes / "decisions").all();
        const auto its = all.find(fs::canonical(m_file.toStdString()));
        return its == all.end() ? PluginDecision::Kind::Unusable : its->second.kind;
    }
    static bool says(const MainWindow& window, const QString& text)
    {
        for (const QLabel* label : window.findChild<StatusBar*>()->findChildren<QLabel*>())
            if (label->text() == text)
                return true;
        return false;
    }
    static void press(const PluginNotice& notice, const QString& text)
    {
        for (QPushButton* button : notice.findChildren<QPushButton*>())
            if (button->text() == text && !button->isHidden())
                return button->click();
        QFAIL(qPrintable("there is no button " + text));
    }

    test::OwnHome m_home;
    QString m_file;
};

HELIO_TEST(PluginsWindowTest)

#include "tst_plugins_window.moc"
