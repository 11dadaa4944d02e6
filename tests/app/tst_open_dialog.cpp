#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/open_dialog.h"
#include "app/gui/common/remote_dialog.h"
#include "app/gui/common/settings.h"
#include "app/gui/common/trace_path.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>

using namespace helio;

namespace {

QString touch(const QTemporaryDir& folder, const QString& name)
{
    QDir(folder.path()).mkpath(QFileInfo(name).path());
    QFile file(folder.filePath(name));
    return file.open(QIODevice::WriteOnly) ? file.fileName() : QString();
}

/// Returns the paths that the dialog returns if the user selects `names` in `folder` and accepts the dialog.
QStringList chosen(const QString& folder, const QStringList& names)
{
    OpenDialog dialog("Open", nullptr);
    dialog.setDirectory(folder);
    for (const QString& name : names)
        dialog.selectFile(folder + '/' + name);
    dialog.show();
    QMetaObject::invokeMethod(&dialog, "accept");
    return dialog.traces();
}

/// Returns the folder in which the file dialog that `ask` opens starts. Chooses the file `choice` in it; cancels it if `choice` is empty.
QString startOf(const std::function<void()>& ask, const QString& choice = {})
{
    QString start;
    QTimer::singleShot(0, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            return;
        start = dialog->directory().path();
        if (!choice.isEmpty())
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(choice);
        choice.isEmpty() ? dialog->reject() : static_cast<void>(QMetaObject::invokeMethod(dialog, "accept"));
    });
    ask();
    return start;
}

} // namespace

class OpenDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("heliograph-open-test");
    }

    void aTraceIsCalledByItsFolder()
    {
        QTemporaryDir folder;
        touch(folder, "workers/metadata");
        touch(folder, "session/kernel/metadata");
        const QString workers = folder.filePath("workers");

        QCOMPARE(tracePath(workers + "/metadata"), workers);
        QCOMPARE(tracePath(workers), workers);
        QCOMPARE(tracePaths({workers + "/metadata", workers}), QStringList{workers});
        QCOMPARE(traceName(workers + "/metadata"), QStringLiteral("workers"));
        QCOMPARE(traceName(workers + "/"), QStringLiteral("workers"));
        QCOMPARE(traceName(folder.filePath("session/kernel")), QStringLiteral("session/kernel"));
        QCOMPARE(traceName("/a/perf.data"), QStringLiteral("perf.data"));
        QCOMPARE(tracePath("/a/metadata"), QStringLiteral("/a/metadata")); // The path is returned unchanged, because it does not exist.
    }

    void recentFilesNameTheFolder()
    {
        QTemporaryDir folder;
        const QString metadata = touch(folder, "workers/metadata");
        Settings settings;
        settings.clearRecent();
        settings.addRecent({metadata});
        QCOMPARE(settings.recentFiles(), QStringList{folder.filePath("workers")});
    }

    void whatWasOpenedTogetherIsOneOfThem()
    {
        QTemporaryDir folder;
        QStringList paths;
        for (const char* host : {"client", "web", "db"})
            paths << QFileInfo(touch(folder, QStringLiteral("%1/kernel/metadata").arg(host))).path();
        Settings settings;
        settings.clearRecent();
        settings.addRecent(paths);
        settings.addRecent({paths[1]});
        settings.addRecent(paths);
        QCOMPARE(settings.recentFiles(), (QStringList{paths.join('\n'), paths[1]}));
        QCOMPARE(traceNames(paths), QStringLiteral("client, web, db"));
        QCOMPARE(commonFolder(paths), folder.path());
        QCOMPARE(commonFolder({paths[0]}), folder.filePath("client"));
        settings.clearRecent();
    }

    void remoteAddressesStayAsTheyAre()
    {
        const QString address = QStringLiteral("ssh://me@db1:22/~/traces//kernel");
        QCOMPARE(absolutePath(address), address);
        QCOMPARE(traceName(QStringLiteral("ssh://db1/traces/web")), QStringLiteral("web"));
        QCOMPARE(commonFolder({QStringLiteral("ssh://db1/traces/web")}), QStringLiteral("ssh://db1/traces"));
        Settings settings;
        settings.clearRecent();
        settings.addRecent({address});
        QCOMPARE(settings.recentFiles(), QStringList{address});
        settings.clearRecent();
    }

    void remoteDialogChecksTheAddress()
    {
        RemoteDialog dialog({QStringLiteral("ssh://db1/a"), QStringLiteral("ssh://db2/b")});
        auto* const field = dialog.findChild<QComboBox*>();
        auto* const open = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
        QCOMPARE(field->count(), 2);
        QVERIFY(open->isEnabled());
        field->setEditText({});
        QVERIFY(!open->isEnabled());
        field->setEditText(QStringLiteral("db1"));
        QVERIFY(!open->isEnabled());
        field->setEditText(QStringLiteral(" db1/var/trace "));
        QVERIFY(open->isEnabled());
        QCOMPARE(dialog.address(), QStringLiteral("ssh://db1/var/trace"));
    }

    void dialogsThatOpenStartInTheFolderOfTheLastTrace()
    {
        QTemporaryDir folder;
        touch(folder, "workers/metadata");
        Settings().setOpenFolder({});
        QCOMPARE(folderToOpen(), QDir::currentPath());

        rememberOpened({folder.filePath("workers"), "/elsewhere/other"});

        QCOMPARE(OpenDialog("Open", nullptr).directory().path(), folder.path());
        QCOMPARE(startOf([] { askOpenFile(nullptr, "Open"); }), folder.path());
        QCOMPARE(startOf([] { askOpenFolder(nullptr, "Open"); }), folder.path());
        QVERIFY(folder.remove());
        QCOMPARE(folderToOpen(), QDir::currentPath());
    }

    void dialogsThatSaveStartInTheFolderOfTheLastFile()
    {
        QTemporaryDir traces, results;
        Settings().setSaveFolder({});
        rememberOpened({traces.filePath("perf.data")});
        const QString beside = traces.filePath("perf.heliograph");
        // Before a file was saved, the suggestion's folder is used, else the folder of the traces.
        QCOMPARE(startOf([&] { askSaveFile(nullptr, "Save", results.filePath("a.png"), {}); }), results.path());
        QCOMPARE(startOf([&] { askSaveFile(nullptr, "Save", "a.png", {}); }), traces.path());

        QString saved;
        startOf([&] { saved = askSaveFile(nullptr, "Save", "a.png", {}); }, results.filePath("b.png"));

        QCOMPARE(saved, results.filePath("b.png"));
        QCOMPARE(startOf([&] { askSaveFile(nullptr, "Save", "a.png", {}); }), results.path());
        QCOMPARE(startOf([&] { askSaveFile(nullptr, "Save", beside, {}); }), results.path());
        Settings().setSaveFolder({});
    }

    void foldersThatHoldTracesAreRecognised()
    {
        QTemporaryDir folder;
        touch(folder, "session/ust/uid/1000/64-bit/metadata");
        touch(folder, "rotated/archives/20260101T000000+0000-0/ust/pid/app-7-20260101-000000/metadata");
        touch(folder, "deep/1/2/3/4/5/6/7/metadata");
        touch(folder, "other/notes.txt");
        QVERIFY(containsTrace(folder.filePath("session")));
        QVERIFY(containsTrace(folder.filePath("session/ust/uid/1000/64-bit")));
        QVERIFY(containsTrace(folder.filePath("rotated")));
        QVERIFY(!containsTrace(folder.filePath("other")));
        QVERIFY(!containsTrace(folder.filePath("deep")));
        QVERIFY(!containsTrace(folder.filePath("nowhere")));
    }

    void aFolderThatIsATraceIsChosenAsItIs()
    {
        QTemporaryDir folder;
        touch(folder, "workers/metadata");
        QCOMPARE(chosen(folder.path(), {"workers"}), QStringList{folder.filePath("workers")});
    }

    void filesAreChosenToo()
    {
        QTemporaryDir folder;
        const QString a = touch(folder, "perf.data");
        QCOMPARE(chosen(folder.path(), {"perf.data"}), QStringList{a});
    }

    void anotherFolderIsWalkedInto()
    {
        QTemporaryDir folder;
        touch(folder, "other/notes.txt");
        QCOMPARE(chosen(folder.path(), {"other"}), QStringList());
    }
};

HELIO_TEST(OpenDialogTest)
#include "tst_open_dialog.moc"
