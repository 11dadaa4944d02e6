#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/window_frame.h"
#include "core/query/rows/rows.h"
#include "tests/support/test_program.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_panel.h"
#include "widgets/timeline/overview/overview_strip.h"

#include <QApplication>
#include <QLabel>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

using namespace helio;

namespace {

const QString sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");

/// A minimal window with an ExperimentPane, instead of a MainWindow or a CompareWindow.
struct SmallWindow {
    explicit SmallWindow(const QString& letter = {})
        : pane(window, status, letter)
    {
        makeVerticalLayout(&window)->addWidget(&pane.area());
        pane.showTimes();
    }
    void open(const QString& path = sample)
    {
        ExperimentOptions options;
        options.storeDirectory = cache.path().toStdString();
        pane.session().open({path}, options);
    }
    bool isReady() { return pane.session().state() == Session::State::Ready; }
    bool says(const QString& text) const
    {
        const auto labels = status.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
    }

    QTemporaryDir cache;
    QWidget window;
    StatusBar status;
    ExperimentPane pane;
};

} // namespace

class ExperimentPaneTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void theStatusBarShowsItsTimes()
    {
        SmallWindow it;
        QVERIFY(it.says(QStringLiteral("\u2013"))); // The status bar shows a dash while no trace is open.
        it.open();
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        const TimeRange full = it.pane.time().full();
        QVERIFY(it.says(durationText(full.duration())));
        QVERIFY(!it.says("123 ns"));

        it.pane.time().setSelection({full.begin, full.begin + Duration(123)});

        QVERIFY(it.says("123 ns"));
    }

    void theStatusBarSaysWhatItsPartsRemark()
    {
        SmallWindow it;
        it.pane.navigator().stepEvent(true);
        QVERIFY(it.says("No row is selected"));
        it.pane.context().say("Copied");
        QVERIFY(it.says("Copied"));
    }

    void whatIsUnderWayIsSaidWithItsLetter()
    {
        SmallWindow it("B");
        QVERIFY(!it.pane.showProgress());
        it.open();
        QVERIFY(it.pane.isBeingRead());
        QVERIFY(it.pane.showProgress());
        QVERIFY(it.says("Opening B"));
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QVERIFY(!it.pane.showProgress());
    }

    /// Property: once all traces are read, a correlator makes the rows of sampled stacks, which no trace contains. Afterwards, no work is
    /// running.
    void rowsThatNoTraceHasAreMadeOnceAllIsRead()
    {
        SmallWindow it;
        it.open(QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data"));
        const auto hasStacks = [&] {
            const auto timeline = it.pane.context().timeline();
            return timeline && std::ranges::any_of(rows(*timeline, "sampled-stacks"), [](const Row& row) { return row.ref.isValid(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasStacks(), 60'000);
        QVERIFY(it.isReady());
        QVERIFY(!it.pane.session().isMakingRows());
        QVERIFY(!it.pane.showProgress());
        const TimePanel* const panel = it.pane.area().panel("sampled-stacks");
        QTRY_VERIFY_WITH_TIMEOUT(panel->naturalHeight() > 100, 60'000);

        // Property: in a low window, the panel of sampled stacks, which needs much height, gets more than half of the area's height.
        it.window.resize(900, 360);
        it.window.show();
        QTRY_VERIFY2(panel->height() > panel->parentWidget()->height() / 2,
                     qPrintable(QString("%1 of %2").arg(panel->height()).arg(panel->parentWidget()->height())));
    }

    void whoeverStopsInTheStatusBarStopsIt()
    {
        SmallWindow it;
        it.open();
        QVERIFY(it.pane.showProgress());
        it.status.cancelWork();
        QCOMPARE(it.pane.session().state(), Session::State::Empty);
        QVERIFY(!it.pane.isBeingRead());
    }

    void theRowsGetTheKeys()
    {
        SmallWindow it;
        it.open();
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 60'000);
        QWidget field(&it.window);
        it.window.show();
        QApplication::setActiveWindow(&it.window);
        field.setFocus();
        QVERIFY(!it.pane.hasFocus());
        it.pane.context().focusRows(); // A view calls focusRows() after it has selected a row, for example through a link.
        QVERIFY(it.pane.hasFocus());
    }

    void theOverviewMayGoBeforeThePanels()
    {
        SmallWindow it;
        {
            QWidget above;
            makeVerticalLayout(&above)->addWidget(it.pane.area().overview());
        }
        QVERIFY(!it.pane.area().overview());
    }
};

HELIO_TEST(ExperimentPaneTest)
#include "tst_experiment_pane.moc"
