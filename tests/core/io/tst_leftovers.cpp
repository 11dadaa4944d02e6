// Temporary folders: those of dead processes are removed, those of living ones stay.

#include "core/io/leftovers.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>

using namespace helio;

namespace {

QStringList entries(const QTemporaryDir& folder)
{
    return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

class LeftoversTest : public QObject {
    Q_OBJECT

private slots:
    void foldersOfDeadProcessesAreRemoved()
    {
        const QTemporaryDir parent;
        test::writeFile(parent.filePath(".tmp-aB3xyz/a/b"), "left");
        test::writeFile(parent.filePath(".tmp-notes/a"), "another name");
        test::writeFile(parent.filePath(".tmp-aB3xy-/a"), "another name");
        test::writeFile(parent.filePath("x.tmp-aB3xyz/a"), "another name");
        const TemporaryFolder folder(parent.path().toStdString(), ".tmp-");
        QVERIFY(folder.isMade());
        QStringList expected{".tmp-aB3xy-", ".tmp-notes", "x.tmp-aB3xyz", QString::fromStdString(folder.path().filename().string())};
        expected.sort();
        QStringList present = entries(parent);
        present.sort();
        QCOMPARE(present, expected);
    }

    void foldersInUseStay()
    {
        const QTemporaryDir parent;
        {
            const TemporaryFolder first(parent.path().toStdString(), ".tmp-");
            const TemporaryFolder second(parent.path().toStdString(), ".tmp-");
            QVERIFY(first.isMade() && second.isMade());
            QVERIFY(first.path() != second.path());
            QVERIFY(QDir(QString::fromStdString(first.path().string())).exists());
            test::writeFile(QString::fromStdString((second.path() / "a").string()), "content");
        }
        QVERIFY(entries(parent).isEmpty());
    }

    void renamedFoldersStay()
    {
        const QTemporaryDir parent;
        {
            TemporaryFolder folder(parent.path().toStdString(), ".tmp-");
            QVERIFY(!folder.renameTo(parent.filePath("none/kept").toStdString()));
            QVERIFY(folder.renameTo(parent.filePath("kept").toStdString()));
            const TemporaryFolder other(parent.path().toStdString(), ".tmp-");
        }
        QCOMPARE(entries(parent), QStringList{"kept"});
    }

    void aFolderWithoutParentIsNotMade()
    {
        const TemporaryFolder folder("/no/such/folder", ".tmp-");
        QCOMPARE(errno, ENOENT);
        QVERIFY(!folder.isMade());
    }
};

HELIO_TEST(LeftoversTest)
#include "tst_leftovers.moc"
