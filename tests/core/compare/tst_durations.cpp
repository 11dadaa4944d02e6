#include "core/compare/durations.h"
#include "core/query/events/events.h"
#include "core/query/rows/event_thread_resolver.h"
#include "core/query/rows/facts.h"
#include "tests/core/compare/made_processes.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <set>

using namespace helio;

namespace {

using M = MadeProcesses;
using Kind = ComparedDurations::Kind;

const ComparedDurations& of(const std::vector<ComparedDurations>& all, Kind kind, const std::string& state, const std::string& detail = {})
{
    static const ComparedDurations none;
    for (const ComparedDurations& it : all)
        if (it.kind == kind && it.state.name == state && it.detail == detail)
            return it;
    return none;
}

std::vector<ComparedDurations> compared(const Timeline& a, const Timeline& b, const char* program)
{
    const Subject subject{program, {}};
    const auto runsA = runsOf(a, subject, rangeOf(a));
    const auto runsB = runsOf(b, subject, rangeOf(b));
    return compareDurations(a, subject, runsA, b, subject, runsB);
}

/// Expected number and total duration of a program's system calls by name, computed from its events. Counts only calls that begin and end
/// while the program's processes exist.
std::map<std::string, std::pair<std::uint64_t, Duration>> callsInEvents(const std::shared_ptr<const Timeline>& timeline,
                                                                        const char* program)
{
    std::map<std::int64_t, TimeRange> threads;
    for (const ProcessRun& run : processRuns(*timeline, program, rangeOf(*timeline)))
        for (const Row& row : rows(*timeline, "control-flow"))
            if (row.kind == "thread" && row.pid == run.leader.pid)
                threads[row.tid] = run.range;
    std::map<std::string, std::pair<std::uint64_t, Duration>> calls;
    std::map<std::int64_t, std::pair<std::string, Timestamp>> open;
    const EventThreadResolver threadOf(*timeline, 0);
    EventCursor events(timeline, rangeOf(*timeline).begin);
    while (events.next()) {
        const std::string name(events.event().type->name);
        const auto tid = threadOf.tid(events.event());
        const auto thread = tid ? threads.find(*tid) : threads.end();
        if (thread == threads.end())
            continue;
        if (name == "syscall_entry_unknown")
            continue; // Skips a system call without a name: only its number was recorded.
        if (name.starts_with("syscall_entry_"))
            open[*tid] = {name.substr(14), events.time()};
        if (!name.starts_with("syscall_exit_") || !open.contains(*tid))
            continue;
        const auto [call, begin] = open[*tid];
        open.erase(*tid);
        if (begin > thread->second.begin && events.time() < thread->second.end) {
            ++calls[call].first;
            calls[call].second += events.time() - begin;
        }
    }
    return calls;
}

} // namespace

class DurationsTest : public QObject {
    Q_OBJECT

private slots:
    void bucketsAreQuarterOctaves()
    {
        for (const std::int64_t ns : {0L, 1L, 2L, 3L, 7L, 8L, 1000L, 1'048'575L, 1'048'576L, 9'000'000'000L, 4'000'000'000'000'000'000L}) {
            const std::size_t bucket = DurationDistribution::bucketOf(Duration(ns));
            QVERIFY(bucket == 0 || DurationDistribution::bucketBegin(bucket) <= Duration(ns));
            QVERIFY(DurationDistribution::bucketBegin(bucket + 1) > Duration(ns));
        }
        constexpr std::int64_t Octave62 = std::int64_t(1) << 62;
        for (const std::int64_t ns : {Octave62, Octave62 + 1, INT64_MAX})
            QCOMPARE(DurationDistribution::bucketOf(Duration(ns)), std::size_t(62 * DurationDistribution::PerOctave));
        QCOMPARE(DurationDistribution::bucketOf(Duration(1024)), std::size_t(40));
        QCOMPARE(DurationDistribution::bucketOf(Duration(1023)), std::size_t(39));
    }

    void quantilesAreThoseOfTheStaysSeenWhole()
    {
        M a;
        a.process("solver", 100, 1000,
                  {{M::User, 10}, {M::Preempted, 7}, {M::User, 20}, {M::Preempted, 3}, {M::User, 30}, {M::Preempted, 5}, {M::User, 40}});
        M b;
        b.process("solver", 100, 1000, {{M::User, 10}, {M::Preempted, 700}, {M::User, 11}});
        const auto all = compared(a.finish(), b.finish(), "solver");

        const ComparedDurations& preempted = of(all, Kind::State, "preempted");
        QCOMPARE(preempted.a.count, std::uint64_t(3));
        QCOMPARE(preempted.a.total, Duration(15));
        QCOMPARE(preempted.a.least, Duration(3));
        QCOMPARE(preempted.a.median, Duration(5));
        QCOMPARE(preempted.a.p99, Duration(7));
        QCOMPARE(preempted.a.most, Duration(7));
        QCOMPARE(preempted.b.count, std::uint64_t(1));
        QCOMPARE(preempted.b.median, Duration(700));
        // Only two intervals count. The first and the last interval do not count, because they touch the run's ends.
        QCOMPARE(of(all, Kind::State, "running-user").a.count, std::uint64_t(2));
        QCOMPARE(all.front().state.name, "preempted"); // States are sorted by total time.
    }

    void aSystemCallLastsThroughItsWaits()
    {
        M made;
        made.process("solver", 100, 1000,
                     {{M::User, 10},
                      {M::Syscall, 5, "read"},
                      {M::Preempted, 100},
                      {M::Syscall, 6, "read"},
                      {M::User, 10},
                      {M::Syscall, 3, "read"},
                      {M::Syscall, 4, "write"},
                      {M::User, 10},
                      {M::Syscall, 9, "read"},
                      {M::Unknown, 50},
                      {M::User, 5}});
        const Timeline timeline = made.finish();
        const auto all = compared(timeline, timeline, "solver");
        const ComparedDurations& read = of(all, Kind::Syscall, "running-syscall", "read");
        QCOMPARE(read.a.count, std::uint64_t(2)); // The third call does not count, because its end is unknown.
        QCOMPARE(read.a.most, Duration(111));
        QCOMPARE(read.a.least, Duration(3));
        QCOMPARE(of(all, Kind::Syscall, "running-syscall", "write").a.total, Duration(4));
        QCOMPARE(of(all, Kind::State, "running-syscall", "read").a.count, std::uint64_t(4));
    }

    void ofTheSampleAsManySystemCallsAndAsLongAsItsEventsShow()
    {
        const auto timeline = test::sampleTimeline();
        QVERIFY(timeline);
        const auto calls = callsInEvents(timeline, "mixwork");
        const auto all = compared(*timeline, *timeline, "mixwork");
        QVERIFY(calls.size() > 3);
        for (const auto& [name, expected] : calls) {
            const ComparedDurations& call = of(all, Kind::Syscall, "running-syscall", name);
            QCOMPARE(std::pair(name, call.a.count), std::pair(name, expected.first));
            QCOMPARE(call.a.total, expected.second);
            QCOMPARE(call.b.total, expected.second);
        }
    }
};

HELIO_TEST(DurationsTest)
#include "tst_durations.moc"
