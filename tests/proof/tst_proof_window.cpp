// Property: an analysis whose code is completely in its own folder, tests/proof/pulse, appears everywhere in the window: in panels, menus,
// palette, legend, statistics and sessions. A second instance of the analysis with another ID appears, too.

#include "app/gui/main_window/main_window.h"
#include "core/analysis/analyses.h"
#include "core/query/rows/rows.h"
#include "tests/proof/pulse/pulse.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/palette_model.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/time_area.h"

#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

struct Open {
    explicit Open(const QString& path = Sample, const ExperimentOptions& options = {})
    {
        window.setExperimentOptions(options);
        window.resize(1500, 1100);
        window.show();
        window.open({path});
        isReady = QTest::qWaitFor([this] { return window.session().state() == Session::State::Ready; }, 20000);
    }
    TimeArea& area() { return *window.findChild<TimeArea*>(); }

    MainWindow window;
    bool isReady = false;
};

bool isIn(QMenu& menu, const QString& line)
{
    for (const QAction* action : menu.actions())
        if (action->text() == line || (action->menu() && isIn(*action->menu(), line)))
            return true;
    return false;
}

bool hasColor(QWidget& widget, QColor color)
{
    const QImage picture = widget.grab().toImage();
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (picture.pixelColor(x, y) == color)
                return true;
    return false;
}

/// Lines that the palette offers for the typed text.
QStringList offered(MainWindow& window, const QString& typed)
{
    auto& box = *window.findChild<Omnibox*>();
    box.open(typed);
    QStringList lines;
    for (int i = 0; i < box.model().rowCount(); ++i)
        lines << box.model().item(i)->text;
    QTest::keyClick(&box, Qt::Key_Escape);
    return lines;
}

} // namespace

class ProofWindowTest : public QObject {
    Q_OBJECT

private slots:
    void nothingElseNamesIt()
    {
        int files = 0;
        for (const char* top : {"core", "widgets", "app", "resources", "CMakeLists.txt"})
            for (QDirIterator it(SOURCE_DIR "/" + QString(top), QDir::Files, QDirIterator::Subdirectories); it.hasNext(); ++files) {
                QFile file(it.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QByteArray text = file.readAll();
                QVERIFY2(!text.contains("\"pulse\"") && !text.contains("pulseAnalysis"), qPrintable(file.fileName()));
            }
        QVERIFY(files > 500);
        QVERIFY(Analyses::builtin()->find("pulse"));
    }

    void itsViewsHavePanelsInMenusAndThePalette()
    {
        Open it;
        QVERIFY(it.isReady);
        const auto isShown = [&](const char* id) { return it.area().panel(id) && it.area().panel(id)->isVisible(); };
        QTRY_VERIFY(isShown("pulse") && isShown("pulse-rate")); // Panels appear when their stores are read.
        TimePanel* rows = it.area().panel("pulse");
        TimePanel* curves = it.area().panel("pulse-rate");
        QCOMPARE(rows->name(), QString("Pulse"));
        QVERIFY(rows->y() < curves->y());
        QTRY_VERIFY(hasColor(*rows->body(), QColor("#12e5a7"))); // #12e5a7 is the colour of the state "beating".
        bool isInMenu = false;
        for (const QAction* menu : it.window.findChild<QMenuBar*>()->actions())
            isInMenu = isInMenu || (menu->menu() && isIn(*menu->menu(), "Pulse") && isIn(*menu->menu(), "Pulse rate"));
        QVERIFY(isInMenu);
        QTRY_VERIFY(offered(it.window, "heart").contains("Heart 0")); // The palette finds a row of the analysis.
        QVERIFY(offered(it.window, "pulse").contains("Pulse rate")); // The palette finds a panel of the analysis.
    }

    void itsStatesAreInTheLegendAndTheStatistics()
    {
        Open it;
        QVERIFY(it.isReady);
        it.window.docks().show("legend");
        const auto hasLegend = [&](const QString& words) {
            for (const QToolButton* line : it.window.docks().view("legend")->findChildren<QToolButton*>())
                if (line->text() == words)
                    return true;
            return false;
        };
        QTRY_VERIFY(hasLegend("Beating heart") && hasLegend("Resting"));

        it.window.docks().show("statistics");
        QWidget* statistics = it.window.docks().view("statistics");
        auto* choice = statistics->findChild<QComboBox*>();
        QTRY_VERIFY(choice->findText("Pulse") > 0);
        choice->setCurrentIndex(choice->findText("Pulse"));
        emit choice->activated(choice->currentIndex());
        QAbstractItemModel* table = statistics->findChild<QTreeView*>()->model();
        QTRY_VERIFY(table->rowCount() > 1 && table->index(0, 0).data().toString().startsWith("Heart "));
        QCOMPARE(table->headerData(0, Qt::Horizontal).toString(), QString("Heart"));
    }

    void aSessionKeepsItsPanels()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("kept.heliograph");
        {
            Open it;
            QVERIFY(it.isReady);
            it.window.actions().at("view.panel-pulse").trigger();
            it.area().panel("pulse-rate")->setWantedHeight(133);
            QVERIFY(!it.area().panel("pulse")->isVisible());
            QVERIFY(saveSession(it.window.sessionState(), file));
        }
        Open again(file);
        QVERIFY(again.isReady);
        QVERIFY(!again.area().panel("pulse")->isVisible());
        QCOMPARE(again.area().panel("pulse-rate")->wantedHeight(), std::optional(133));
    }

    void aSecondOneIsAddedAtRunTime()
    {
        auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
        QVERIFY(analyses->add(pulseKind("second", "Second pulse")));
        QVERIFY(!analyses->add(pulseKind("pulse", "The same id")));
        ExperimentOptions options;
        options.analyses = analyses;
        Open it(Sample, options);
        QVERIFY(it.isReady);
        for (const char* id : {"pulse", "pulse-rate", "second", "second-rate"})
            QVERIFY2(it.area().panel(id), id);
        const auto timeline = it.window.context().timeline();
        QCOMPARE(rows(*timeline, "second").size(), rows(*timeline, "pulse").size());
        QVERIFY(rows(*timeline, "second").size() > 1);

        Open without; // Without `options.analyses`, the window does not have the second analysis.
        QVERIFY(without.isReady);
        QVERIFY(!without.area().panel("second"));
    }

private:
    test::OwnHome m_cache;
};

HELIO_TEST(ProofWindowTest)
#include "tst_proof_window.moc"
