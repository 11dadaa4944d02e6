// Benchmark of critical paths: of the thread with the longest lifetime, and of the thread with the most states.

#include "core/query/related/related.h"
#include "core/query/rows/rows.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/path.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio::bench {
namespace {

struct Measured {
    double seconds = 0;
    std::size_t segments = 0;
};

Measured pathOf(const Timeline& timeline, const Row& thread, TimeRange range)
{
    Measured it;
    it.seconds = threadSecondsOf([&] { it.segments = criticalPath(timeline, thread.ref, range).segments.size(); });
    return it;
}

constexpr std::int64_t Requests = 10'000;
constexpr Duration RequestLength = std::chrono::milliseconds(1);

/// Finds the critical paths of 10,000 requests, the number in a large table of requests. The requests begin at equal distances over the
/// thread's lifetime.
Measured requestsOf(const Timeline& timeline, const Row& thread)
{
    Measured it;
    it.seconds = threadSecondsOf([&] {
        PathFinder finder(timeline);
        for (std::int64_t i = 0; i < Requests; ++i) {
            const Timestamp begin = thread.life.begin + thread.life.duration() / Requests * i;
            it.segments += finder.find(thread.ref, {begin, begin + RequestLength}).segments.size();
        }
    });
    return it;
}

/// Seconds to find the beginning of a critical path. The window shows this beginning first, and limits the search for it to 50 ms.
double beginOf(const Timeline& timeline, const Row& thread)
{
    constexpr Duration Allowed = std::chrono::milliseconds(50);
    return secondsOf([&] { (void)related(timeline, PathRelation, {thread.ref, thread.life, Allowed}); });
}

} // namespace

void measurePaths(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    const std::vector<Row> all = threads(*timeline);
    if (all.empty())
        return m.figures.note("critical paths: the trace has no threads with states");
    // Lifetime of a thread; 0 for threads with few intervals, which mostly wait.
    const auto lived = [](const Row& row) { return row.intervals > 100 ? row.life.duration() : Duration{}; };
    const Row& longest = *std::ranges::max_element(all, {}, lived);
    const Row& busiest = *std::ranges::max_element(all, {}, &Row::intervals);
    Samples begin, whole, first, each, table;
    std::size_t segments = 0, inTable = 0;
    for (int i = 0; i < m.repeat; ++i) {
        if (i == 0) // Measure the search for the begin of the path in the first run only, because later runs would find it in a cache.
            begin.add(beginOf(*timeline, longest) * 1e3);
        whole.add(pathOf(*timeline, longest, longest.life).seconds * 1e3);
        const TimeRange tenth{busiest.life.begin, busiest.life.begin + busiest.life.duration() / 10};
        first.add(pathOf(*timeline, busiest, tenth).seconds * 1e3);
        const Measured busy = pathOf(*timeline, busiest, busiest.life);
        segments = busy.segments;
        each.add(busy.seconds * 1e9 / double(std::max<std::size_t>(1, busy.segments)));
        const Measured requests = requestsOf(*timeline, busiest);
        inTable = requests.segments;
        table.add(requests.seconds * 1e3);
    }
    m.figures.add({"path_begin",
                   "the begin of the path of the thread that was there longest, with its rows",
                   "ms",
                   begin.best(),
                   begin.median(),
                   {},
                   atMost(100)});
    m.figures.add({"path_longest",
                   fmt::format("path of the thread that was there longest, {}", longest.label),
                   "ms",
                   whole.best(),
                   whole.median(),
                   {},
                   atMost(1000)});
    m.figures.add(
        {"path_tenth", fmt::format("path of a tenth of the busiest thread's life, {}", busiest.label), "ms", first.best(), first.median()});
    m.figures.add({"path_each", fmt::format("a stretch of all of its life, which has {}", segments), "ns", each.best(), each.median()});
    m.figures.add({"path_requests",
                   fmt::format("paths of {} requests of a ms each, {} stretches together", Requests, inTable),
                   "ms",
                   table.best(),
                   table.median(),
                   {},
                   atMost(2000)});
}

} // namespace helio::bench
