// Benchmark of the durations of all system calls, summarized by name like in the Durations dock and the latency command.

#include "core/latency/intervals/density_grid.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "widgets/docks/durations/scatter_chart.h"

#include <QImage>

#include <fmt/format.h>

namespace helio::bench {
namespace {

constexpr std::size_t Buckets = 72; // Number of histogram buckets, as in the Durations dock.

/// Measures the chart that shows intervals by time and duration. The time to paint does not depend on the number of intervals, because the
/// chart paints a density grid, which is computed outside the UI thread.
void measureTimes(Measuring& m, const std::shared_ptr<const Timeline>& timeline, std::uint64_t count)
{
    DensityGridScale scale{timeline->range, Duration(1), Duration(1), true, 400, 120};
    for (const DurationStats& it : durationStats(timeline, {"syscall"}))
        scale.most = std::max(scale.most, it.lengths.most);
    std::shared_ptr<const DensityGrid> grid;
    Samples made;
    for (int i = 0; i < m.repeat; ++i)
        made.add(1e3 * secondsOf([&] { grid = std::make_shared<const DensityGrid>(densityGrid(timeline, {"syscall"}, {}, scale, {})); }));
    m.figures.add({"latency_grid", fmt::format("{} system calls by when and how long", count), "ms", made.best(), made.median()});
    ScatterChart chart;
    chart.resize(1'800, 400);
    QImage picture(chart.size(), QImage::Format_RGB32);
    for (const auto& [shape, name] : {std::pair(ScatterChart::Shape::Scatter, "scatter"), {ScatterChart::Shape::Density, "density"}}) {
        chart.setShape(shape);
        Samples painted;
        for (int i = 0; i < 100; ++i) { // setGrid() discards the painted picture, so each render() paints it anew.
            chart.setGrid(grid);
            painted.add(1e3 * threadSecondsOf([&] { chart.render(&picture); }));
        }
        m.figures.add({fmt::format("latency_{}", name),
                       fmt::format("their {}, 1800 x 400, drawn anew, p99", name),
                       "ms",
                       painted.at(0.99),
                       painted.median(),
                       {},
                       atMost(16.7)});
    }
}

} // namespace

void measureLatencies(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    Samples samples;
    std::uint64_t count = 0;
    for (int i = 0; i < m.repeat; ++i) {
        samples.add(1e3 * secondsOf([&] {
                        count = 0;
                        for (const DurationStats& it : durationStats(timeline, {"syscall"}, Buckets))
                            count += it.lengths.count;
                    }));
    }
    if (count == 0)
        return m.figures.note("latencies: the trace has no system calls");
    m.figures.add({"latency_syscalls",
                   fmt::format("{} system calls of {:.1f} M events, by name with percentiles", count,
                               double(m.subject.eventsOf(m.subject.requestedEvents())) / 1e6),
                   "ms",
                   samples.best(),
                   samples.median(),
                   {},
                   atMost(1000)});
    measureTimes(m, timeline, count);
}

} // namespace helio::bench
