// The heap analysis. Input: allocations and frees. Results: blocks, memory in use, and diagnostics for events that do not match.

#include "core/analyses/heap/heap_blocks.h"
#include "tests/core/analyses/heap/heap_script.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <set>
#include <vector>

using namespace helio;
using namespace helio::test;

namespace {

const char* const BytesOf1 = "pid:1/heap-bytes";
const char* const BlocksOf1 = "pid:1/heap-blocks";

} // namespace

class HeapTest : public QObject {
    Q_OBJECT

private slots:
    void aBlockIsASegmentFromAllocationToFree()
    {
        HeapScript s;
        s.malloc(10, 1, 100, 0x1000).malloc(20, 1, 50, 0x2000).free(30, 1, 0x1000).calloc(40, 1, 3, 7, 0x3000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-30 = 100, 20-90 = 50, 40-90 = 21");
        QCOMPARE(s.segments("free"), "30 = 100");
        QCOMPARE(s.segments("unfreed"), "20-90 = 50, 40-90 = 21");
        QCOMPARE(s.counter(BytesOf1), "10: 100, 20: 150, 30: 50, 40: 71");
        QCOMPARE(s.counter(BlocksOf1), "10: 1, 20: 2, 30: 1, 40: 2");
    }

    void countersArePerProcessAndSayWhose()
    {
        HeapScript s;
        s.malloc(10, 1, 100, 0x1000);
        s.process(7);
        s.malloc(20, 8, 5, 0x1000).free(30, 7, 0x1000);
        s.run(90);
        QCOMPARE(s.counter(BytesOf1), "10: 100");
        QCOMPARE(s.counter("pid:7/heap-bytes"), "20: 5, 30: 0");
        const CounterSeries& first = s.store().counters().series().front();
        QCOMPARE(first.title, "Memory in use of prog (1)");
        QCOMPARE(first.unit, "B");
        QCOMPARE(first.view, "heap");
        QCOMPARE(s.reported("unknown-frees"), std::uint64_t(0));
    }

    void anotherThreadMayFreeABlock()
    {
        HeapScript s;
        s.enter(5, 2, 100).enter(6, 3, 200).malloc(10, 2, 64, 0x1000).free(30, 3, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "100 10-30 = 64");
        QCOMPARE(s.segments("free"), "200 30 = 64");
        const auto tidOf = [&](const char* kind) {
            return s.store().tracks()[static_cast<std::size_t>(s.segmentsOf(kind).front().track)].tid;
        };
        QCOMPARE(tidOf("allocation"), 2);
        QCOMPARE(tidOf("free"), 3);
    }

    void reallocFreesAndAllocatesAtOnce()
    {
        HeapScript s;
        s.realloc(10, 1, 0, 64, 0x1000).realloc(20, 1, 0x1000, 128, 0x1000).realloc(30, 1, 0x1000, 256, 0x2000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-20 = 64, 20-30 = 128, 30-90 = 256");
        QCOMPARE(s.segments("free"), "20 = 64, 30 = 128");
        QCOMPARE(s.counter(BytesOf1), "10: 64, 20: 128, 30: 256");
    }

    void reallocToNothingFrees()
    {
        HeapScript s;
        s.malloc(10, 1, 500, 0x1000).realloc(20, 1, 0x1000, 0, 0).free(30, 1, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-20 = 500");
        QCOMPARE(s.reported("double-frees"), std::uint64_t(1));
    }

    void aReallocThatFailsLeavesTheBlock()
    {
        HeapScript s;
        s.malloc(10, 1, 500, 0x1000).realloc(20, 1, 0x1000, 99, 0).free(30, 1, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-30 = 500");
        QCOMPARE(s.counter(BytesOf1), "10: 500, 30: 0");
    }

    void whatFailsOrFreesNothingIsNothing()
    {
        HeapScript s;
        s.malloc(10, 1, 500, 0).calloc(11, 1, -1, -1, 0).free(12, 1, 0).posixMemalign(13, 1, 10, 0x1000, 12).realloc(14, 1, 0, 5, 0);
        s.memalign(15, 1, 10, 0);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "");
        QCOMPARE(s.segments("free"), "");
        QCOMPARE(s.counter(BytesOf1), "");
        QVERIFY(s.store().summary().anomalies.empty());
    }

    void alignedBlocksAreBlocks()
    {
        HeapScript s;
        s.posixMemalign(10, 1, 10, 0x1000, 0).memalign(20, 1, 30, 0x2000).free(30, 1, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-30 = 10, 20-90 = 30");
    }

    void anAddressMayBeUsedAgain()
    {
        HeapScript s;
        s.malloc(10, 1, 5, 0x1000).free(20, 1, 0x1000).malloc(30, 1, 6, 0x1000).free(40, 1, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-20 = 5, 30-40 = 6");
        QVERIFY(s.store().summary().anomalies.empty());
    }

    void freesOfUnknownBlocksAndDoubleFreesAreReportedApart()
    {
        HeapScript s;
        s.enter(1, 1, 100).free(10, 1, 0x9000).malloc(20, 1, 5, 0x1000).free(30, 1, 0x1000).free(40, 1, 0x1000).free(50, 1, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("double-free"), "100 40 = 4096, 100 50 = 4096");
        QCOMPARE(s.segments("unknown-free"), "100 10 = 36864");
        QCOMPARE(s.segments("free"), "100 30 = 5");
        QCOMPARE(s.reported("double-frees"), std::uint64_t(2));
        QCOMPARE(s.reported("unknown-frees"), std::uint64_t(1));
        QCOMPARE(s.counter(BytesOf1), "10: 0, 20: 5, 30: 0, 40: 0, 50: 0");
    }

    void aLiveBlocksAddressThatIsAllocatedAgainWasFreedUnseen()
    {
        HeapScript s;
        s.malloc(10, 1, 5, 0x1000).malloc(30, 1, 7, 0x1000).free(40, 1, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "10-30 = 5, 30-40 = 7");
        QCOMPARE(s.counter(BytesOf1), "10: 5, 30: 7, 40: 0");
        QCOMPARE(s.reported("unseen-frees"), std::uint64_t(1));
    }

    void afterALossItGoesOnAndSaysSo()
    {
        HeapScript s;
        s.enter(5, 1, 100).malloc(10, 1, 5, 0x1000);
        s.loss(0, 20, 30);
        s.malloc(40, 1, 7, 0x2000).free(50, 1, 0x1000);
        s.run(90);
        // The block allocated at 40 has no function, because the call stack is unknown after the loss.
        QCOMPARE(s.segments("allocation"), "100 10-50 = 5, 40-90 = 7");
        QCOMPARE(s.reported("uncertain-heap"), std::uint64_t(1));
    }

    void blocksAreNamedByWhoeverIsCalled()
    {
        HeapScript s;
        s.enter(1, 1, 100).enter(2, 1, 200).malloc(10, 1, 5, 0x1000).leave(11, 1).malloc(20, 1, 6, 0x2000).leave(21, 1);
        s.malloc(30, 1, 7, 0x3000).enter(31, 1, 300).enter(32, 1, 200).malloc(33, 1, 8, 0x4000).malloc(34, 1, 9, 0x5000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "100+200 10-90 = 5, 100 20-90 = 6, 30-90 = 7, 300+200 33-90 = 8, 300+200 34-90 = 9");
    }

    void onTopLiesTheAddressThatItWasCalledFrom()
    {
        HeapScript s;
        s.mapped(1, "lttng_ust_statedump:bin_info", 1000, 500, "/bin/prog");
        s.from(1400).malloc(5, 1, 4, 0x500).enter(6, 1, 1100).malloc(10, 1, 5, 0x1000).from(1120).malloc(20, 1, 6, 0x2000);
        s.run(90);
        QCOMPARE(s.segments("allocation"),
                 "^/bin/prog+400 5-90 = 4, /bin/prog+100^/bin/prog+400 10-90 = 5, /bin/prog+100^/bin/prog+120 20-90 = 6");
    }

    void aTidOfAnotherProcessIsAnotherThread()
    {
        HeapScript s;
        s.process(3).enter(1, 5, 100);
        s.malloc(10, 5, 5, 0x1000).process(4);
        s.malloc(20, 5, 6, 0x1000);
        s.run(90);
        QCOMPARE(s.segments("allocation"), "100 10-90 = 5, 20-90 = 6");
        QCOMPARE(s.counter("pid:4/heap-bytes"), "20: 6");
    }

    void withoutContextsAllIsOneProcess()
    {
        HeapScript s;
        s.event(10, 0, "ust_libc:malloc", {{"size", 5}, {"ptr", 0x1000}}).event(20, 1, "ust_libc:free", {{"ptr", 0x1000}});
        s.run(90);
        QCOMPARE(s.counter("pid:unknown/heap-bytes"), "10: 5, 20: 0");
    }

    /// Negative numbers in this test are unsigned 64-bit sizes.
    void sizesMayBeAsLargeAsAnyNumber()
    {
        HeapScript s;
        s.malloc(10, 1, -1, 0x1000).calloc(20, 1, -1, -1, 0x2000).malloc(30, 1, INT64_MIN, 0x3000).malloc(40, 1, 4, -8);
        s.free(50, 1, 0x1000).free(60, 1, 0x2000).free(70, 1, 0x3000).free(80, 1, -8);
        s.run(90);
        const std::string most = std::to_string(INT64_MAX);
        QCOMPARE(s.segments("allocation"), "10-50 = " + most + ", 20-60 = " + most + ", 30-70 = " + most + ", 40-80 = 4");
        QCOMPARE(s.counter(BytesOf1),
                 "10: " + most + ", 20: " + most + ", 30: " + most + ", 40: " + most + ", 50: " + most + ", 60: " + most
                     + ", 70: 4, 80: 0");
    }

    void moreBlocksThanTheLimitAreNotKept()
    {
        heap::HeapBlocks blocks({3, 2});
        heap::Block other;
        for (std::uint64_t i = 1; i <= 3; ++i)
            QVERIFY(blocks.allocate(i, {{}, 10}, other) == heap::HeapBlocks::AllocateResult::Nothing);
        QVERIFY(blocks.allocate(4, {{}, 10}, other) == heap::HeapBlocks::AllocateResult::TooMany);
        QVERIFY(blocks.allocate(3, {{}, 20}, other) == heap::HeapBlocks::AllocateResult::Block);
        QCOMPARE(blocks.bytes(), 40);
        QCOMPARE(blocks.count(), std::size_t(3));
        for (std::uint64_t i = 1; i <= 3; ++i)
            QVERIFY(blocks.free(i, other) == heap::HeapBlocks::FreeResult::Block);
        QVERIFY(blocks.free(3, other) == heap::HeapBlocks::FreeResult::Again);
        // The result is Unknown instead of Again, because the limit of freed addresses (2) was exceeded and they were dropped.
        QVERIFY(blocks.free(1, other) == heap::HeapBlocks::FreeResult::Unknown);
        QVERIFY(blocks.free(4, other) == heap::HeapBlocks::FreeResult::Unknown);
    }

    void aMillionBlocksInUse()
    {
        heap::HeapBlocks blocks;
        heap::Block other;
        for (std::uint64_t i = 0; i < 1'000'000; ++i)
            blocks.allocate(0x1000 + 16 * (i * 7919 % 1'000'000), {hostTime(static_cast<std::int64_t>(i)), i}, other);
        const auto all = blocks.inUse();
        QCOMPARE(all.size(), std::size_t(1'000'000));
        QVERIFY(std::ranges::is_sorted(all, {}, &heap::Block::since));
        QCOMPARE(blocks.bytes(), std::int64_t(999'999) * 500'000);
    }

    /// Property: for any order of calls, blocks and totals equal those of simple lists.
    void anyOrderOfCalls_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 40; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void anyOrderOfCalls()
    {
        QFETCH(int, seed);
        Dice dice(static_cast<std::uint64_t>(seed));
        struct Live {
            std::int64_t address, since, bytes;
        };
        using Piece = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
        std::vector<Live> live;
        std::set<std::int64_t> everFreed;
        std::vector<Piece> expected;
        std::uint64_t again = 0, unknown = 0, unseen = 0;
        std::string bytesInUse;
        const auto drop = [&](std::int64_t at, std::int64_t address) {
            const auto found = std::ranges::find(live, address, &Live::address);
            if (found == live.end())
                return false;
            expected.push_back({found->since, at, found->bytes});
            live.erase(found);
            return true;
        };
        const auto free = [&](std::int64_t at, std::int64_t address) {
            if (address == 0)
                return;
            if (drop(at, address))
                everFreed.insert(address);
            else
                ++(everFreed.contains(address) ? again : unknown);
        };
        const auto allocate = [&](std::int64_t at, std::int64_t address, std::int64_t bytes) {
            unseen += drop(at, address) ? 1 : 0;
            everFreed.erase(address);
            live.push_back({address, at, bytes});
        };
        HeapScript s;
        for (std::int64_t at = 1; at < 400; ++at) {
            const auto address = [&] { return static_cast<std::int64_t>(16 * dice.below(12)); };
            const auto size = static_cast<std::int64_t>(dice.below(100));
            const std::int64_t to = address(), old = address();
            const int tid = 1 + static_cast<int>(dice.below(3));
            switch (dice.below(4)) {
            case 0:
                s.malloc(at, tid, size, to);
                if (to == 0)
                    continue;
                allocate(at, to, size);
                break;
            case 1:
                s.free(at, tid, to);
                if (to == 0)
                    continue;
                free(at, to);
                break;
            case 2: {
                const bool isZero = dice.below(3) == 0;
                s.realloc(at, tid, old, isZero ? 0 : size + 1, to);
                if ((to == 0 && !isZero) || (to == 0 && old == 0))
                    continue;
                free(at, old);
                if (to != 0)
                    allocate(at, to, isZero ? 0 : size + 1);
                break;
            }
            default:
                s.calloc(at, tid, 3, size, to);
                if (to == 0)
                    continue;
                allocate(at, to, 3 * size);
            }
            std::int64_t sum = 0;
            for (const Live& it : live)
                sum += it.bytes;
            bytesInUse += (bytesInUse.empty() ? "" : ", ") + std::to_string(at) + ": " + std::to_string(sum);
        }
        std::vector<Piece> unfreed;
        for (const Live& it : live)
            unfreed.push_back({it.since, 500, it.bytes});
        expected.insert(expected.end(), unfreed.begin(), unfreed.end());
        s.run(500);

        const auto piecesOf = [&](const char* kind) {
            std::vector<Piece> all;
            for (const HostSegment& it : s.segmentsOf(kind))
                all.push_back({nanoseconds(it.begin), nanoseconds(it.end), it.value});
            std::ranges::sort(all);
            return all;
        };
        std::ranges::sort(expected);
        std::ranges::sort(unfreed);
        QVERIFY(piecesOf("allocation") == expected);
        QVERIFY(piecesOf("unfreed") == unfreed);
        QCOMPARE(s.counter(BytesOf1), bytesInUse);
        QCOMPARE(s.reported("double-frees"), again);
        QCOMPARE(s.reported("unknown-frees"), unknown);
        QCOMPARE(s.reported("unseen-frees"), unseen);
    }

    void callersEndWithTheirThread()
    {
        HeapScript s;
        s.ended(5, 15);
        s.enter(10, 5, 100).malloc(12, 5, 8, 1000);
        s.malloc(20, 5, 8, 2000); // This block has no caller, because the call stack of thread 5 is unknown after the thread's end at 15.
        s.enter(25, 5, 200).malloc(30, 5, 8, 3000).leave(35, 5);
        s.run(50);
        QCOMPARE(s.segments(AllocatedBlocks), "100 12-50 = 8, 20-50 = 8, 200 30-50 = 8");
        const auto blocks = s.segmentsOf(AllocatedBlocks);
        QVERIFY(blocks[0].track != blocks[1].track);
        QCOMPARE(blocks[1].track, blocks[2].track);
    }

    void callersEndWithTheirProgram()
    {
        HeapScript s;
        const auto dump = [&](std::int64_t at, std::int64_t program, const char* path) {
            s.of(at, 9, "lttng_ust_statedump:start", {});
            s.mapped(at + 1, "lttng_ust_statedump:bin_info", program, 100, path);
            s.of(at + 2, 9, "lttng_ust_statedump:end", {});
        };
        dump(1, 1000, "/bin/a");
        s.enter(10, 5, 1010).malloc(12, 5, 8, 77);
        dump(20, 2000, "/bin/b");
        s.malloc(30, 5, 8, 78).enter(35, 5, 2010).malloc(36, 5, 8, 79);
        s.run(50);
        QCOMPARE(s.segments(AllocatedBlocks), "/bin/a+10 12-50 = 8, 30-50 = 8, /bin/b+10 36-50 = 8");
    }
};

HELIO_TEST(HeapTest)
#include "tst_heap.moc"
