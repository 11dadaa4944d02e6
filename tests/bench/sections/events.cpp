// Benchmark of the event table and of searches, which read the trace again from the nearest indexed position.

#include "core/query/events/events.h"

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

#include <random>

namespace helio::bench {
namespace {

constexpr int Jumps = 200;
constexpr std::size_t RowsShown = 50;

Samples jump(const std::shared_ptr<const Timeline>& timeline)
{
    std::mt19937_64 random(1);
    EventTable table(timeline);
    Samples samples;
    for (int i = 0; i < Jumps; ++i) {
        const std::uint64_t at = random() % table.size();
        samples.add(1e3 * threadSecondsOf([&] { table.rows(at, RowsShown); }));
    }
    return samples;
}

/// Search speed in million events per second of this thread's CPU time.
double searchRate(const std::shared_ptr<const Timeline>& timeline, const char* text, std::uint64_t events)
{
    const auto expression = Expression::parse(text);
    if (!expression)
        stop(expression.error().what);
    std::uint64_t hits = 0;
    const double seconds = threadSecondsOf([&] {
        findEvents(timeline, *expression, timeline->range, 0, [&](const std::vector<EventHit>& part, double) { hits += part.size(); });
    });
    return double(events) / 1e6 / seconds;
}

} // namespace

void measureEvents(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    const auto events = m.subject.eventsOf(m.subject.requestedEvents());
    const Samples jumps = jump(timeline);
    m.figures.add({"jump_p50", "event table, 50 rows anywhere: p50", "ms", jumps.median()});
    m.figures.add({"jump_p99", "event table, 50 rows anywhere: p99", "ms", jumps.at(0.99), {}, {}, atMost(50)});
    const auto search = [&](const char* id, const char* what, const char* text, std::optional<Goal> goal) {
        Samples costs; // Seconds per million events, so that the lowest value is the best (Samples::best()).
        for (int i = 0; i < m.repeat; ++i)
            costs.add(1 / searchRate(timeline, text, events));
        m.figures.add({id, what, "M events/s", 1 / costs.best(), 1 / costs.median(), {}, goal, true});
    };
    search("search_fixed", "search ret < 0 (every system call's exit), one core", "ret < 0", atLeast(10));
    search("search_one_type", "search next_tid == 1 && next_prio > 100, one core", "next_tid == 1 && next_prio > 100", atLeast(10));
    search("search_text", "search next_comm contains \"zz\", one core", "next_comm contains \"zz\"", {});
    search("search_word", "search any text for zzz, one core", "zzz", {});
}

} // namespace helio::bench
