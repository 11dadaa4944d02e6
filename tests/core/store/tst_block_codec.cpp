#include "core/store/block_codec.h"
#include "core/store/link_index.h"
#include "core/store/link_order.h"

#include <QTest>

#include <random>

using namespace helio;

namespace {

std::vector<BlockItem> randomItems(std::mt19937_64& random, std::size_t count)
{
    std::vector<BlockItem> items;
    const std::uint64_t values = 1 + random() % (random() % 2 ? 6 : 600);
    const unsigned bits = 1 + random() % 50;
    bool mayGap = false;
    for (std::size_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::int64_t>(1 + random() % (std::uint64_t(1) << bits));
        const bool isGap = mayGap && i + 1 < count && random() % 7 == 0;
        mayGap = !isGap;
        items.push_back({length, isGap ? 0 : static_cast<std::uint32_t>(random() % values),
                         isGap ? format::GapState : static_cast<std::uint8_t>(random() % 5)});
    }
    return items;
}

struct Encoded {
    BlockFacts facts;
    std::vector<std::byte> bytes; ///< With slack.
    std::size_t size = 0;
    std::array<std::uint8_t, 32> shares{};
};

Encoded encoded(std::span<const BlockItem> items)
{
    Encoded result;
    BlockEncoder encoder;
    ByteWriter out;
    encoder.encode(1000, items, out, result.facts);
    result.bytes.assign(out.bytes().begin(), out.bytes().end());
    result.size = result.bytes.size();
    result.bytes.resize(result.size + format::BlockSlack);
    return result;
}

std::vector<BlockReader::Item> decoded(const Encoded& block, bool& isDamaged)
{
    std::vector<BlockReader::Item> result;
    BlockReader reader(std::span(block.bytes).first(block.size), block.facts.node, block.shares.data());
    while (reader.nextStretch())
        while (reader.nextGroup())
            for (const BlockReader::Item& item : reader.items())
                result.push_back(item);
    isDamaged = reader.isDamaged();
    return result;
}

} // namespace

class TestBlockCodec : public QObject {
    Q_OBJECT

private slots:
    void whatWasWrittenIsRead();
    void damagedBytesAreReadWithinBounds();
    void damagedLinksAreReadWithinBounds();
};

void TestBlockCodec::whatWasWrittenIsRead()
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        const auto items = randomItems(random, 1 + random() % format::BlockItems);
        bool isDamaged = true;

        const Encoded block = encoded(items);
        const auto back = decoded(block, isDamaged);

        QVERIFY(!isDamaged);
        QCOMPARE(back.size(), items.size());
        std::int64_t time = 1000;
        for (std::size_t i = 0; i < items.size(); ++i) {
            QCOMPARE(back[i].begin, time);
            time += items[i].length;
            QCOMPARE(back[i].end, time);
            QCOMPARE(back[i].state, items[i].state);
            QCOMPARE(back[i].value, items[i].value);
        }
        QCOMPARE(block.facts.node.end, time);
    }
}

void TestBlockCodec::damagedBytesAreReadWithinBounds()
{
    std::mt19937_64 random(2);
    int damagedBlocks = 0;
    for (int round = 0; round < 20'000; ++round) {
        Encoded block = encoded(randomItems(random, 1 + random() % 100));
        const std::size_t near = random() % 2 ? block.size : std::min<std::size_t>(block.size, 8);
        for (std::uint64_t change = 0; change <= random() % 4; ++change)
            block.bytes[random() % near] = static_cast<std::byte>(random());
        if (random() % 4 == 0)
            block.size = random() % (block.size + 1);
        // No byte behind the slack: the address sanitizer sees what goes too far.
        block.bytes.resize(block.size + format::BlockSlack);
        block.bytes.shrink_to_fit();
        bool isDamaged = false;

        const auto items = decoded(block, isDamaged);

        damagedBlocks += isDamaged;
        for (const BlockReader::Item& item : items) {
            QVERIFY(item.begin >= 1000 && item.begin <= item.end && item.end <= block.facts.node.end);
            QVERIFY(item.state < 32 || item.state == format::GapState);
        }
    }
    QVERIFY(damagedBlocks > 1000);
}

void TestBlockCodec::damagedLinksAreReadWithinBounds()
{
    std::mt19937_64 random(3);
    int damagedBlocks = 0;
    for (int round = 0; round < 5000; ++round) {
        std::vector<Link> links;
        for (std::uint64_t i = 0, n = 1 + random() % 60; i < n; ++i)
            links.push_back({LinkKind(random() % 4), TrackId{static_cast<std::uint32_t>(random() % 9)}, NoTrack,
                             hostTime(std::int64_t(random() % 1000)), hostTime(std::int64_t(random() % 1000)), 3,
                             StringId{static_cast<std::uint32_t>(random() % 2)}});
        std::sort(links.begin(), links.end(), comesBefore);
        LinkIndex index;
        ByteWriter out;
        index.add(links, 0, out);
        std::vector<std::byte> bytes(out.bytes().begin(), out.bytes().end());
        std::vector<Link> back;
        QVERIFY(index.decode(index.blocks()[0], bytes, back));
        QVERIFY(back == links);

        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        if (random() % 2)
            bytes.resize(random() % bytes.size());
        bytes.shrink_to_fit();
        back.clear();
        damagedBlocks += !index.decode(index.blocks()[0], bytes, back);
        QVERIFY(back.empty() || back.size() == links.size());
    }
    QVERIFY(damagedBlocks > 1000);
}

QTEST_GUILESS_MAIN(TestBlockCodec)
#include "tst_block_codec.moc"
