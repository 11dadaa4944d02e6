#include "core/store/intervals/block_encoder.h"
#include "core/store/intervals/block_reader.h"
#include "core/store/links/link_directory.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace helio;

namespace {

/// Returns the items of a block at random times, the first at time 1000, followed by the boundary that ends the last item.
std::vector<Boundary> randomItems(std::mt19937_64& random, std::size_t count)
{
    std::vector<Boundary> items;
    const std::uint64_t values = std::uint64_t(1) << random() % 33;
    const unsigned bits = 1 + random() % 50;
    std::int64_t time = 1000;
    bool mayGap = false;
    for (std::size_t i = 0; i < count; ++i) {
        const bool isGap = mayGap && i + 1 < count && random() % 7 == 0;
        mayGap = !isGap;
        const std::uint64_t state = random() % 8 ? random() % 5 : random() % 32;
        items.push_back({time, isGap ? GapKey : keyOf(State(std::uint8_t(state)), std::uint32_t(random() % values))});
        time += static_cast<std::int64_t>(1 + random() % (std::uint64_t(1) << random() % bits));
    }
    items.push_back({time, GapKey});
    return items;
}

struct Encoded {
    BlockSummary facts;
    std::vector<std::byte> bytes; ///< Encoded bytes, followed by BlockSlack bytes.
    std::size_t size = 0;
    std::array<std::uint8_t, 32> shares{};
};

Encoded encoded(std::span<const Boundary> items)
{
    static BlockEncoder encoder; // One encoder for all calls: leftover bytes of a block must not change later blocks.
    Encoded result;
    const auto bytes = encoder.encode(items, result.facts);
    result.bytes.assign(bytes.begin(), bytes.end());
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

/// Compares a node with the values that a plain loop computes from the items.
void compareNode(const BlockReader::Node& actual, std::span<const Boundary> items)
{
    const std::int64_t length = items.back().begin - items.front().begin;
    std::array<std::int64_t, 33> times{};
    std::size_t longest = 0;
    std::int64_t longestLength = 0;
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
        const std::int64_t own = items[i + 1].begin - items[i].begin;
        times[stateIn(items[i].key)] += own;
        if (items[i].key != GapKey && own > longestLength) {
            longest = i;
            longestLength = own;
        }
    }
    const LevelNode& node = actual.node;
    QCOMPARE(node.begin, items.front().begin);
    QCOMPARE(node.end, items.back().begin);
    QCOMPARE(node.longest, longestLength);
    QCOMPARE(std::size_t(node.state), stateIn(items[longest].key));
    QCOMPARE(node.value, valueIn(items[longest].key));
    QCOMPARE(node.hasGap, times[format::GapState] > 0);
    QCOMPARE(std::size_t(node.count), std::size_t(std::count_if(items.begin(), items.end() - 1, [](auto& i) { return i.key != GapKey; })));
    std::size_t share = 0;
    for (std::size_t state = 0; state < 32; ++state) {
        QCOMPARE((node.mask >> state & 1) != 0, times[state] > 0);
        if (times[state] > 0)
            QVERIFY(std::abs(actual.shares[share++] - 255.0 * double(times[state]) / double(length)) <= 1.5);
    }
}

} // namespace

class TestBlockCodec : public QObject {
    Q_OBJECT

private slots:
    void whatWasWrittenIsRead();
    void nodesAreTheSumOfTheirItems();
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
        QCOMPARE(back.size(), items.size() - 1);
        for (std::size_t i = 0; i < back.size(); ++i) {
            QCOMPARE(back[i].begin, items[i].begin);
            QCOMPARE(back[i].end, items[i + 1].begin);
            QCOMPARE(std::size_t(back[i].state), stateIn(items[i].key));
            QCOMPARE(back[i].value, valueIn(items[i].key));
        }
    }
}

void TestBlockCodec::nodesAreTheSumOfTheirItems()
{
    std::mt19937_64 random(4);
    for (int round = 0; round < 300; ++round) {
        const auto items = randomItems(random, format::GroupItems + 1 + random() % (format::BlockItems - format::GroupItems));
        const Encoded block = encoded(items);
        BlockReader reader(std::span(block.bytes).first(block.size), block.facts.node, block.shares.data());
        std::size_t next = 0;
        while (reader.nextStretch()) {
            const std::size_t first = next;
            while (reader.nextGroup()) {
                const std::size_t end = std::min(next + format::GroupItems, items.size() - 1);
                compareNode(reader.group(), std::span(items).subspan(next, end - next + 1));
                next = end;
            }
            if (items.size() - 1 > format::StretchItems)
                compareNode(reader.stretch(), std::span(items).subspan(first, next - first + 1));
        }
        QCOMPARE(next, items.size() - 1);
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
        // No memory follows the slack, so that the address sanitizer detects reads beyond it.
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
    LinkEncoder encoder;
    for (int round = 0; round < 5000; ++round) {
        std::vector<Link> links;
        const auto kind = LinkKind(random() % 4);
        for (std::uint64_t i = 0, n = 1 + random() % 60; i < n; ++i)
            links.push_back({kind, TrackId{static_cast<std::uint32_t>(random() % 9)}, NoTrack, hostTime(std::int64_t(random() % 1000)),
                             hostTime(std::int64_t(random() % 1000)), 3, StringId{static_cast<std::uint32_t>(random() % 2)}});
        const LinkEncoder::Encoded block = encoder.encode(links);
        FileBytes records;
        putLinkRecord(block, 0, records.tail);
        const LinkIndex index = *LinkIndex::read(LinkDirectory(records).inMemory(), 9, 0, block.bytes.size());
        std::vector<std::byte> bytes(block.bytes.begin(), block.bytes.end());
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

HELIO_TEST(TestBlockCodec)
#include "tst_block_codec.moc"
