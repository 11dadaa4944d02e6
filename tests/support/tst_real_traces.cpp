#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

class RealTracesTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(QDir(m_folder.path()).mkpath("tiny/tiny/kernel"));
        QFile file(m_folder.filePath("tiny/tiny/kernel/metadata"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
        file.close();
        QCOMPARE(
            QProcess::execute("tar", {"--zstd", "-cf", m_folder.filePath("tiny/tiny.tar.zst"), "-C", m_folder.filePath("tiny"), "tiny"}),
            0);
        qputenv("HELIOGRAPH_TRACES", m_folder.path().toUtf8());
        qputenv("TMPDIR", m_folder.path().toUtf8());
    }

    void aCollectionIsUnpackedOnceAndFoundAgain()
    {
        const QString first = realTrace("tiny");
        const QString again = realTrace("tiny", "kernel");

        QVERIFY(QFile::exists(first + "/kernel/metadata"));
        QCOMPARE(again, first + "/kernel");
        QCOMPARE(ctfFolders(first), QStringList(again));
        QCOMPARE(realTraceCollections(), QStringList("tiny"));
    }

    void whatIsAbsentHasNoPath()
    {
        QVERIFY(realTrace("tiny", "nothing").isEmpty());
        QVERIFY(realTrace("nothing").isEmpty());
        QVERIFY(missingTrace("nothing").contains("nothing"));
    }

private:
    QTemporaryDir m_folder;
};

HELIO_TEST(RealTracesTest)
#include "tst_real_traces.moc"
