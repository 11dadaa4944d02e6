#include "core/formats/ctf/opening/ctf_find.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

/// Makes folders with metadata of a given UUID. find() lists each trace as its path, a colon and the paths of its parts, all relative to
/// the temporary folder.
class Folders {
public:
    void add(const QString& path, const QString& uuid = {}, const QString& more = {})
    {
        const QString text =
            "/* CTF 1.8 */ trace { major = 1; " + (uuid.isEmpty() ? QString() : "uuid = \"" + uuid + "\"; ") + "byte_order = le; };";
        write(path + "/metadata", text + more);
    }
    void write(const QString& path, const QString& text)
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QFileInfo(m_folder.filePath(path)).path()));
        QFile file(m_folder.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    QStringList find(const QString& below = {}) const
    {
        QStringList found;
        for (const auto& source : ctf::findTraces(m_folder.filePath(below).toStdString())) {
            QString line = shown(source.path) + ":";
            for (const auto& part : source.parts)
                line += " " + shown(part);
            found << line;
        }
        return found;
    }

private:
    QString shown(const std::filesystem::path& path) const
    {
        const auto relative = QDir(m_folder.path()).relativeFilePath(QString::fromStdString(path.lexically_normal().string()));
        return relative.endsWith('/') ? relative.chopped(1) : relative;
    }

    QTemporaryDir m_folder;
};

const QString One = "00000000-0000-0000-0000-000000000001";
const QString Two = "00000000-0000-0000-0000-000000000002";

} // namespace

class CtfFindTest : public QObject {
    Q_OBJECT

private slots:
    void allTracesBelowAFolderAreFoundInOrder()
    {
        Folders folders;
        folders.add("session/ust/uid/1000/64-bit", Two);
        folders.add("session/kernel", One);

        QCOMPARE(folders.find(),
                 QStringList({"session/kernel: session/kernel", "session/ust/uid/1000/64-bit: session/ust/uid/1000/64-bit"}));
    }

    void aFileOfATraceStandsForAllOfIt()
    {
        Folders folders;
        folders.add("kernel", One);
        folders.write("kernel/chan_0", "x");

        QCOMPARE(folders.find("kernel/chan_0"), QStringList({"kernel: kernel"}));
        QCOMPARE(folders.find("kernel/metadata"), QStringList({"kernel: kernel"}));
    }

    void chunksWithOneUuidAreOneTrace()
    {
        Folders folders;
        folders.add("session/archives/chunk-1/kernel", One, " event { name = a; };");
        folders.add("session/archives/chunk-0/kernel", One);
        folders.add("session/archives/chunk-0/ust", Two);

        QCOMPARE(folders.find(),
                 QStringList({"session/archives: session/archives/chunk-0/kernel session/archives/chunk-1/kernel",
                              "session/archives/chunk-0/ust: session/archives/chunk-0/ust"}));
    }

    void metadataThatDoesNotContinueIsAnotherTrace()
    {
        Folders folders;
        folders.add("a", One, " event { name = a; };");
        folders.add("b", One, " event { name = b; };");

        QCOMPARE(folders.find(), QStringList({"a: a", "b: b"}));
    }

    void tracesWithoutUuidAreNotJoined()
    {
        Folders folders;
        folders.add("a");
        folders.add("b");

        QCOMPARE(folders.find(), QStringList({"a: a", "b: b"}));
    }

    void otherFilesCalledMetadataAreNoTraces()
    {
        Folders folders;
        folders.write("x/metadata", "name: something else\nversion: 1\n");
        folders.write("y/other", "c");

        QCOMPARE(folders.find(), QStringList());
        QCOMPARE(folders.find("y/other"), QStringList());
        QCOMPARE(folders.find("nowhere"), QStringList());
    }

    void laterFormatVersionsAreFoundToBeDeclinedInWords()
    {
        Folders folders;
        folders.write("x/metadata", "\x1e{\"type\":\"preamble\",\"version\":2}");

        QCOMPARE(folders.find(), QStringList({"x: x"}));
    }

    void foldersThatAreLinksAreNotFollowed()
    {
        Folders folders;
        folders.add("real", One);
        QTemporaryDir outside;
        QVERIFY(QFile::link(outside.path(), outside.filePath("loop")));

        QVERIFY(ctf::findTraces(outside.path().toStdString()).empty());
    }
};

HELIO_TEST(CtfFindTest)
#include "tst_ctf_find.moc"
