#include "app/gui/analyses/file_watch.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace helio;

namespace {

void put(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// A client of FileWatch that calls watch() again after each change, like code that reads the changed files again.
struct Watched {
    Watched(const QStringList& files, const QStringList& folders)
        : changes(&watch, &FileWatch::changed)
    {
        QObject::connect(&watch, &FileWatch::changed, &watch, [this, files, folders] { watch.watch(files, folders); });
        watch.watch(files, folders);
    }
    /// Returns true if a change was reported since the previous call, or is reported within 3 s.
    bool sees()
    {
        const bool has = !changes.isEmpty() || changes.wait(3000);
        QTest::qWait(int(FileWatch::Quiet.count()) + 50);
        changes.clear();
        return has;
    }

    FileWatch watch;
    QSignalSpy changes;
};

} // namespace

class FileWatchTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aFileThatIsWrittenReplacedRemovedAndMadeAgainIsSeen()
    {
        put(at("a"), "1");
        Watched it({at("a")}, {});
        put(at("a"), "2");
        QVERIFY(it.sees());
        for (const char* text : {"3", "4"}) {
            put(at("b"), text);
            QVERIFY(std::rename(qPrintable(at("b")), qPrintable(at("a"))) == 0);
            QVERIFY(it.sees());
        }
        QVERIFY(QFile::remove(at("a")));
        QVERIFY(it.sees());
        put(at("a"), "5");
        QVERIFY(it.sees());
        put(at("a"), "6");
        QVERIFY(it.sees());
    }

    void aFolderThatComesIsSeenAndSoIsWhatComesIntoIt()
    {
        Watched it({}, {at("one/two/three")});
        QDir().mkpath(at("one"));
        it.sees();
        QDir().mkpath(at("one/two/three"));
        QVERIFY(it.sees());
        put(at("one/two/three/a"), "1");
        QVERIFY(it.sees());
    }

    /// Property: other changes in a folder above the file, such as /tmp, are not reported.
    void whatElseHappensBesideAFileIsNoMatter()
    {
        put(at("a"), "1");
        Watched it({at("a")}, {at("later")});
        put(at("other"), "1");
        QTest::qWait(int(FileWatch::Quiet.count()) + 150);
        QCOMPARE(it.changes.count(), 0);
        put(at("a"), "2");
        QVERIFY(it.sees());
    }

    void manyChangesInARowAreOne()
    {
        put(at("a"), "0");
        Watched it({at("a")}, {});
        for (int i = 0; i < 5; ++i) {
            put(at("a"), QByteArray::number(i));
            QTest::qWait(10);
        }
        QVERIFY(it.changes.wait(3000));
        QTest::qWait(int(FileWatch::Quiet.count()) + 100);
        QVERIFY(it.changes.count() <= 2); // FileWatch merges the five changes into one report, or into two on a slow machine.
    }

private:
    QString at(const QString& name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HELIO_TEST(FileWatchTest)

#include "tst_file_watch.moc"
