#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"

namespace helio::bench {
namespace {

constexpr std::uint64_t Events = 300'000;

} // namespace

void measureText(Measuring& m)
{
    const std::string trace = m.subject.trace(Events).string();
    const double nsPerEvent = 1e9 / double(m.subject.eventsOf(Events));
    Samples ours, theirs;
    for (int i = 0; i < m.repeat; ++i) {
        const auto own = runChild({HELIOGRAPH_PROGRAM, "events", trace, "--store-dir", m.subject.stores().string()});
        if (!own.isDone)
            stop("heliograph events failed: " + own.errors);
        ours.add(own.cpuSeconds * nsPerEvent);
        if (const auto cost = runChild({"babeltrace2", trace}); cost.isDone)
            theirs.add(cost.cpuSeconds * nsPerEvent);
    }
    m.figures.add(
        {"text", "events as text", "ns/event", ours.best(), ours.median(), theirs.isEmpty() ? std::optional<double>() : theirs.best()});
}

} // namespace helio::bench
