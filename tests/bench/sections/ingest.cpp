// Benchmark of indexing, from a trace to a ready store on disk. Runs whole programs to include start-up and threads, as for the user.

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"

#include <fmt/format.h>
#include <thread>

namespace helio::bench {
namespace {

struct Costs {
    Samples wall;
    Samples cpu;
};

void addTo(Costs& costs, const ChildCost& cost, double nsPerEvent)
{
    costs.wall.add(cost.seconds * nsPerEvent);
    costs.cpu.add(cost.cpuSeconds * nsPerEvent);
}

std::optional<double> bestOf(const Samples& samples) { return samples.isEmpty() ? std::optional<double>() : samples.best(); }

} // namespace

void measureIngest(Measuring& m)
{
    const std::string trace = m.subject.trace().string();
    const double nsPerEvent = 1e9 / double(m.subject.eventsOf(m.subject.requestedEvents()));
    const std::string folder = (m.subject.scratch() / "ingest").string();
    Costs one, two, all, theirs;
    const unsigned cores = std::thread::hardware_concurrency();
    const auto index = [&](unsigned jobs, Costs& costs) {
        const auto cost =
            runChild({HELIOGRAPH_PROGRAM, "index", trace, "--force", "--quiet", "--store-dir", folder, "--jobs", std::to_string(jobs)});
        if (!cost.isDone)
            stop("heliograph index failed: " + cost.errors);
        addTo(costs, cost, nsPerEvent);
    };
    for (int i = 0; i < m.repeat; ++i) { // The programs take turns, so that a temporary slowdown of the machine affects all programs.
        index(1, one);
        index(2, two);
        if (cores > 2)
            index(cores, all);
        if (const auto cost = runChild({"babeltrace2", trace, "-o", "dummy"}); cost.isDone)
            addTo(theirs, cost, nsPerEvent);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    m.figures.add({"ingest_1_cpu", "trace to ready store, one thread: processor time", "ns/event", one.cpu.best(), one.cpu.median(),
                   bestOf(theirs.cpu), atLeastTimesTheirs(10)});
    m.figures.add({"ingest_1", "trace to ready store, one thread", "ns/event", one.wall.best(), one.wall.median(), bestOf(theirs.wall)});
    m.figures.add({"ingest_2", "trace to ready store, two threads", "ns/event", two.wall.best(), two.wall.median(), bestOf(theirs.wall)});
    m.figures.add({"ingest_2_cpu", "trace to ready store, two threads: processor time", "ns/event", two.cpu.best(), two.cpu.median(),
                   bestOf(theirs.cpu)});
    if (cores > 2)
        m.figures.add({"ingest_all", fmt::format("trace to ready store, {} threads", cores), "ns/event", all.wall.best(), all.wall.median(),
                       bestOf(theirs.wall)});
    m.figures.add({"ingest_threads",
                   "two threads are faster than one by",
                   "times",
                   one.wall.best() / two.wall.best(),
                   one.wall.median() / two.wall.median(),
                   {},
                   atLeast(1.05),
                   true});
}

} // namespace helio::bench
