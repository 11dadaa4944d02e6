// Copies of files on another machine: pieces that came are kept for the next opening, and a copy that was damaged in between is noticed.

#include "core/base/deferred_fetches.h"
#include "core/base/parallel_for.h"
#include "core/base/task_stop.h"
#include "core/io/mapped_file.h"
#include "core/remote/mirrored_file.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>

using namespace helio;

namespace {

constexpr std::uint64_t Size = 5 * PieceBytes / 2; ///< Two whole pieces and a half.

std::vector<std::byte> contentOf(std::size_t piece, std::uint64_t size)
{
    return std::vector<std::byte>(static_cast<std::size_t>(size), static_cast<std::byte>('a' + piece));
}

/// Delivers a piece at the first wait for it, or never.
class MadeFetcher final : public MirroredFile::Fetcher {
public:
    void fetch(MirroredFile& file, std::size_t first, std::size_t last) override
    {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = first; i <= last; ++i)
            if (!file.hasPiece(i))
                requested.insert(i);
    }
    bool waitFor(MirroredFile& file, std::size_t first, std::size_t last, const std::stop_token& stop) override
    {
        const std::lock_guard lock(m_mutex);
        ++waits;
        if (stop.stop_requested())
            return false;
        for (std::size_t i = first; i <= last && isConnected; ++i)
            if (requested.erase(i) > 0 && !file.put(i, contentOf(i, file.pieceSize(i))))
                return false;
        return isConnected;
    }

    std::set<std::size_t> requested;
    int waits = 0;
    bool isConnected = true;

private:
    std::mutex m_mutex;
};

} // namespace

class MirroredFileTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fetcher.emplace();
    }

    void missingBytesAreFetched()
    {
        const auto file = open();
        const auto mapped = MappedFile::open(path().toStdString(), file);
        QVERIFY(mapped);
        QCOMPARE((*mapped)->bytes().size(), std::size_t{Size});
        QVERIFY((*mapped)->require(PieceBytes - 1, 2));
        QCOMPARE(char((*mapped)->bytes()[PieceBytes - 1]), 'a');
        QCOMPARE(char((*mapped)->bytes()[PieceBytes]), 'b');
        QVERIFY(!file->mayHavePiece(2));
        QVERIFY((*mapped)->require(0, Size));
        QCOMPARE(char((*mapped)->bytes()[Size - 1]), 'c');
        QCOMPARE(m_fetcher->waits, 2);
        QVERIFY((*mapped)->require(0, Size));
        QCOMPARE(m_fetcher->waits, 2);
    }

    void unreachableBytesAreCounted()
    {
        const auto file = open();
        m_fetcher->isConnected = false;
        const auto before = PartialFile::missedCount();
        QVERIFY(!file->require(0, 1));
        QCOMPARE(PartialFile::missedCount(), before + 1);
    }

    void deferredReadsWaitTogether()
    {
        const auto file = open();
        int attempts = 0;
        const bool areThere = withFetchedBytes({}, [&] {
            ++attempts;
            const bool first = file->require(0, 1);
            const bool last = file->require(Size - 1, 1);
            return first && last;
        });
        QVERIFY(areThere);
        QCOMPARE(attempts, 2);
        m_fetcher->isConnected = false;
        QVERIFY(!withFetchedBytes({}, [&] { return file->require(PieceBytes, 1); }));
    }

    /// Property: reads that have no stop token of their own end with the task, also on the threads that it starts.
    void readsEndWithTheirTask()
    {
        const auto file = open();
        std::stop_source stop;
        stop.request_stop();
        const auto before = PartialFile::missedCount();
        {
            const TaskStop task(stop.get_token());
            std::array<bool, 4> came{};
            parallelFor(came.size(), [&](std::size_t i) { came[i] = file->require(0, 1); });
            QCOMPARE(came, (std::array<bool, 4>{}));
            {
                const TaskStop inner{std::stop_token()};
                QVERIFY(file->require(Size - 1, 1));
            }
            QVERIFY(!file->require(0, 1));
            QVERIFY(file->require(0, 1, std::stop_source().get_token())); // Its own token counts.
        }
        QCOMPARE(PartialFile::missedCount(), before);
    }

    void piecesAreKept()
    {
        {
            const auto file = open();
            QVERIFY(file->require(PieceBytes, 1));
            file->save();
        }
        m_fetcher->isConnected = false;
        const auto file = open();
        QVERIFY(file->require(PieceBytes, PieceBytes));
        QVERIFY(!file->require(0, 1));
    }

    void withoutSavingPiecesAreFetchedAgain()
    {
        QVERIFY(open()->require(PieceBytes, 1));
        m_fetcher->isConnected = false;
        QVERIFY(!open()->require(PieceBytes, 1));
    }

    void damagedPiecesAreFetchedAgain_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("at");
        QTest::newRow("content") << "" << int(PieceBytes) + 7;
        QTest::newRow("hash") << ".pieces" << 20;
        QTest::newRow("magic of the hashes") << ".pieces" << 0;
        QTest::newRow("size in the hashes") << ".pieces" << 8;
    }
    void damagedPiecesAreFetchedAgain()
    {
        QFETCH(QString, file);
        QFETCH(int, at);
        {
            const auto copy = open();
            QVERIFY(copy->require(0, Size));
            copy->save();
        }
        QFile changed(path() + file);
        QVERIFY(changed.open(QIODevice::ReadWrite) && changed.seek(at));
        const char before = changed.peek(1)[0];
        changed.write(QByteArray(1, char(~before)));
        changed.close();

        const auto copy = open();
        const auto mapped = MappedFile::open(path().toStdString(), copy);
        QVERIFY(mapped && (*mapped)->require(0, Size));
        for (std::size_t i = 0; i < copy->pieceCount(); ++i)
            QCOMPARE(std::memcmp((*mapped)->bytes().data() + i * PieceBytes, contentOf(i, copy->pieceSize(i)).data(), copy->pieceSize(i)),
                     0);
        QVERIFY(m_fetcher->waits > 1);
    }

    void aFileOfAnotherSizeBeginsAnew()
    {
        {
            const auto copy = open();
            QVERIFY(copy->require(0, Size));
            copy->save();
        }
        m_fetcher->isConnected = false;
        const auto other = MirroredFile::open(path().toStdString(), Size + 1, *m_fetcher);
        QVERIFY(other);
        QVERIFY(!(*other)->require(0, 1));
        QCOMPARE(QFileInfo(path()).size(), qint64(Size + 1));
    }

    void piecesOfAnotherSizeAreRefused()
    {
        const auto file = open();
        for (const std::uint64_t size : {std::uint64_t{0}, PieceBytes - 1, PieceBytes + 1})
            QVERIFY(!file->put(0, contentOf(0, size)));
        QVERIFY(!file->put(2, contentOf(2, PieceBytes)));
        QVERIFY(!file->put(3, contentOf(3, 1)));
        QVERIFY(!file->mayHavePiece(0));
    }

    /// Property: a copy is never written through a link that another user may have put there.
    void linksAreNotFollowed()
    {
        const QString victim = m_folder->filePath("victim");
        test::writeFile(victim, "precious");
        QVERIFY(QFile::link(victim, path()));
        QVERIFY(!MirroredFile::open(path().toStdString(), Size, *m_fetcher));
        QCOMPARE(QFileInfo(victim).size(), 8);
    }

private:
    QString path() const { return m_folder->filePath("copy"); }
    std::shared_ptr<MirroredFile> open()
    {
        auto file = MirroredFile::open(path().toStdString(), Size, *m_fetcher);
        return file ? *file : nullptr;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::optional<MadeFetcher> m_fetcher;
};

HELIO_TEST(MirroredFileTest)
#include "tst_mirrored_file.moc"
