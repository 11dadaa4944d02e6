// Segments and packets as intervals by name. Property: they equal the synthetic segments and the matched packets.

#include "core/latency/intervals/empty_reason.h"
#include "core/latency/intervals/intervals.h"
#include "core/latency/periods/periodicity.h"
#include "core/network/packet_transits.h"
#include "core/query/rows/duration_distribution.h"
#include "tests/support/made_intervals.h"
#include "tests/support/test_program.h"
#include "tests/support/two_hosts.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>

using namespace helio;

namespace {

std::vector<std::int64_t> lengthsMade(int host, int parity)
{
    std::vector<std::int64_t> all;
    for (int i = parity; i < MadeIntervals::Turns; i += 2)
        all.push_back(MadeIntervals::lengthOf(host, i));
    return all;
}

std::vector<std::int64_t> lengthsOf(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice, std::string_view name)
{
    std::vector<std::int64_t> all;
    forEachInterval(timeline, choice, [&](const NamedInterval& it) {
        if (it.name == name)
            all.push_back(helio::lengthOf(it.range).count());
    });
    std::ranges::sort(all);
    return all;
}

} // namespace

class PiecesTest : public QObject {
    Q_OBJECT

private slots:
    void kindsAreThoseOfSegments()
    {
        const auto kinds = intervalKinds(MadeIntervals::make({"web"}));
        QCOMPARE(kinds.size(), 1U);
        QCOMPARE(kinds[0].id, std::string("turns"));
        QCOMPARE(kinds[0].title, std::string("Turns"));
        QCOMPARE(kinds[0].nameTitle, std::string("Turn"));
        QVERIFY(kinds[0].areSegments);
    }

    void whatAKindWouldTakeIsSaid()
    {
        const auto timeline = MadeIntervals::make({"web"}, true);
        QCOMPARE(intervalKinds(timeline).front().id, std::string("breaks"));
        QVERIFY(durationStats(timeline, {"breaks"}).empty());
        QCOMPARE(missingEvents(*timeline, "breaks"), std::string("break_begin was not recorded; record them with: record -e break_begin"));
        QCOMPARE(missingEvents(*timeline, "turns"), std::string());
        timeline->traces.front().missing.push_back(
            {.view = "control-flow", .anyOf = {"syscall_entry_*", "syscall_exit_*"}, .kinds = {"syscall"}});
        QCOMPARE(missingEvents(*timeline, "syscall"), std::string("syscall_entry_* was not recorded"));
        timeline->traces.front().missing.back().isSampled = true;
        QCOMPARE(missingEvents(*timeline, "syscall"), std::string("syscall_entry_* was only sampled, not fully recorded"));
        QCOMPARE(missingEvents(*timeline, "preemption"), std::string());
        timeline->traces.front().missing.push_back({"control-flow", {"sched_switch"}, "threads have no states", "record it", true});
        QCOMPARE(missingEvents(*timeline, "preemption"), std::string("sched_switch was not recorded; record them with: record it"));
    }

    /// Property: the search for periods needs 8 intervals, the number that whyTooFewToRepeat() requires. Fewer intervals have no period,
    /// even if they are regular.
    void tooFewIntervalsNeverRepeat()
    {
        QCOMPARE(whyTooFewToRepeat(0), std::string("no intervals: too few to find a period"));
        QCOMPARE(whyTooFewToRepeat(1), std::string("only 1 interval: too few to find a period"));
        QCOMPARE(whyTooFewToRepeat(7), std::string("only 7 intervals: too few to find a period"));
        QCOMPARE(whyTooFewToRepeat(8), std::string());
        PeriodicityDetector periods;
        for (int i = 0; i < 7; ++i)
            periods.add({timestamp(1'000'000 * i), timestamp(1'000'000 * i + 1'000)});
        QVERIFY(periods.find().empty());
    }

    void eachNameHasItsPercentiles()
    {
        const auto timeline = MadeIntervals::make({"web"});
        const auto lines = durationStats(timeline, {"turns"});
        QCOMPARE(lines.size(), 2U);
        for (const DurationStats& it : lines) {
            auto expected = lengthsMade(0, it.name == "odd");
            QCOMPARE(lengthsOf(timeline, {"turns"}, it.name), expected);
            QCOMPARE(it.lengths.count, std::uint64_t(20));
            QCOMPARE(it.lengths.median.count(), expected[9]);
            QCOMPARE(it.lengths.p90.count(), expected[17]);
            QCOMPARE(it.lengths.p99.count(), expected[19]);
        }
    }

    void eachNameHasItsBuckets()
    {
        const auto timeline = MadeIntervals::make({"web"});
        for (const DurationStats& it : durationStats(timeline, {"turns"}, 7)) {
            const auto lengths = lengthsMade(0, it.name == "odd");
            QCOMPARE(it.logarithmic, bucketsOf(lengths, 7, true));
            QCOMPARE(it.linear, bucketsOf(lengths, 7, false));
            QVERIFY(it.linear.size() > 3 && it.linear != it.logarithmic);
        }
        QVERIFY(durationStats(timeline, {"turns"}).front().linear.empty());
    }

    /// Property: a time range has the intervals that lie completely in it.
    void rangesHaveWhatLiesInThem()
    {
        const auto timeline = MadeIntervals::make({"web"});
        std::vector<TimeRange> all;
        forEachInterval(timeline, {"turns"}, [&](const NamedInterval& it) { all.push_back(it.range); });
        QCOMPARE(all.size(), std::size_t(MadeIntervals::Turns));
        const TimeRange window{all[5].begin, all[20].end - Duration(1)};
        std::vector<TimeRange> expected, found;
        std::ranges::copy_if(all, std::back_inserter(expected),
                             [&](TimeRange it) { return it.begin >= window.begin && it.end <= window.end; });
        forEachInterval(timeline, {"turns", window}, [&](const NamedInterval& it) { found.push_back(it.range); });
        QVERIFY(expected.size() > 5 && expected.size() < 20);
        QCOMPARE(found, expected);
        std::uint64_t count = 0;
        for (const DurationStats& it : durationStats(timeline, {"turns", window}))
            count += it.lengths.count;
        QCOMPARE(count, std::uint64_t(expected.size()));
    }

    /// Property: threads of one name on two hosts have separate statistics.
    void hostsAreKeptApart()
    {
        const auto timeline = MadeIntervals::make({"web", "db"});
        std::vector<std::string> names;
        for (const DurationStats& it : durationStats(timeline, {"turns"}))
            names.push_back(it.name);
        std::ranges::sort(names);
        QCOMPARE(names, (std::vector<std::string>{"even on db", "even on web", "odd on db", "odd on web"}));
        QCOMPARE(lengthsOf(timeline, {"turns"}, "odd on db"), lengthsMade(1, 1));
    }

    void whatIsNotThereHasNone()
    {
        const auto timeline = MadeIntervals::make({"web"});
        QVERIFY(durationStats(timeline, {"nothing"}).empty());
        QVERIFY(lengthsOf(timeline, {"turns"}, "nobody").empty());
    }

    void packetsAreByConnection()
    {
        const QTemporaryDir stores;
        const auto experiment = test::openedTwoHosts(stores.path().toStdString());
        const auto timeline = experiment->timeline();
        const auto kinds = intervalKinds(timeline);
        const auto packets = std::ranges::find(kinds, "packet", &IntervalKind::id);
        QVERIFY(packets != kinds.end());
        QCOMPARE(packets->title, std::string("Packets"));
        QCOMPARE(packets->nameTitle, std::string("Connection"));
        std::map<std::string, std::vector<std::int64_t>> expected;
        forEachTransit(*timeline, "packet", {Timestamp::min(), Timestamp::max()}, [&](const PacketTransit& it) {
            expected[connectionOf(*timeline, it)].push_back(helio::lengthOf(it.range).count());
        });
        const auto lines = durationStats(timeline, {"packet"});
        QCOMPARE(lines.size(), expected.size());
        QVERIFY(lines.size() > 3);
        for (const DurationStats& it : lines) {
            auto& all = expected[it.name];
            std::ranges::sort(all);
            QCOMPARE(it.lengths.count, std::uint64_t(all.size()));
            QCOMPARE(it.lengths.median.count(), all[(all.size() * 50 + 99) / 100 - 1]);
            QCOMPARE(it.lengths.most.count(), all.back());
        }
    }
};

HELIO_TEST(PiecesTest)
#include "tst_pieces.moc"
