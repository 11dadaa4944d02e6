#include "core/io/archive.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <archive.h>
#include <archive_entry.h>
#include <thread>

using namespace helio;

namespace {

/// Returns a member of a tar archive as raw bytes: its header may have values that no tar program writes.
QByteArray tarMember(const QByteArray& name, const QByteArray& content, char type = '0', const QByteArray& link = {})
{
    QByteArray header(512, '\0');
    const auto put = [&](qsizetype at, const QByteArray& text) { header.replace(at, text.size(), text); };
    put(0, name);
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, QByteArray::number(content.size(), 8).rightJustified(11, '0'));
    put(136, "00000000000");
    put(148, "        ");
    header[156] = type;
    put(157, link);
    put(257, "ustar");
    put(263, "00");
    int sum = 0;
    for (const char c : header)
        sum += static_cast<unsigned char>(c);
    put(148, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0');
    return header + content + QByteArray((512 - content.size() % 512) % 512, '\0');
}

QByteArray tarOf(const QList<QByteArray>& members) { return members.join() + QByteArray(1024, '\0'); }

QByteArray contentOf(const std::filesystem::path& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

} // namespace

class ArchiveTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_cache = m_folder->filePath("cache").toStdString();
    }

    void everyKindIsUnpacked_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"tar", "tar.gz", "tar.zst", "tar.xz", "tar.bz2", "zip"})
            QTest::newRow(kind) << kind;
    }
    void everyKindIsUnpacked()
    {
        QFETCH(QString, kind);
        const QByteArray big(1'000'000, 'x');
        const auto path = makeArchive(kind, {{"trace/kernel/metadata", "text"}, {"trace/kernel/channel_0", big}, {"trace/empty", ""}});

        QVERIFY(isArchive(path));
        const auto folder = unpackArchive(path, m_cache);

        QVERIFY2(folder, folder ? "" : folder.error().what.c_str());
        QCOMPARE(contentOf(*folder / "trace/kernel/metadata"), QByteArray("text"));
        QCOMPARE(contentOf(*folder / "trace/kernel/channel_0"), big);
        QCOMPARE(contentOf(*folder / "trace/empty"), QByteArray());
        QCOMPARE(entriesInCache(), 1);
    }

    void whatIsUnpackedAlreadyIsUsedAgain()
    {
        const auto first = unpackArchive(write("a.tar", tarOf({tarMember("f", "1")})), m_cache);
        QVERIFY(first);
        QVERIFY(QFile(QString::fromStdString((*first / "mark").string())).open(QIODevice::WriteOnly));

        const auto sameContent = unpackArchive(write("b.tar", tarOf({tarMember("f", "1")})), m_cache);
        const auto other = unpackArchive(write("a.tar", tarOf({tarMember("f", "2")})), m_cache);

        QVERIFY(sameContent && other);
        QCOMPARE(*sameContent, *first);
        QVERIFY(QFile::exists(QString::fromStdString((*first / "mark").string())));
        QVERIFY(*other != *first);
    }

    void manyAtOnceEndWithOneFolder()
    {
        const auto path = makeArchive("tar.gz", {{"f", QByteArray(3'000'000, 'y')}});
        std::vector<std::filesystem::path> folders(4);
        {
            std::vector<std::jthread> threads;
            for (auto& folder : folders)
                threads.emplace_back([&] {
                    if (const auto result = unpackArchive(path, m_cache))
                        folder = *result;
                });
        }

        for (const auto& folder : folders)
            QCOMPARE(contentOf(folder / "f").size(), 3'000'000);
        QCOMPARE(entriesInCache(), 1);
    }

    void whatIsNoArchiveIsNotOne()
    {
        const auto empty = write("empty", {});
        const auto text = write("text.tar", QByteArray(2000, 'a'));
        const auto zeros = write("zeros", QByteArray(20'000, '\0'));

        for (const auto& path :
             {empty, text, zeros, m_folder->path().toStdString(), m_folder->filePath("missing").toStdString(), std::string("/dev/zero")})
            QVERIFY2(!isArchive(path), path.c_str());
        QVERIFY(!unpackArchive(text, m_cache));
        QCOMPARE(entriesInCache(), 0);
    }

    void hostileEntriesFailTheWholeArchive_data()
    {
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QByteArray>("named");
        const auto row = [](const char* what, const QByteArray& entry, const QByteArray& named) { QTest::newRow(what) << entry << named; };
        row("absolute name", tarMember("/tmp/heliograph-evil", "x"), "'/tmp/heliograph-evil'");
        row("upwards", tarMember("../evil", "x"), "'../evil'");
        row("upwards inside", tarMember("a/../../evil", "x"), "'a/../../evil'");
        row("symbolic link", tarMember("link", "", '2', "/etc/passwd"), "'link'");
        row("hard link", tarMember("link", "", '1', "good"), "'link'");
        row("character device", tarMember("null", "", '3'), "'null'");
        row("pipe", tarMember("pipe", "", '6'), "'pipe'");
        row("the same file twice", tarMember("good", "2"), "'good'");
        row("a file as a folder", tarMember("good/below", "2"), "'good/below'");
        row("a folder where a file is", tarMember("good/", "", '5'), "'good/'");
        row("deeply nested",
            tarMember(QByteArray("a/").repeated(49) + "a", "", '5') + tarMember(QByteArray("a/").repeated(49), "", '5')
                + tarMember("././@LongLink", QByteArray("b/").repeated(200) + "f" + '\0', 'L') + tarMember("b", "x"),
            "'b/b/");
    }
    void hostileEntriesFailTheWholeArchive()
    {
        QFETCH(QByteArray, entry);
        QFETCH(QByteArray, named);

        const auto folder = unpackArchive(write("evil.tar", tarOf({tarMember("good", "1"), entry})), m_cache);

        QVERIFY(!folder);
        QVERIFY2(folder.error().what.find(named.toStdString()) != std::string::npos, folder.error().what.c_str());
        QVERIFY(folder.error().what.find("evil.tar") != std::string::npos);
        QCOMPARE(entriesInCache(), 0);
        QVERIFY(!QFile::exists("/tmp/heliograph-evil"));
        QVERIFY(!QFile::exists(m_folder->filePath("evil")));
    }

    void theSizeIsBounded_data()
    {
        QTest::addColumn<int>("what");
        QTest::newRow("bytes") << 0;
        QTest::newRow("ratio") << 1;
        QTest::newRow("entries") << 2;
        QTest::newRow("a hole") << 3;
    }
    void theSizeIsBounded()
    {
        QFETCH(int, what);
        UnpackLimits limits;
        std::string path = makeArchive("tar.gz", {{"a", QByteArray(900'000, 'x')}, {"bomb", QByteArray(900'000, 'x')}});
        if (what == 0)
            limits.totalBytes = 1'000'000;
        if (what == 1)
            limits = {1 << 30, 100, 10, 1000};
        if (what == 2)
            limits.entries = 1;
        if (what == 3) { // GNU sparse file in the old format: one byte of data at offset 0, a claimed size of 2^40 bytes.
            QByteArray member = tarMember("hole", "x", 'S');
            const auto put = [&](qsizetype at, const QByteArray& text) { member.replace(at, text.size(), text); };
            put(257, QByteArray("ustar  \0", 8));
            put(386, "00000000000");
            put(398, "00000000001");
            put(410, "77777777777");
            put(422, "00000000000");
            put(483, "77777777777");
            int sum = 8 * ' ';
            for (int i = 0; i < 512; ++i)
                sum += i >= 148 && i < 156 ? 0 : static_cast<unsigned char>(member[i]);
            put(148, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0');
            path = write("hole.tar", tarOf({member}));
        }

        const auto folder = unpackArchive(path, m_cache, {}, limits);

        QVERIFY(!folder);
        QVERIFY2(folder.error().kind == Error::Kind::Full, folder.error().what.c_str());
        QCOMPARE(entriesInCache(), 0);
    }

    void aCutArchiveFailsWhereverItIsCut_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"tar", "tar.gz", "tar.zst", "tar.xz", "zip"})
            QTest::newRow(kind) << kind;
    }
    void aCutArchiveFailsWhereverItIsCut()
    {
        QFETCH(QString, kind);
        QByteArray noise(40'000, '\0');
        for (qsizetype i = 0; i < noise.size(); ++i)
            noise[i] = static_cast<char>(i * 2654435761u >> 13);
        const QByteArray whole = contentOf(makeArchive(kind, {{"noise", noise}}));

        for (int tenth = 1; tenth < 9; ++tenth) {
            const auto folder = unpackArchive(write("cut", whole.left(whole.size() * tenth / 10)), m_cache);
            if (folder)
                QCOMPARE(contentOf(*folder / "noise"), noise); // A folder with the final name exists only after unpacking is complete.
        }
    }

    void aRecordedArchiveUnpacksAsTarUnpacksIt()
    {
        HELIO_REQUIRE_TRACE(byTar, "lttng-kernel");

        const auto folder = unpackArchive(realTraceArchive("lttng-kernel").toStdString(), m_cache);

        QVERIFY2(folder, folder ? "" : folder.error().what.c_str());
        int files = 0;
        for (QDirIterator it(byTar, QDir::Files, QDirIterator::Subdirectories); it.hasNext(); ++files) {
            const QString path = it.next();
            const QString ours = QString::fromStdString((*folder / "lttng-kernel").string()) + path.mid(byTar.size());
            QVERIFY2(contentOf(ours.toStdString()) == contentOf(path.toStdString()), qPrintable(ours));
        }
        QVERIFY(files > 100);
    }

    void stoppingLeavesNothingBehind()
    {
        std::stop_source stop;
        stop.request_stop();

        const auto folder = unpackArchive(makeArchive("tar.gz", {{"f", "x"}}), m_cache, stop.get_token());

        QVERIFY(!folder);
        QCOMPARE(folder.error().kind, Error::Kind::Cancelled);
        QCOMPARE(entriesInCache(), 0);
    }

private:
    std::string write(const QString& name, const QByteArray& content)
    {
        QFile file(m_folder->filePath(name));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size()); }();
        return file.fileName().toStdString();
    }

    std::string makeArchive(const QString& kind, const QList<std::pair<QByteArray, QByteArray>>& files)
    {
        const std::string path = m_folder->filePath("made." + kind).toStdString();
        archive* out = archive_write_new();
        kind == "zip" ? archive_write_set_format_zip(out) : archive_write_set_format_pax_restricted(out);
        if (kind == "tar.gz")
            archive_write_add_filter_gzip(out);
        if (kind == "tar.zst")
            archive_write_add_filter_zstd(out);
        if (kind == "tar.xz")
            archive_write_add_filter_xz(out);
        if (kind == "tar.bz2")
            archive_write_add_filter_bzip2(out);
        archive_write_open_filename(out, path.c_str());
        for (const auto& [name, content] : files) {
            archive_entry* entry = archive_entry_new();
            archive_entry_set_pathname(entry, name.constData());
            archive_entry_set_filetype(entry, AE_IFREG);
            archive_entry_set_perm(entry, 0644);
            archive_entry_set_size(entry, content.size());
            archive_write_header(out, entry);
            archive_write_data(out, content.constData(), static_cast<std::size_t>(content.size()));
            archive_entry_free(entry);
        }
        archive_write_free(out);
        return path;
    }

    int entriesInCache() const
    {
        return static_cast<int>(
            QDir(QString::fromStdString(m_cache)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_cache;
};

HELIO_TEST(ArchiveTest)
#include "tst_archive.moc"
