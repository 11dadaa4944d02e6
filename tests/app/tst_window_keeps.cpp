// State that a window keeps: the size of its docks, visited positions, its controls, the last session.

#include "app/gui/common/side_rail.h"
#include "core/query/rows/rows.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/palette_model.h"
#include "widgets/controls/status_bar.h"
#include "widgets/eventlist/event_list.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <new>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
const QString Sampled = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");

struct Open {
    explicit Open(QSize size = {1440, 900}, const QString& path = Sample)
    {
        isReady = test::openIn(window, {path}, size);
        QTest::qWait(50); // Processes deferred work of the window.
    }
    std::vector<DockArea*> docks()
    {
        std::vector<DockArea*> shown;
        for (auto* dock : window.docks().findChildren<DockArea*>())
            if (dock->isVisible())
                shown.push_back(dock);
        return shown;
    }
    QString said()
    {
        QStringList texts;
        for (const auto* label : window.findChild<StatusBar*>()->findChildren<QLabel*>())
            texts << label->text();
        return texts.join('\n');
    }

    test::OwnHome home;
    MainWindow window;
    bool isReady = false;
};

} // namespace

class WindowKeepsTest : public QObject {
    Q_OBJECT

private slots:
    void docksKeepTheirSizeWhateverIsInFront_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1920, 1080), QSize(1440, 900), QSize(1024, 700)}) {
            QTest::addRow("states %dx%d", size.width(), size.height()) << Sample << size;
            QTest::addRow("samples %dx%d", size.width(), size.height()) << Sampled << size;
        }
    }
    void docksKeepTheirSizeWhateverIsInFront()
    {
        QFETCH(QString, path);
        QFETCH(QSize, size);
        Open it(size, path);
        QVERIFY(it.isReady);
        QTest::qWait(1000);
        int looked = 0;
        for (DockArea* dock : it.docks()) {
            const QRect before(dock->mapTo(&it.window, QPoint()), dock->size());
            for (const QString& id : dock->pages()) {
                if (!dock->isTabShown(id))
                    continue;
                dock->setCurrent(id);
                QTest::qWait(30);
                const QRect now(dock->mapTo(&it.window, QPoint()), dock->size());
                if (now != before)
                    qWarning() << "at" << id;
                QCOMPARE(now, before);
                ++looked;
            }
        }
        QVERIFY(looked >= (it.window.docks().isNarrow() ? 4 : 7));
        QCOMPARE(it.window.size(), size);
    }

    void noWindowSizeLosesADock_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1366, 768), QSize(1920, 1080)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }
    void noWindowSizeLosesADock()
    {
        QFETCH(QSize, size);
        Open it(size);
        QVERIFY(it.isReady);
        QCOMPARE(it.window.size(), size);
        int looked = 0;
        for (DockArea* dock : it.docks()) {
            const QRect inside = it.window.rect();
            auto* tabs = dock->findChild<QTabBar*>();
            for (const QString& id : dock->pages()) {
                if (!dock->isTabShown(id))
                    continue;
                const bool isListed = dock->overflow().contains(id) && dock->overflowButton()->isVisible();
                dock->setCurrent(id);
                const QRect tab = tabs->tabRect(tabs->currentIndex());
                const QRect shown(tabs->mapTo(&it.window, tab.topLeft()), tab.size());
                QVERIFY2(inside.contains(shown) && tabs->rect().contains(tab), qPrintable(id));
                QVERIFY2(isListed || !dock->overflow().contains(id), qPrintable(id));
                QVERIFY2(it.window.docks().view(id)->isVisible(), qPrintable(id));
                ++looked;
            }
        }
        QVERIFY(looked >= (it.window.docks().isNarrow() ? 4 : 7));
        auto* rail = it.window.docks().findChild<SideRail*>();
        QCOMPARE(rail->isVisible(), it.window.docks().isNarrow());
        if (!rail->isVisible())
            return;
        int opened = 0;
        for (auto* button : rail->findChildren<QToolButton*>()) {
            QVERIFY(it.window.rect().contains(QRect(button->mapTo(&it.window, QPoint()), button->size())));
            button->click();
            QWidget* view = nullptr;
            for (const QString& id : it.window.docks().views())
                if (it.window.docks().view(id)->accessibleName() == button->accessibleName())
                    view = it.window.docks().view(id);
            QVERIFY2(view && view->isVisible() && button->isChecked(), qPrintable(button->accessibleName()));
            ++opened;
            button->click(); // The second click on the button closes the dock again.
            QVERIFY(!view->isVisible() && !button->isChecked());
        }
        QVERIFY(opened >= 3);
    }

    void viewsWithoutContentHaveATabOnlyWhenAskedFor()
    {
        Open it;
        QVERIFY(it.isReady);
        WindowDocks& docks = it.window.docks();
        const auto areas = it.docks();
        DockArea* const bottom = *std::ranges::find_if(areas, [](const DockArea* area) { return area->contains("events"); });
        QVERIFY(bottom->isTabShown("events"));
        for (const char* id : {"source", "inspector", "lock_stat", "clocks"}) {
            QVERIFY2(!bottom->isTabShown(id), id);
            QVERIFY(docks.show(id));
            QVERIFY2(bottom->isTabShown(id) && docks.view(id)->isVisible(), id);
        }
        const QJsonObject layout = docks.layoutState();
        auto* tabs = bottom->findChild<QTabBar*>();
        const int source = [&] {
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->tabData(i) == "source")
                    return i;
            return -1;
        }();
        auto* close = qobject_cast<QToolButton*>(tabs->tabButton(source, QTabBar::RightSide));
        QVERIFY(close);
        close->click();
        QVERIFY(!bottom->isTabShown("source"));
        docks.restoreLayoutState(layout);
        QVERIFY(bottom->isTabShown("source"));
    }

    void bookmarksAndMessagesOpenFromTheHeader()
    {
        Open it;
        QVERIFY(it.isReady);
        const auto counter = [&](const QString& name) -> QToolButton* {
            for (auto* button : it.window.findChildren<QToolButton*>())
                if (button->accessibleName().startsWith(name + ": "))
                    return button;
            return nullptr;
        };
        QToolButton* bookmarks = counter("Bookmarks");
        QVERIFY(bookmarks && !bookmarks->isVisible()); // The button is hidden while there are no bookmarks.
        it.window.context().bookmarks().add({it.window.context().time().full().begin, it.window.context().time().full().begin}, "here");
        QVERIFY(bookmarks->isVisible());
        QCOMPARE(bookmarks->text(), QString("1"));
        bookmarks->click();
        QWidget* view = it.window.docks().view("bookmarks");
        QVERIFY(view->isVisible());
        const QWidget* popup = view->window();
        QVERIFY(popup != &it.window);
        QVERIFY(popup->y() >= bookmarks->mapToGlobal(QPoint(0, bookmarks->height())).y());
    }

    void backLeadsToWhereAnEventOfTheListWasChosenFrom()
    {
        Open it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        const TimeRange full = time.full();
        const TimeRange before{full.begin, full.begin + full.duration() / 100};
        time.setVisible(before);
        auto* list = it.window.docks().view("events")->findChild<EventList*>();
        const quint64 last = list->pages().size() - 1;
        emit list->chosen(last);
        list->pages().want(last > 50 ? last - 50 : 0, 51);
        QTRY_VERIFY(time.cursor() > before.end);
        QVERIFY(!time.visible().overlaps(before));
        it.window.actions().at("go.back").trigger();
        QCOMPARE(time.visible(), before);
    }

    void escapeClearsTheRangeWhereverTheFocusIs()
    {
        Open it;
        QVERIFY(it.isReady);
        TimeWindow& time = it.window.context().time();
        QVERIFY(it.window.docks().views().size() > 5);
        for (const QString& id : it.window.docks().views()) {
            time.setSelection({time.full().begin, time.full().begin + time.full().duration() / 2});
            it.window.docks().show(id);
            QWidget* to = it.window.docks().view(id);
            while (to->focusProxy())
                to = to->focusProxy();
            if (to->window() != &it.window) { // This view is not in a dock but in a popup below the header, and Escape closes the popup.
                QTest::keyClick(to, Qt::Key_Escape);
                QVERIFY2(!to->isVisible(), qPrintable(id));
                continue;
            }
            QTest::keyClick(to, Qt::Key_Escape);
            QVERIFY2(time.selection().isEmpty(), qPrintable(id));
        }
    }

    void noEventIsTheCurrentOneBeforeAnythingIsChosen()
    {
        Open it;
        QVERIFY(it.isReady);
        auto* list = it.window.docks().view("events")->findChild<EventList*>();
        QTRY_VERIFY(list->pages().row(0) != nullptr);
        QTest::qWait(100);
        QVERIFY(!list->current());
        it.window.context().time().setCursor(it.window.context().time().full().begin + std::chrono::milliseconds(5));
        QTRY_VERIFY(list->current());
    }

    void thePaletteRanksWordsOverScatteredLetters_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("first");
        test::addRow("latency", "latency", "Latency");
        test::addRow("throttle", "throttle", "Latency");
        test::addRow("stat", "stat", "Statistics");
        test::addRow("events", "events", "Events");
        test::addRow("guide", "guide", "Guide");
        test::addRow("csv", ">csv", "Export table as CSV\u2026");
    }
    void thePaletteRanksWordsOverScatteredLetters()
    {
        QFETCH(QString, text);
        QFETCH(QString, first);
        Open it;
        QVERIFY(it.isReady);
        auto& box = *it.window.findChild<Omnibox*>();
        box.open(text);
        QTRY_VERIFY(box.model().item(0));
        QTRY_COMPARE(box.model().item(0)->text, first);
    }

    void aLastSessionThatCannotBeSavedIsReported()
    {
        Open it;
        QVERIFY(it.isReady);
        const QString path = Settings::lastSessionPath();
        QFile::remove(path);
        QVERIFY(QDir().mkpath(path)); // Create a folder at the path of the session file, so that the file cannot be saved.
        QFile inside(path + "/something");
        QVERIFY(inside.open(QIODevice::WriteOnly));
        const auto answer = [&](QMessageBox::StandardButton button) {
            QString text;
            QTimer::singleShot(0, &it.window, [&] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (!box)
                    return;
                text = box->text();
                box->button(button)->click();
            });
            it.window.close();
            return text;
        };
        const QString said = answer(QMessageBox::Cancel);
        QVERIFY2(said.contains("last.heliograph"), qPrintable(said));
        QVERIFY(it.window.isVisible());
        it.window.open({Sampled}); // The traces are opened although the last session could not be saved, and the window says so.
        QVERIFY2(it.said().contains("Cannot save the last session"), qPrintable(it.said()));
        QTRY_VERIFY_WITH_TIMEOUT(it.window.session().state() == Session::State::Ready, 20000);
        QVERIFY(!answer(QMessageBox::Close).isEmpty());
        QVERIFY(!it.window.isVisible());
        QDir(path).removeRecursively();
    }

    void aQueryThatRunsOutOfMemoryIsReportedAndTheWindowLives()
    {
        Open it;
        QVERIFY(it.isReady);
        LatestTask job;
        job.post([](std::stop_token) -> LatestTask::Delivery { throw std::bad_alloc(); });
        QTRY_VERIFY2(it.said().contains("Out of memory"), qPrintable(it.said()));
        QVERIFY(it.window.isVisible());
    }
};

HELIO_TEST(WindowKeepsTest)
#include "tst_window_keeps.moc"
