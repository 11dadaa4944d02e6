#include "core/store/intervals/group_sums.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>
#include <vector>

using namespace helio;

namespace {

/// Returns random items of a full group, which begin at time 1000, and the boundary that ends the last item. `bits`: width of the longest
/// interval in bits.
std::vector<Boundary> randomGroup(std::mt19937_64& random, unsigned bits, bool mayGap)
{
    std::vector<Boundary> items;
    const std::size_t states = 1 + random() % 6;
    std::int64_t time = 1000;
    for (std::size_t i = 0; i < format::GroupItems; ++i) {
        const auto state = static_cast<std::uint8_t>(31 - random() % states);
        items.push_back({time, mayGap && i % 7 == 3 ? GapKey : keyOf(State(state), std::uint32_t(random()))});
        time += static_cast<std::int64_t>(1 + random() % (std::uint64_t(1) << bits));
    }
    items.push_back({time, GapKey});
    return items;
}

void compare(const ItemRun& a, const ItemRun& b)
{
    QCOMPARE(a.begin, b.begin);
    QCOMPARE(a.end, b.end);
    QCOMPARE(a.longest, b.longest);
    QCOMPARE(a.longestKey, b.longestKey);
    QCOMPARE(a.lengths, b.lengths);
    QCOMPARE(a.states, b.states);
    QCOMPARE(a.gaps, b.gaps);
}

} // namespace

class TestGroupSums : public QObject {
    Q_OBJECT

private slots:
    void groupsComeToWhatTheirItemsComeTo_data()
    {
        QTest::addColumn<bool>("mayUseAvx2");
        QTest::addColumn<unsigned>("bits");
        QTest::addColumn<bool>("mayGap");
        for (const bool mayUseAvx2 : {false, true})
            for (const unsigned bits : {1u, 3u, 16u, 26u, 27u, 40u})
                for (const bool mayGap : {false, true})
                    QTest::addRow("%s, %u bits%s", mayUseAvx2 ? "AVX2" : "any", bits, mayGap ? ", gaps" : "")
                        << mayUseAvx2 << bits << mayGap;
    }
    void groupsComeToWhatTheirItemsComeTo()
    {
        QFETCH(bool, mayUseAvx2);
        QFETCH(unsigned, bits);
        QFETCH(bool, mayGap);
        std::mt19937_64 random(bits);
        GroupSums atOnce(mayUseAvx2);
        GroupSums oneByOne(mayUseAvx2);
        for (int round = 0; round < 100; ++round) {
            atOnce.begin();
            oneByOne.begin();
            for (std::size_t group = 0; group < format::MaxGroups; ++group) {
                const auto items = randomGroup(random, group % 5 == 0 ? bits / 2 : bits, mayGap);

                const ItemRun run = atOnce.add(items.data(), format::GroupItems);
                const std::vector<std::uint64_t> lengths(atOnce.lengths(), atOnce.lengths() + format::GroupItems);

                ItemRun sum;
                sum.begin = items.front().begin;
                for (std::size_t i = 0; i < format::GroupItems; ++i) {
                    sum.append(oneByOne.add(&items[i], 1));
                    QCOMPARE(lengths[i], std::uint64_t(items[i + 1].begin - items[i].begin));
                }
                compare(run, sum);
            }
            for (std::size_t state = 0; state < 32; ++state) {
                const StateTime a = atOnce.timeOf(state);
                const StateTime b = oneByOne.timeOf(state);
                QCOMPARE(a.count, b.count);
                QCOMPARE(a.total, b.total);
                QCOMPARE(atOnce.totalOf(state), b.total);
                QCOMPARE(a.min, b.min);
                QCOMPARE(a.max, b.max);
            }
        }
    }
};

HELIO_TEST(TestGroupSums)
#include "tst_group_sums.moc"
