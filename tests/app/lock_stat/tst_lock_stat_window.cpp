// A text of /proc/lock_stat in the window: alone, beside traces, and in sessions.

#include "app/gui/common/lock_stat_files.h"
#include "app/gui/main_window/main_window.h"
#include "tests/app/cli/program.h"
#include "tests/support/own_home.h"
#include "tests/support/test_program.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/docks/lock_stat/lock_stat_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <sys/stat.h>

using namespace helio;

namespace {

const QString Sample = QStringLiteral(SOURCE_DIR "/resources/samples/workers");
const QString Other = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");
const QString Text = QStringLiteral(SOURCE_DIR "/tests/fixtures/lock_stat_0.4.txt");

struct Shown {
    explicit Shown(const QStringList& paths = {})
    {
        window.resize(1440, 900);
        window.show();
        window.open(paths);
    }
    LockStatView& view() { return *static_cast<LockStatView*>(window.docks().view("lock_stat")); }
    QTreeView& table() { return *view().findChild<QTreeView*>("classes"); }
    int classes() { return view().isVisible() ? table().model()->rowCount() : -1; }
    bool hasTab()
    {
        for (const auto* dock : window.docks().findChildren<DockArea*>())
            if (dock->contains("lock_stat"))
                return dock->isTabShown("lock_stat");
        return false;
    }
    bool isReady() { return window.session().state() == Session::State::Ready; }

    MainWindow window;
};

} // namespace

class LockStatWindowTest : public QObject {
    Q_OBJECT

private slots:
    void textIsRecognizedByItsFirstLine()
    {
        QTemporaryDir folder;
        const QString pipe = folder.filePath("pipe");
        QCOMPARE(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        QStringList paths{Sample, Text, "/nonexistent", folder.path(), pipe, "/dev/zero", SOURCE_DIR "/README.md"};
        QCOMPARE(takeLockStats(paths), QStringList(Text));
        QCOMPARE(paths, QStringList({Sample, "/nonexistent", folder.path(), pipe, "/dev/zero", SOURCE_DIR "/README.md"}));
    }

    void theDockHasATabOnceItIsAskedFor()
    {
        Shown it({Sample});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 20000);
        QVERIFY(!it.hasTab());
        it.window.actions().at("view.lock_stat").trigger();
        QVERIFY(it.hasTab() && it.view().isVisible());
        QVERIFY(it.view().findChild<EmptyPage*>()->isVisible());
        it.window.actions().at("file.close").trigger();
        QVERIFY(!it.hasTab());
    }

    void textAloneFillsTheWindow()
    {
        Shown it({Text});
        QTRY_COMPARE(it.classes(), 4);
        QVERIFY(it.view().height() > 600);
        QCOMPARE(it.window.windowTitle(), "lock_stat_0.4.txt - Heliograph");
        QVERIFY(it.window.session().state() == Session::State::Empty);
        for (const char* id : {"view.zoom-in", "go.time", "analyse.search"})
            QVERIFY2(!it.window.actions().at(id).isEnabled(), id);
        for (const char* id : {"file.close", "file.reload", "file.save-session"})
            QVERIFY2(it.window.actions().at(id).isEnabled(), id);
        it.window.actions().at("file.close").trigger();
        QVERIFY(!it.view().isVisible() && !it.hasTab());
        QVERIFY(!it.window.actions().at("file.close").isEnabled());
    }

    /// Property: the text and traces can be opened in either order; opening other traces closes the text.
    void textOpensBesideTraces()
    {
        Shown it({Sample, Text});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 20000);
        QTRY_COMPARE(it.classes(), 4);
        QCOMPARE(it.window.session().paths(), QStringList(Sample));
        it.window.open({Other});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady() && it.window.session().paths() == QStringList(Other), 20000);
        QVERIFY(!it.hasTab());
        drop(it.window, {Text});
        QTRY_COMPARE(it.classes(), 4);
        QVERIFY(it.isReady());
        QCOMPARE(it.window.session().paths(), QStringList(Other));

        Shown other({Text});
        QTRY_COMPARE(other.classes(), 4);
        drop(other.window, {Sample});
        QTRY_VERIFY_WITH_TIMEOUT(other.isReady(), 20000);
        QTRY_COMPARE(other.classes(), 4);
        QVERIFY(other.view().height() < 600);
        QVERIFY(other.window.actions().at("view.zoom-in").isEnabled());
    }

    void whatIsCopiedIsWhatTheCommandPrints()
    {
        Shown it({Text});
        QTRY_COMPARE(it.classes(), 4);
        for (auto* pill : it.view().findChildren<Pill*>())
            pill->click();
        QCOMPARE(QApplication::clipboard()->text(),
                 QString::fromUtf8(heliograph({"lock-stat", Text, "--format", "csv"}).out).replace("\r\n", "\n"));
    }

    void changedTextIsReadAgain()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("lock_stat");
        write(path, whole());
        Shown it({path});
        QTRY_COMPARE(it.classes(), 4);
        write(path, whole().replace("&rq->__lock#2", "damaged"));
        it.window.actions().at("file.reload").trigger();
        QTRY_VERIFY(it.table().model()->index(3, 0).data().toString() == "damaged");
        write(path, "lock_stat version 0.4\n");
        it.window.actions().at("file.reload").trigger();
        QTRY_VERIFY(it.view().findChild<EmptyPage*>()->isVisible());
        QCOMPARE(it.view().findChild<EmptyPage*>()->accessibleDescription(),
                 path + ": missing header line, which begins with \"class name\"");
        QVERIFY(QFile::remove(path));
        it.window.actions().at("file.reload").trigger();
        QTRY_COMPARE(it.view().findChild<EmptyPage*>()->accessibleDescription(), path + ": cannot be opened");
    }

    void sessionKeepsTheText()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("some.heliograph");
        const QString text = folder.filePath("lock_stat.txt");
        write(text, whole());
        {
            Shown it({Sample, text});
            QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 20000);
            QTRY_COMPARE(it.classes(), 4);
            it.view().findChild<QLineEdit*>()->setText("mmap");
            QVERIFY(saveSession(it.window.sessionState(), path));
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll())["lockStat"].toString(), "lock_stat.txt");
        Shown it({Other});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 20000);
        it.window.open({path});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady() && it.window.session().paths() == QStringList(Sample), 20000);
        QTRY_COMPARE(it.classes(), 2);
        QCOMPARE(it.window.sessionState().lockStat, text);
        // Opening a session without a lock_stat text closes the text that is shown.
        SessionState without = it.window.sessionState();
        without.lockStat.clear();
        QVERIFY(saveSession(without, path));
        it.window.open({path});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady() && !it.hasTab(), 20000);
    }

    void sessionWithOnlyATextOpens()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("some.heliograph");
        {
            Shown it({Text});
            QTRY_COMPARE(it.classes(), 4);
            it.view().findChild<QLineEdit*>()->setText("mmap");
            QVERIFY(saveSession(it.window.sessionState(), path));
        }
        Shown it({Sample});
        QTRY_VERIFY_WITH_TIMEOUT(it.isReady(), 20000);
        it.window.open({path});
        QTRY_COMPARE(it.classes(), 2);
        QVERIFY(it.window.session().state() == Session::State::Empty && it.window.session().paths().isEmpty());
        QVERIFY(it.view().height() > 600);
    }

private:
    static QByteArray whole()
    {
        QFile file(Text);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static void write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    static void drop(MainWindow& window, const QStringList& paths)
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
    }

    test::OwnHome m_home;
};

HELIO_TEST(LockStatWindowTest)

#include "tst_lock_stat_window.moc"
