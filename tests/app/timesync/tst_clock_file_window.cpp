// Display of clocks from a file, and of clocks that packets contradict.

#include "app/gui/common/window_text.h"
#include "app/gui/main_window/main_window.h"
#include "app/timesync/clock_files.h"
#include "core/timesync/host_headings.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"
#include "widgets/docks/clocks/clocks_view.h"
#include "widgets/docks/clocks/host_table.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

constexpr int Db = 1;

} // namespace

class ClockFileWindowTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Timeline> timeline() { return m_window->context().timeline(); }
    bool isStill(ClocksView* view)
    {
        return m_window->session().state() == Session::State::Ready && !m_window->session().isSettingClocks() && !view->isBusy()
            && view->hosts().clocks().size() == 2 && timeline()->clockSettings == m_window->context().clocks().choice();
    }
    /// Opens and returns the Clocks dock; nullptr if it was not ready in time.
    ClocksView* shown()
    {
        auto* view = dynamic_cast<ClocksView*>(m_window->docks().view("clocks"));
        const auto isThere = [&] {
            m_window->docks().show("clocks", false); // Shows the dock after opening, because opening a trace raises other docks.
            return isStill(view);
        };
        return QTest::qWaitFor(isThere, 60'000) ? view : nullptr;
    }
    static QString cell(ClocksView* view, int host, int column) { return view->hosts().model()->index(host, column).data().toString(); }
    static QString method(ClocksView* view)
    {
        for (const QComboBox* it : view->findChildren<QComboBox*>())
            if (it->accessibleName() == "Method")
                return it->currentText();
        return {};
    }
    static QPushButton* button(ClocksView* view, const QString& text)
    {
        const auto all = view->findChildren<QPushButton*>();
        const auto found = std::ranges::find_if(all, [&](const QPushButton* it) { return it->text() == text; });
        return found != all.end() ? *found : nullptr;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("heliograph-test");
        ExperimentOptions options;
        options.storeDirectory = m_folder.filePath("stores").toStdString();
        qputenv("XDG_CACHE_HOME", m_folder.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8());
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1600, 1000);
        m_window->setExperimentOptions(std::move(options));
        m_window->show();
        m_window->open({QString::fromStdString(test::twoHostsPath("web")), QString::fromStdString(test::twoHostsPath("db"))});
    }

    /// Property: clocks saved to a file and opened again are equal, except for their origin.
    void aFileOfWhatWasFoundSaysTheSame()
    {
        ClocksView* view = shown();
        QVERIFY(view);
        const QString sure = clockAccuracyText(*timeline());
        const QString error = cell(view, Db, HostModel::Error), word = cell(view, Db, HostModel::Method);
        QVERIFY(sure.contains("accurate to"));
        const QString path = m_folder.filePath("found.json");
        QCOMPARE(writeClocks(m_window->context(), path), QString());
        QCOMPARE(readClocks(m_window->context(), path), QString());
        QTRY_VERIFY(isStill(view) && view->residuals() && view->residuals()->isFromFile);
        QCOMPARE(clockAccuracyText(*timeline()), sure);
        QCOMPARE(clocksText(*timeline()), QString("2 clocks aligned from a file"));
        QCOMPARE(cell(view, Db, HostModel::Error), error);
        QCOMPARE(cell(view, Db, HostModel::Method), word);
        QCOMPARE(method(view), QString("From a file"));
        QCOMPARE(inaccuracyText(*timeline()), QString());
        const auto labels = view->findChildren<QLabel*>();
        QVERIFY(
            std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains("With the clock from the file, all "); }));
        button(view, "Align again")->click();
        QTRY_VERIFY(isStill(view) && view->residuals() && !view->residuals()->isOfClockOverride);
        QCOMPARE(clockAccuracyText(*timeline()), sure);
    }

    /// Property: header and status bar warn of a clock that packets contradict.
    void aClockThatPacketsContradictIsNotWell()
    {
        ClocksView* view = shown();
        QVERIFY(view);
        m_window->context().clocks().set(shifted(*timeline(), {}, Db, std::chrono::seconds(2)), "offset of db");
        QTRY_VERIFY(isStill(view) && view->residuals() && view->residuals()->isOfClockOverride);
        QVERIFY(view->residuals()->early > 0);
        const QString early = QString("%1 packets arrive before they were sent").arg(view->residuals()->early);
        QCOMPARE(clockAccuracyText(*timeline()), "2 hosts, " + early);
        QCOMPARE(inaccuracyText(*timeline()), early);
        QTRY_VERIFY(m_window->context().warnings() > 0); // The Messages dock warns, too.
        QVERIFY(hostHeadings(*timeline())[Db].isDoubtful);
        m_window->context().changes().undo();
        QTRY_VERIFY(isStill(view));
        QCOMPARE(inaccuracyText(*timeline()), QString());
    }

    void cleanupTestCase() { m_window.reset(); }
};

HELIO_TEST(ClockFileWindowTest)
#include "tst_clock_file_window.moc"
