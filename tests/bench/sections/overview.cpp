#include "tests/bench/sections/overview.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "tests/bench/sections/sections.h"

namespace helio::bench {
namespace {

constexpr std::size_t Buckets = 1'920 / 2; ///< Number of buckets in the overview strip at a width of 1,920 pixels.

} // namespace

Samples overviewTimes(const Timeline& timeline, int repeat)
{
    Samples times;
    for (int i = 0; i < repeat; ++i) {
        times.add(threadSecondsOf([&] {
            const auto hosts = hostFacts(timeline);
            for (std::uint32_t host = 0; host < hosts.size(); ++host) {
                cpuUtilization(timeline, host, timeline.range, Buckets);
                eventDensity(timeline, host, timeline.range, Buckets);
            }
            losses(timeline, timeline.range);
        }));
    }
    return times;
}

void measureOverview(Measuring& m)
{
    const auto experiment = m.subject.open();
    const Samples times = overviewTimes(*experiment->timeline(), 5 * m.repeat);
    m.figures.add({"overview", "overview of everything, 1920 px", "ms", times.best() * 1e3, times.median() * 1e3});
}

} // namespace helio::bench
