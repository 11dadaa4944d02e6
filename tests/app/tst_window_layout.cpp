// Layout of the window for each kind of recording: the layout that the settings keep for the next recording of this kind, and the layout
// that a session file keeps.

#include "core/query/rows/rows.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/dock_area.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/time_area.h"
#include "widgets/workspace/view_roles.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
const QString Sampled = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");

/// Returns the dock that contains a view.
QWidget* dockOf(QWidget* view)
{
    while (view && !qobject_cast<DockArea*>(view))
        view = view->parentWidget();
    return view;
}

/// A window with an open recording.
struct Open {
    explicit Open(const QString& path, QSize size = {1440, 900})
    {
        isReady = test::openIn(window, {path}, size);
        QTest::qWait(0); // Processes deferred work.
    }
    TimeArea& area() { return *window.findChild<TimeArea*>(); }
    TimePanel& panel(const char* id) { return *area().panel(id); }
    QString frontTab() { return window.docks().frontView(); }
    /// Height of the docks as a fraction of the common height of time panels and docks.
    double dockShare() { return double(dockOf(window.docks().view(frontTab()))->height()) / window.docks().height(); }

    MainWindow window;
    bool isReady = false;
};

QSplitter* downOf(MainWindow& window)
{
    for (auto* splitter : window.docks().findChildren<QSplitter*>())
        if (splitter->orientation() == Qt::Vertical && splitter->isAncestorOf(window.findChild<TimeArea*>()))
            return splitter;
    return nullptr;
}

QString writeFile(const QTemporaryDir& folder, const QString& name, const QByteArray& text)
{
    QFile file(folder.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
}

} // namespace

class WindowLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QSettings().clear(); }

    /// Property: text of perf script with samples opens on the flame graph, with times and without.
    void aTextWithSamplesOpensOnTheFlameGraph_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("with times") << QByteArray("app 7 [000] 1.000001: 1000 cpu-clock: \n\t 10 main+0x2 (/opt/app)\n\n");
        QTest::newRow("without times") << QByteArray("app 7 cpu-clock: \n\t 10 main+0x2 (/opt/app)\n\n");
    }
    void aTextWithSamplesOpensOnTheFlameGraph()
    {
        QFETCH(QByteArray, text);
        QTemporaryDir folder;
        Open it(writeFile(folder, "samples.txt", text));
        QVERIFY(it.isReady);
        QTRY_COMPARE(it.frontTab(), QString("flame_graph"));
        QCOMPARE(it.window.findChild<OverviewStrip*>()->isVisible(), text.contains("1.000001"));
    }

    /// Property: slices open as call stacks above a flame graph; the rows of threads, which have only events, are collapsed.
    void slicesHaveTheirCallStacksInFront()
    {
        QTemporaryDir folder;
        QByteArray slices;
        for (int i = 0; i < 40; ++i)
            slices += QByteArray(i > 0 ? "," : "") + R"({"name":"work","ph":"X","ts":)" + QByteArray::number(10 * i)
                + R"(,"dur":8,"pid":1,"tid":)" + QByteArray::number(i) + '}';
        Open it(writeFile(folder, "slices.json", '[' + slices + ']'));
        QVERIFY(it.isReady);
        QCOMPARE(it.frontTab(), QStringLiteral("flame_graph"));
        QTRY_VERIFY(it.panel("control-flow").isCollapsed());
        QVERIFY(!it.panel("call-stack").isCollapsed());
        QTRY_VERIFY(it.dockShare() < 0.45);

        it.window.open({Sample}); // Rows with states are not collapsed.
        QTRY_VERIFY_WITH_TIMEOUT(it.window.session().state() == Session::State::Ready, 20000);
        QVERIFY(!it.panel("control-flow").isCollapsed());
    }

    void aKernelTraceHasItsTimelinesInFront()
    {
        Open it(Sample);
        QVERIFY(it.isReady);
        QCOMPARE(it.frontTab(), QStringLiteral("events"));
        QTRY_VERIFY(it.dockShare() < 0.3);
    }

    /// Property: in a low window, the bottom dock keeps room for several lines, and the timelines keep at least half of the height.
    void aLowWindowLeavesTheDockItsLines()
    {
        for (const QSize size : {QSize(1280, 800), QSize(1024, 700)}) {
            Open it(Sample, size);
            QVERIFY(it.isReady);
            QTRY_VERIFY(dockOf(it.window.docks().view("events"))->height() >= 188);
            QVERIFY(it.dockShare() <= 0.5);
        }
    }

    void samplesWithoutStatesHaveTheFlameGraphInFront()
    {
        Open it(Sampled);
        QVERIFY(it.isReady);
        QCOMPARE(it.frontTab(), QStringLiteral("flame_graph"));
        QTRY_VERIFY2(it.dockShare() >= 0.6, qPrintable(QString::number(it.dockShare())));
        QVERIFY(it.area().isVisible());
        QVERIFY(it.area().panels()->height() >= 80);
    }

    void noDockIsWiderThanItsRoom_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1440, 900)}) {
            QTest::addRow("kernel, %d", size.width()) << Sample << size;
            QTest::addRow("samples, %d", size.width()) << Sampled << size;
        }
    }
    void noDockIsWiderThanItsRoom()
    {
        QFETCH(QString, path);
        QFETCH(QSize, size);
        Open it(path, size);
        QVERIFY(it.isReady);
        const auto timeline = it.window.context().timeline();
        const auto all = rows(*timeline, "threads");
        const auto thread = std::ranges::find_if(all, [](const Row& row) { return row.role == TrackRole::Thread && row.ref.isValid(); });
        if (thread != all.end())
            // Selects a thread, because some docks then show more controls and need more width.
            it.window.context().time().setRow(thread->ref);
        QStringList wide;
        for (const QString& id : it.window.docks().views()) {
            if (!it.window.docks().show(id))
                continue;
            QTest::qWait(20);
            QWidget* view = it.window.docks().view(id);
            if (view->window() != &it.window) {
                QVERIFY2(view->minimumSizeHint().width() <= view->width(), qPrintable(id));
                view->window()->close();
                continue;
            }
            auto* frame = qobject_cast<QScrollArea*>(view->parentWidget()->parentWidget());
            QVERIFY(frame);
            if (frame->horizontalScrollBar()->maximum() > 0)
                wide << QStringLiteral("%1: %2 in %3").arg(id).arg(view->minimumSizeHint().width()).arg(frame->viewport()->width());
        }
        QVERIFY2(wide.isEmpty(), qPrintable(wide.join(", ")));
    }

    void withoutTimesThereIsNoTimeline()
    {
        QTemporaryDir folder;
        Open it(writeFile(folder, "a.folded", "main;work;inner 3\nmain;rest 1\n"));
        QVERIFY(it.isReady);
        QCOMPARE(it.frontTab(), QStringLiteral("flame_graph"));
        QVERIFY(!it.area().isVisible());
        QVERIFY(!it.area().overview()->isVisible());
        QTRY_VERIFY(it.dockShare() > 0.9);

        it.window.open({Sample}); // Open a recording of another kind: the time panels and the overview must be visible again.
        QTRY_VERIFY_WITH_TIMEOUT(it.window.session().state() == Session::State::Ready, 20000);
        QVERIFY(it.area().isVisible());
        QVERIFY(it.area().overview()->isVisible());
        QCOMPARE(it.frontTab(), QStringLiteral("events"));
    }

    void theLayoutIsRememberedForItsKindAlone()
    {
        double share = 0;
        {
            Open it(Sample);
            QVERIFY(it.isReady);
            QVERIFY(it.window.docks().show("durations"));
            QSplitter* down = downOf(it.window);
            down->setSizes({500, 300});
            emit down->splitterMoved(500, 1);
            it.panel("resources").setWantedHeight(111);
            share = it.dockShare();
            it.window.close();
        }
        Open again(Sample);
        QVERIFY(again.isReady);
        QCOMPARE(again.frontTab(), QStringLiteral("durations"));
        QTRY_VERIFY(std::abs(again.dockShare() - share) < 0.02);
        QCOMPARE(again.panel("resources").wantedHeight(), std::optional(111));
        again.window.close();

        Open other(Sampled);
        QVERIFY(other.isReady);
        QTRY_VERIFY(other.dockShare() >= 0.6);
        QVERIFY(!other.panel("resources").wantedHeight());
    }

    /// Input: a dock that the user brought to the front for one recording. Property: it is in front when that recording is opened again;
    /// another recording of the kind, here a copy, opens with the main view of its kind in front and keeps the rest of the layout.
    void theFrontDockIsRememberedForItsRecordingAlone()
    {
        QTemporaryDir folder;
        const QString copy = folder.filePath("other");
        QVERIFY(QDir().mkpath(copy));
        for (const QFileInfo& file : QDir(Sample + "/kernel").entryInfoList(QDir::Files))
            QVERIFY(QFile::copy(file.filePath(), copy + '/' + file.fileName()));
        {
            Open it(Sample);
            QVERIFY(it.isReady);
            QVERIFY(it.window.docks().show("flame_graph"));
            it.window.docks().setSideShown(false);
            it.window.open({copy});
            QTRY_VERIFY_WITH_TIMEOUT(it.window.session().state() == Session::State::Ready, 20000);
            QCOMPARE(it.frontTab(), QStringLiteral("events"));
            QVERIFY(!it.window.docks().isSideShown());
            it.window.docks().show("durations");
            it.window.close();
        }
        Open again(copy);
        QVERIFY(again.isReady);
        QCOMPARE(again.frontTab(), QStringLiteral("durations"));
    }

    void aSessionKeepsPanelsFiltersAndOrder()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("a.heliograph");
        SessionState state;
        {
            Open it(Sample);
            QVERIFY(it.isReady);
            it.panel("resources").setWantedHeight(150);
            it.panel("control-flow").setCollapsed(true);
            it.window.actions().at("view.panel-resources").trigger();
            it.window.context().filter("name == \"sched_switch\"");
            it.window.docks().view("statistics")->findChild<QTreeView*>()->sortByColumn(1, Qt::AscendingOrder);
            state = it.window.sessionState();
            QVERIFY(saveSession(state, file));
            QSettings().clear();
        }
        Open again(file);
        QVERIFY(again.isReady);
        const SessionState now = again.window.sessionState();
        QCOMPARE(now.filter, QStringLiteral("name == \"sched_switch\""));
        QCOMPARE(now.layout["panelSizes"], state.layout["panelSizes"]);
        QCOMPARE(now.layout["views"], state.layout["views"]);
        QVERIFY(!again.panel("resources").isVisible());
        QVERIFY(!again.window.actions().at("view.panel-resources").isChecked());
        QVERIFY(again.panel("control-flow").isCollapsed());
    }

    void aSessionOfAFormerVersionOpens()
    {
        QTemporaryDir folder;
        const QJsonObject json{{"heliograph", 1},
                               {"traces", QJsonArray{Sample}},
                               {"filter", "sched_wakeup"},
                               {"layout", QJsonObject{{"bottom", "search"}, {"down", QJsonArray{400, 400}}, {"sideShown", false}}}};
        Open it(writeFile(folder, "old.heliograph", QJsonDocument(json).toJson()));
        QVERIFY(it.isReady);
        QVERIFY(!it.window.docks().isSideShown());
        QCOMPARE(it.window.sessionState().filter, QStringLiteral("sched_wakeup"));
        // The session file of an older version names the dock "search" as the front dock. Its content is in the Events dock now.
        QCOMPARE(it.window.docks().frontView(), QStringLiteral("events"));
        QVERIFY(it.panel("resources").isVisible());
    }

    void aThemeSwitchedInANarrowWindowHoldsWhereTheDocksMove()
    {
        Themes::instance().setTheme(Theme::Kind::Dark);
        Open it(Sample, {1100, 700});
        QVERIFY(it.isReady);
        QTRY_VERIFY(it.window.docks().isNarrow());
        it.window.context().time().setRow(rows(*it.window.context().timeline(), "control-flow").front().ref);
        it.window.docks().show("statistics"); // Shows the view once, so that its style is applied.
        it.window.docks().show("details");
        it.window.docks().show("events");
        Themes::instance().setTheme(Theme::Kind::Light);
        it.window.resize(1700, 900);
        QTRY_VERIFY(!it.window.docks().isNarrow());

        for (const char* id : {"details", "statistics"}) {
            QWidget* view = it.window.docks().view(id);
            QVERIFY(view->isVisible());
            for (QLabel* label : view->findChildren<QLabel*>()) {
                const QColor color = label->palette().color(QPalette::WindowText);
                QVERIFY2(label->text().isEmpty() || color.lightness() < 160, qPrintable(label->text()));
            }
            for (QTreeView* table : view->findChildren<QTreeView*>())
                QVERIFY2(table->viewport()->palette().color(QPalette::Base).lightness() > 128, id);
            const QImage picture = view->grab().toImage();
            QVERIFY2(picture.pixelColor(picture.width() / 2, picture.height() - 3).lightness() > 128, id);
        }
    }

    void theDesktopsFontIsFollowed()
    {
        Open it(Sample);
        QVERIFY(it.isReady);
        QLabel* label = it.window.docks().view("statistics")->findChild<QLabel*>();
        const QFont before = label->font();
        qputenv("XDG_CURRENT_DESKTOP", "one-with-a-font"); // With this variable set, Heliograph uses the desktop's font instead of its own.
        QEvent changed(QEvent::ThemeChange); // A platform theme sends ThemeChange to the windows when the desktop's fonts change.
        QApplication::sendEvent(&it.window, &changed);
        const QFont other = label->font();
        qunsetenv("XDG_CURRENT_DESKTOP");
        if (Fonts().body() == other)
            QSKIP("This machine has no other font than the desktop's");
        QVERIFY(other != before);
        QApplication::sendEvent(&it.window, &changed);
        QCOMPARE(label->font(), before);
    }

    void statisticsKeepTheirTopAndPinTheSelectedLine()
    {
        Open it(Sample);
        QVERIFY(it.isReady);
        QWidget* view = it.window.docks().view("statistics");
        auto* table = view->findChild<QTreeView*>();
        QTRY_VERIFY(table->model()->rowCount() > 5);
        const int lines = table->model()->rowCount();
        view->window()->resize(1440, 620);
        auto* pinned = table->viewport()->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(pinned);
        const QString last = table->model()->index(lines - 1, 1).data().toString();
        for (const Row& row : rows(*it.window.context().timeline(), "control-flow"))
            if (QString::number(row.tid) == last)
                it.window.context().time().setRow(row.ref);

        const TimeRange full = it.window.context().time().full();
        it.window.context().time().setVisible({full.begin, full.begin + full.duration() * 9 / 10});

        QTRY_VERIFY(!table->selectionModel()->selectedRows().isEmpty());
        QTest::qWait(100);
        QCOMPARE(table->indexAt({1, 1}).row(), 0);
        const QRect line = table->visualRect(table->selectionModel()->selectedRows().front());
        QCOMPARE(pinned->isVisible(), line.bottom() > table->viewport()->rect().bottom());
        QVERIFY2(pinned->isVisible(), "the list is to be longer than its place");
        QTest::mouseClick(pinned, Qt::LeftButton);
        QVERIFY(table->indexAt({1, 1}).row() > 0);
        QVERIFY(!pinned->isVisible());
    }

    void theGapsOfALossAreSteppedThrough()
    {
        Open it(QStringLiteral(SOURCE_DIR "/tests/fixtures/lossy-small"));
        QVERIFY(it.isReady);
        it.window.docks().show("messages");
        QLabel* links = nullptr;
        const auto find = [&] {
            for (QLabel* label : it.window.docks().view("messages")->findChildren<QLabel*>())
                if (label->text().contains("previous"))
                    links = label;
            return links != nullptr;
        };
        QTRY_VERIFY(find());
        TimeWindow& time = it.window.context().time();
        emit links->linkActivated("first");
        const TimeRange first = time.visible();
        const Timestamp at = time.cursor();
        emit links->linkActivated("next");
        QVERIFY(time.cursor() > at);
        emit links->linkActivated("previous");
        QCOMPARE(time.cursor().time_since_epoch().count(), at.time_since_epoch().count());
        QVERIFY(time.visible() == first);
        emit links->linkActivated("first");
        QVERIFY(time.visible() == first);
    }

private:
    test::OwnHome m_home;
};

HELIO_TEST(WindowLayoutTest)
#include "tst_window_layout.moc"
