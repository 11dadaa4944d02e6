// Property: queries for segments of several stores, on different clocks, equal plain loops over all added segments.

#include "core/latency/intervals/duration_stats.h"
#include "core/query/segments/segments.h"
#include "core/query/segments/state_intervals.h"
#include "tests/support/dice.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace helio;

namespace {

constexpr std::array Names{"read", "write", "poll"};

StoreSummary wholeSummary()
{
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(100'000)};
    return summary;
}

/// Makes a store with a thread's track and a CPU's track. It has segments of the kinds "calls" and `second`; each segment belongs to one of
/// the tracks or to no track.
std::shared_ptr<const Store> madeStore(std::uint64_t seed, const char* second, int count)
{
    auto builder = makeMemoryStoreBuilder(hostTime(0));
    Track thread;
    thread.view = "control-flow";
    thread.role = TrackRole::Thread;
    thread.key = "tid:" + std::to_string(seed);
    thread.tid = std::int32_t(seed);
    const TrackId row = builder->addTrack(thread);
    builder->set(hostTime(0), row, State{});
    Track hidden;
    hidden.key = "hidden";
    hidden.cpu = 3;
    const TrackId attribute = builder->addTrack(hidden);
    const auto other = *builder->segments().addKind({second, "Second"});
    const auto calls = *builder->segments().addKind({"calls", "Calls of " + std::to_string(seed), "Call", "Result"});
    Dice dice(seed);
    for (int i = 0; i < count; ++i) {
        HostSegment it;
        it.begin = hostTime(std::int64_t(dice.below(90'000)) / 40 * 40); // Many segments begin at the same time.
        it.end = it.begin + Duration(std::int64_t(dice.below(5) ? dice.below(300) : dice.below(9000)));
        it.value = std::int64_t(dice.below(7)) - 3;
        it.name = builder->string(Names[dice.below(Names.size())]);
        it.track = dice.below(4) == 0 ? NoTrack : dice.below(2) ? row : attribute;
        it.kind = dice.below(5) ? calls : other;
        builder->segments().add(it);
    }
    return *builder->finish(wholeSummary());
}

/// Reference: all segments of a kind, sorted, collected with a loop over the stores.
std::vector<Segment> allOf(const Timeline& timeline, std::string_view kind)
{
    std::vector<Segment> all;
    for (std::uint32_t i = 0; i < timeline.stores.size(); ++i) {
        const SegmentSet& set = timeline.stores[i].store->segments();
        const ClockTransform& clock = timeline.traces[timeline.stores[i].trace].clock;
        for (std::size_t k = 0; k < set.kinds().size(); ++k)
            if (set.kinds()[k].id == kind)
                set.visit(SegmentKindId(k), {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
                    for (const HostSegment& it : some)
                        all.push_back({{clock(it.begin), clock(it.end)}, StoreIndex{i}, it});
                });
    }
    std::ranges::stable_sort(all, {}, [](const Segment& it) { return it.range.begin; });
    return all;
}

bool overlaps(const Segment& it, TimeRange range)
{
    if (range.isEmpty())
        return false;
    return it.range.begin == it.range.end ? range.contains(it.range.begin) : it.range.overlaps(range);
}

Duration length(const Segment& it) { return it.range.end - it.range.begin; }

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

std::vector<Segment> visited(const Timeline& timeline, std::string_view kind, TimeRange range)
{
    std::vector<Segment> all;
    forEachSegment(timeline, kind, range, [&](const Segment& it) { all.push_back(it); });
    return all;
}

} // namespace

class SegmentQueriesTest : public QObject {
    Q_OBJECT

private:
    Timeline m_timeline;

    TimeRange window(Dice& dice) const
    {
        const auto at = [&] { return timestamp(std::int64_t(dice.below(110'000)) - 5'000); };
        const Timestamp a = at();
        const Timestamp b = dice.below(3) ? at() : a + Duration(std::int64_t(dice.below(200)));
        return {std::min(a, b), std::max(a, b)};
    }

private slots:
    void initTestCase()
    {
        addTrace(m_timeline, {madeStore(1, "first only", 3000), std::make_shared<MadeTrace>()});
        addTrace(m_timeline, {madeStore(2, "second only", 2000), std::make_shared<MadeTrace>(), ClockTransform(Duration(-1'234)), "other"});
        addTrace(m_timeline, {madeStore(3, "third only", 1000), std::make_shared<MadeTrace>(), ClockTransform(Duration(40'000))});
    }

    void kindsAreThoseOfAllStoresEachOnce()
    {
        const auto kinds = segmentKinds(m_timeline);
        QCOMPARE(kinds.size(), std::size_t(4));
        QCOMPARE(kinds[0].id, std::string("first only"));
        QCOMPARE(kinds[1].title, std::string("Calls of 1"));
        QCOMPARE(kinds[1].valueTitle, std::string("Result"));
        QCOMPARE(kinds[3].id, std::string("third only"));
        QVERIFY(!findSegmentKind(m_timeline, "block"));
        QVERIFY(segmentKinds({}).empty());
    }

    void segmentsOfAllStoresComeInOneOrder()
    {
        Dice dice(5);
        for (const char* kind : {"calls", "second only"}) {
            const auto all = allOf(m_timeline, kind);
            QVERIFY(all.size() > 300);
            for (int round = 0; round < 200; ++round) {
                const TimeRange range = round == 0 ? Always : window(dice);
                auto expected = all;
                std::erase_if(expected, [&](const Segment& it) { return !overlaps(it, range); });
                QVERIFY(visited(m_timeline, kind, range) == expected);
            }
        }
        QVERIFY(visited(m_timeline, "block", Always).empty());
    }

    void veryManySegmentsComeInPartsAndStillInOneOrder()
    {
        Timeline timeline;
        addTrace(timeline, {madeStore(1, "first only", 150'000), std::make_shared<MadeTrace>()});
        addTrace(timeline, {madeStore(2, "second only", 150'000), std::make_shared<MadeTrace>(), ClockTransform(Duration(55'001))});
        for (const TimeRange range : {Always, TimeRange{timestamp(30'000), timestamp(80'001)}}) {
            auto expected = allOf(timeline, "calls");
            std::erase_if(expected, [&](const Segment& it) { return !overlaps(it, range); });
            QVERIFY(visited(timeline, "calls", range) == expected);
        }
    }

    void sumsAreThoseOfAllStores()
    {
        SegmentSum sum;
        for (const Segment& it : allOf(m_timeline, "calls"))
            sum.add(length(it));
        QVERIFY(segmentSum(m_timeline, "calls") == sum);
    }

    void neighboursAreFoundOverAllStores()
    {
        const auto all = allOf(m_timeline, "calls");
        auto first = nextSegment(m_timeline, "calls", Timestamp::min());
        QVERIFY(first == all.front());
        QVERIFY(previousSegment(m_timeline, "calls", Timestamp::max()) == all.back());
        QVERIFY(!previousSegment(m_timeline, all.front()));
        QVERIFY(!nextSegment(m_timeline, all.back()));
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            if (all[i] == all[i + 1])
                continue; // The query returns only one of two equal segments.
            QVERIFY(nextSegment(m_timeline, all[i]) == all[i + 1]);
            QVERIFY(previousSegment(m_timeline, all[i + 1]) == all[i]);
        }
        Dice dice(7);
        for (int round = 0; round < 200; ++round) {
            const Timestamp at = all[dice.below(all.size())].range.begin + Duration(std::int64_t(dice.below(3)) - 1);
            const auto after = std::ranges::upper_bound(all, at, {}, [](const Segment& it) { return it.range.begin; });
            const auto before = std::ranges::lower_bound(all, at, {}, [](const Segment& it) { return it.range.begin; });
            QVERIFY(nextSegment(m_timeline, "calls", at) == (after == all.end() ? std::nullopt : std::optional(*after)));
            QVERIFY(previousSegment(m_timeline, "calls", at) == (before == all.begin() ? std::nullopt : std::optional(*std::prev(before))));
        }
    }

    void clocksThatDriftKeepTheOrder()
    {
        const auto clock = ClockTransform::through({{hostTime(0), timestamp(100), Duration(0)},
                                                    {hostTime(50'000), timestamp(60'100), Duration(0)},
                                                    {hostTime(100'000), timestamp(98'000), Duration(0)}});
        QVERIFY(clock);
        Timeline timeline;
        addTrace(timeline, {madeStore(1, "first only", 2000), std::make_shared<MadeTrace>(), *clock});
        addTrace(timeline, {madeStore(2, "second only", 2000), std::make_shared<MadeTrace>(), {}, "other"});
        const auto all = allOf(timeline, "calls");
        QVERIFY(visited(timeline, "calls", Always) == all);
        for (std::size_t i = 0; i + 1 < all.size(); ++i) {
            if (all[i] == all[i + 1])
                continue;
            QVERIFY(nextSegment(timeline, all[i]) == all[i + 1]);
            QVERIFY(previousSegment(timeline, all[i + 1]) == all[i]);
        }
    }

    void aSegmentHasTheNameAndTheRowOfItsStore()
    {
        int rowsSeen = 0;
        for (const Segment& it : allOf(m_timeline, "calls")) {
            QVERIFY(std::ranges::find(Names, nameOf(m_timeline, it)) != Names.end());
            const Row row = rowOf(m_timeline, it);
            QCOMPARE(row.trace, std::uint32_t(it.store));
            QCOMPARE(row.host, row.trace == 1 ? 1u : 0u);
            if (it.recorded.track == TrackId{0})
                QCOMPARE(row.id, "tid:" + std::to_string(row.trace + 1));
            else
                // Segments on the CPU's track have the CPU's number, 3, although no view shows the track. Segments without a track have no
                // CPU: -1.
                QCOMPARE(row.cpu, it.recorded.track == NoTrack ? -1 : 3);
            QCOMPARE(row.ref.isValid(), it.recorded.track != NoTrack);
            rowsSeen += row.tid >= 0;
        }
        QVERIFY(rowsSeen > 500);
    }

    void lengthsAreSummedUpByName()
    {
        std::map<std::string, std::vector<Segment>> expected;
        DurationAggregator sums;
        auto all = allOf(m_timeline, "calls");
        std::ranges::shuffle(all, std::mt19937(1));
        for (const Segment& it : all) {
            const std::string name(nameOf(m_timeline, it));
            expected[name].push_back(it);
            sums.add(name, it.range);
        }
        const auto found = sums.take();
        QCOMPARE(found.size(), Names.size());
        QVERIFY(found[0].lengths.total >= found[1].lengths.total && found[1].lengths.total >= found[2].lengths.total);
        for (const DurationStats& it : found) {
            auto& own = expected[it.name];
            std::ranges::sort(own, {}, [](const Segment& s) { return std::pair(length(s), s.range.begin); });
            const auto rank = [&](std::size_t percent) { return length(own[(own.size() * percent + 99) / 100 - 1]); };
            QCOMPARE(it.lengths.count, own.size());
            QCOMPARE(it.lengths.least, length(own.front()));
            QCOMPARE(it.lengths.median, rank(50));
            QCOMPARE(it.lengths.p90, rank(90));
            QCOMPARE(it.lengths.p99, rank(99));
            QCOMPARE(it.lengths.most, length(own.back()));
            QCOMPARE(it.leastAt, own.front().range.begin);
            const auto most = std::ranges::find(own, length(own.back()), length);
            QCOMPARE(it.mostAt, most->range.begin);
            Duration total{};
            for (const Segment& s : own)
                total += length(s);
            QCOMPARE(it.lengths.total, total);
        }
        QVERIFY(sums.take().empty());
    }

    void bucketsHoldEachLengthOnce_data()
    {
        QTest::addColumn<bool>("isLogarithmic");
        QTest::newRow("even") << false;
        QTest::newRow("logarithmic") << true;
    }
    void bucketsHoldEachLengthOnce()
    {
        QFETCH(bool, isLogarithmic);
        Dice dice(9);
        for (int round = 0; round < 300; ++round) {
            std::vector<std::int64_t> lengths;
            const std::uint64_t most = std::uint64_t(1) << dice.below(63);
            for (std::uint64_t i = 0; i <= dice.below(40); ++i)
                lengths.push_back(std::int64_t(dice.below(most)));
            if (round % 50 == 0)
                lengths.push_back(INT64_MAX);
            if (round % 20 == 0) // Adds so many durations that bucketsOf() uses its lookup table.
                for (int i = 0; i < 2000; ++i)
                    lengths.push_back(round % 40 == 0 ? std::int64_t(dice.below(most)) : std::int64_t(most + dice.below(100)));
            const std::size_t parts = dice.below(30) + 1;
            const auto buckets = bucketsOf(lengths, parts, isLogarithmic);
            QVERIFY(!buckets.empty() && buckets.size() <= parts + 1);
            for (std::size_t i = 0; i < buckets.size(); ++i) {
                QVERIFY(buckets[i].from < buckets[i].to);
                QVERIFY(i == 0 || buckets[i].from == buckets[i - 1].to);
                const bool isLast = i + 1 == buckets.size(); // The last bucket includes all longer durations.
                const auto isIn = [&](std::int64_t ns) { return ns >= buckets[i].from.count() && (isLast || ns < buckets[i].to.count()); };
                QCOMPARE(std::int64_t(buckets[i].count), std::int64_t(std::ranges::count_if(lengths, isIn)));
            }
            QCOMPARE(buckets.front().from.count(), std::ranges::min(lengths));
        }
        QVERIFY(bucketsOf({}, 5, isLogarithmic).empty());
        QVERIFY(bucketsOf(std::vector<std::int64_t>{1, 10, 100, 999}, 3, true)
                == (std::vector<HistogramBucket>{
                    {Duration(1), Duration(10), 1}, {Duration(10), Duration(100), 1}, {Duration(100), Duration(1000), 2}}));
        QVERIFY(bucketsOf(std::vector<std::int64_t>{0, 5, 9}, 2, false)
                == (std::vector<HistogramBucket>{{Duration(0), Duration(5), 1}, {Duration(5), Duration(10), 2}}));
    }

    void staysAreWholeAndInTimeOrder()
    {
        const auto timeline = MadeTimeline::make(20);
        Dice dice(4);
        for (int round = 0; round < 100; ++round) {
            const std::int64_t begin = std::int64_t(dice.below(3000));
            const TimeRange range = round == 0 ? Always : TimeRange{timestamp(begin), timestamp(begin + std::int64_t(dice.below(1500)))};
            std::vector<RowState> chosen;
            std::vector<std::pair<std::string, Interval>> expected;
            for (const Row& row : rows(*timeline, "control-flow")) {
                const auto state = findState(*timeline, row.ref, "sleeping");
                QVERIFY(state);
                chosen.push_back({row, *state});
                for (const Interval& it : intervals(*timeline, row.ref, Always))
                    if (it.state == *state && it.range.begin >= range.begin && it.range.end <= range.end)
                        expected.emplace_back(row.id, it);
            }
            std::ranges::stable_sort(expected, {}, [](const auto& it) { return it.second.range.begin; });
            std::vector<std::pair<std::string, Interval>> found;
            forEachStateInterval(*timeline, chosen, range, [&](const Row& row, const Interval& it) { found.emplace_back(row.id, it); });
            QVERIFY(found == expected);
            QVERIFY(round != 0 || found.size() > 150);
        }
        QVERIFY(!findState(*timeline, rows(*timeline, "control-flow").front().ref, "idle"));
        QVERIFY(!findState(*timeline, {}, "sleeping"));
    }
};

HELIO_TEST(SegmentQueriesTest)
#include "tst_segment_queries.moc"
