// BlockQueue: blocks are written in the order in which they were added, whichever thread encodes them.

#include "core/store/intervals/block_queue.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <new>
#include <random>

using namespace helio;

namespace {

constexpr std::size_t Blocks = 6000; ///< Many times the number of blocks that the queue can hold.

BlockWriter::Files filesIn(const QTemporaryDir& folder, std::stop_token stop = {}, std::function<void(const Error&)> onFailure = {})
{
    BlockWriter::Files files;
    for (auto* file : {&files.data, &files.records, &files.linkRecords})
        *file = std::move(*TemporaryFile::make(folder.filePath("store").toStdString(), stop, onFailure));
    return files;
}

std::vector<Boundary> randomBlock(std::mt19937& random)
{
    std::vector<Boundary> items(2 + random() % format::BlockItems);
    std::int64_t time = 0;
    for (Boundary& item : items)
        item = {time += 1 + random() % 5000, keyOf(State(std::uint8_t(random() % 5)), random() % 20)};
    items.back().key = GapKey;
    return items;
}

std::vector<Link> randomLinks(std::mt19937& random)
{
    std::vector<Link> links(1 + random() % format::LinkBlockLinks);
    for (Link& link : links) {
        link.kind = LinkKind::Wakeup;
        link.from = TrackId{static_cast<std::uint32_t>(random() % 100)};
        link.to = TrackId{static_cast<std::uint32_t>(random() % 100)};
        link.fromTime = link.toTime = hostTime(random());
    }
    return links;
}

/// Adds the boundaries of a track to the queue as a store builder does: two blocks in one buffer, which share the boundary between them.
void addBuffer(BlockQueue& queue, std::uint32_t track, std::span<const Boundary> items)
{
    auto buffer = queue.takeBuffer();
    std::ranges::copy(items, buffer.get());
    const std::span<const Boundary> all(buffer.get(), items.size());
    const std::size_t half = items.size() / 2;
    const std::array blocks{all.first(half + 1), all.subspan(half)};
    queue.addBlocks(track, blocks, std::move(buffer));
}

void addBoth(BlockQueue& queue, std::uint32_t track, std::span<const Boundary> items)
{
    const std::size_t half = items.size() / 2;
    queue.addBlock(track, items.first(half + 1));
    queue.addBlock(track, items.subspan(half));
}

/// Adds `count` blocks, some of them with links. Calls `each(n)` before block n.
template <typename Each> void addBlocks(BlockQueue& queue, std::size_t count, Each each)
{
    std::mt19937 random(1);
    for (std::size_t n = 0; n < count; ++n) {
        each(n);
        const auto kind = random() % 10;
        const auto track = static_cast<std::uint32_t>(random() % 100);
        if (kind == 0)
            queue.addLinks(randomLinks(random));
        else if (kind < 5)
            queue.addBlock(track, randomBlock(random));
        else if (const auto items = randomBlock(random); queue.hasThreads() && items.size() > 2)
            addBuffer(queue, track, items);
        else if (items.size() > 2)
            addBoth(queue, track, items);
    }
}

/// Returns all bytes that were added to the writer.
QByteArray bytesOf(const BlockWriter& writer)
{
    QByteArray all;
    const BlockWriter::Picture picture = writer.picture();
    for (const FileBytes* bytes : {&picture.data, &picture.records, &picture.linkRecords}) {
        if (bytes->file)
            all.append(reinterpret_cast<const char*>(bytes->file->bytes().data()), qsizetype(bytes->fileEnd));
        all.append(reinterpret_cast<const char*>(bytes->tail.data()), qsizetype(bytes->tail.size()));
    }
    return all;
}

QByteArray written(std::size_t threads, std::size_t drainEvery)
{
    QTemporaryDir folder;
    BlockWriter writer(filesIn(folder));
    BlockQueue queue(writer, threads, {});
    QByteArray all;
    addBlocks(queue, Blocks, [&](std::size_t n) {
        if (n % drainEvery == drainEvery - 1) {
            queue.drain();
            all.append(bytesOf(writer)); // Includes all blocks that were queued before.
        }
    });
    queue.drain();
    return all + bytesOf(writer);
}

} // namespace

class TestBlockQueue : public QObject {
    Q_OBJECT

private slots:
    void anyNumberOfThreadsWritesTheSame_data() { addThreadRows({1, 2, 3, 8, 100}); }
    void anyNumberOfThreadsWritesTheSame();
    void whatWaitsIsDroppedAtTheEnd_data() { addThreadRows({0, 1, 2, 3}); }
    void whatWaitsIsDroppedAtTheEnd();
    void oneThatIsStoppedTakesAllAndNeverHangs_data() { addThreadRows({0, 1, 2, 3}); }
    void oneThatIsStoppedTakesAllAndNeverHangs();
    void aFailureInAThreadIsThrownByTheNextCall_data() { addThreadRows({0, 1, 2, 3}); }
    void aFailureInAThreadIsThrownByTheNextCall();
    void nothingIsNothing();

private:
    static void addThreadRows(std::initializer_list<std::size_t> counts)
    {
        QTest::addColumn<std::size_t>("threads");
        for (const std::size_t threads : counts)
            QTest::addRow("%zu threads", threads) << threads;
    }
};

void TestBlockQueue::anyNumberOfThreadsWritesTheSame()
{
    QFETCH(std::size_t, threads);

    const QByteArray expected = written(0, 2500);

    QVERIFY(expected.size() > 10'000'000);
    QVERIFY(written(threads, 2500) == expected);
}

void TestBlockQueue::whatWaitsIsDroppedAtTheEnd()
{
    QFETCH(std::size_t, threads);
    for (const std::size_t count : {1, 50, 300, 1000}) {
        QTemporaryDir folder;
        {
            BlockWriter writer(filesIn(folder));
            BlockQueue queue(writer, threads, {});
            addBlocks(queue, count, [](std::size_t) {});
        }
        QVERIFY(QDir(folder.path()).isEmpty());
    }
}

void TestBlockQueue::oneThatIsStoppedTakesAllAndNeverHangs()
{
    QFETCH(std::size_t, threads);
    for (const std::size_t when : {0, 700, 5999}) {
        QTemporaryDir folder;
        std::stop_source stop;
        BlockWriter writer(filesIn(folder, stop.get_token()));
        BlockQueue queue(writer, threads, stop.get_token());
        addBlocks(queue, Blocks, [&](std::size_t n) {
            if (n == when)
                stop.request_stop();
        });
        queue.drain();
        writer.writeWaiting();

        (void)writer.data().flush();
        QVERIFY(!writer.status());
        QVERIFY(writer.status().error().kind == Error::Kind::Cancelled);
    }
}

void TestBlockQueue::aFailureInAThreadIsThrownByTheNextCall()
{
    QFETCH(std::size_t, threads);
    QTemporaryDir folder;
    std::stop_source stop; // Cancels each write to the files, so that the error handler throws. The queue's own stop token stays unset.
    stop.request_stop();
    BlockWriter writer(filesIn(folder, stop.get_token(), [](const Error&) { throw std::bad_alloc(); }));
    BlockQueue queue(writer, threads, {});

    const auto addAll = [&] {
        addBlocks(queue, Blocks, [](std::size_t) {});
        queue.drain();
    };

    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, addAll());
    if (threads > 0)
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, queue.drain());
}

void TestBlockQueue::nothingIsNothing()
{
    QTemporaryDir folder;
    BlockWriter writer(filesIn(folder));
    BlockQueue queue(writer, 2, {});

    queue.drain();
    queue.drain();

    QVERIFY(bytesOf(writer).isEmpty());
}

HELIO_TEST(TestBlockQueue)
#include "tst_block_queue.moc"
