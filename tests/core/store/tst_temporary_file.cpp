// TemporaryFile: appended bytes can be read back at any time, and the bytes of one append() are contiguous. saveFile(): a file is replaced
// completely, with its permissions, or not at all.

#include "core/store/file/temporary_file.h"
#include "core/store/store_format.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>
#include <set>

using namespace helio;

namespace {

std::vector<std::byte> allBytes(const FileBytes& contents)
{
    std::vector<std::byte> all;
    if (contents.file)
        all.assign(contents.file->bytes().begin(), contents.file->bytes().begin() + static_cast<std::ptrdiff_t>(contents.fileEnd));
    all.insert(all.end(), contents.tail.begin(), contents.tail.end());
    return all;
}

} // namespace

class TemporaryFileTest : public QObject {
    Q_OBJECT

private slots:
    void piecesOfAnySizeStayWholeAndInOrder()
    {
        const QTemporaryDir folder;
        auto file = TemporaryFile::make((folder.path() + "/kept").toStdString());
        QVERIFY(file);
        (*file)->setKept();
        std::mt19937 random(1);
        std::vector<std::byte> expected;
        std::set<std::uint64_t> ends{0};
        constexpr std::array<std::uint32_t, 6> Sizes{1, 40, 700, 5000, 70'000, 400'000};
        for (int i = 0; i < 800; ++i) {
            const std::vector<std::byte> piece(random() % Sizes[random() % Sizes.size()] + 1, static_cast<std::byte>(i));
            (*file)->append(piece);
            if (random() % 200 == 0)
                QVERIFY((*file)->flush());
            expected.insert(expected.end(), piece.begin(), piece.end());
            ends.insert(expected.size());
            if (i % 97 != 0)
                continue;
            const FileBytes contents = (*file)->contents();
            QVERIFY(!contents.file || contents.file->bytes().size() >= contents.fileEnd + format::BlockSlack);
            QVERIFY(ends.contains(contents.fileEnd));
            QCOMPARE((*file)->size(), expected.size());
            QVERIFY(allBytes(contents) == expected);
        }
        QVERIFY((*file)->commit());
        QVERIFY((*MappedFile::open((folder.path() + "/kept").toStdString()))->bytes().size() == expected.size());
    }

    void aSavedFileKeepsPermissionsAndLinks()
    {
        const QTemporaryDir folder;
        const QString path = test::writeFile(folder.filePath("real/a.txt"), "old");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
        const auto permissions = QFile::permissions(path);
        QVERIFY(QFile::link("real/a.txt", folder.filePath("link.txt")));
        test::writeFile(folder.filePath("real/a.txt.heliograph-tmp-1-0"), "of a dead process");

        QVERIFY(saveFile(folder.filePath("link.txt").toStdString(), "new"));

        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "new");
        QCOMPARE(QFile::permissions(path), permissions);
        QVERIFY(QFileInfo(folder.filePath("link.txt")).isSymLink());
        QCOMPARE(QDir(folder.filePath("real")).entryList(QDir::Files | QDir::Hidden), QStringList{"a.txt"});
        QVERIFY(saveFile(folder.filePath("b.txt").toStdString(), ""));
        QVERIFY(QFile::exists(folder.filePath("b.txt")));
    }

    void aFileThatCannotBeSavedIsNotChanged()
    {
        const QTemporaryDir folder;
        const Status inNoFolder = saveFile(folder.filePath("none/a.txt").toStdString(), "new");
        QVERIFY(!inNoFolder);
        QCOMPARE(QString::fromStdString(inNoFolder.error().what), "No such file or directory");
        QVERIFY(!QFile::exists(folder.filePath("none")));
        const Status overFolder = saveFile(folder.path().toStdString(), "new");
        QVERIFY(!overFolder);
        QCOMPARE(QString::fromStdString(overFolder.error().what), "Is a directory");
        const Status overDevice = saveFile("/dev/null", "new");
        QVERIFY(!overDevice);
        QCOMPARE(QString::fromStdString(overDevice.error().what), "Invalid argument");
    }
};

HELIO_TEST(TemporaryFileTest)
#include "tst_temporary_file.moc"
