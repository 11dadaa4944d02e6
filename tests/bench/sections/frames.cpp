// Whole pictures of the busiest rows, as large as windows are, at random places and zooms. The time is the thread's own: other programs do
// not count. Arrows are left out: a window lays them over later.

#include "tests/bench/sections/frame_maker.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "tests/bench/suite/windows.h"

#include <QImage>

#include <fmt/format.h>

namespace helio::bench {
namespace {

constexpr int Frames = 300;

struct Goals {
    std::optional<Goal> bars;
    std::optional<Goal> whole;
};

void measureFrame(Measuring& m, const std::shared_ptr<const Timeline>& timeline, const std::string& id, QSize size, const Goals& goals)
{
    FrameMaker maker(timeline, size);
    Windows windows(timeline->range, size.width());
    Samples whole, asked, bars, onScreen, fills;
    QImage picture(size, QImage::Format_RGB32);
    for (int i = 0; i < Frames; ++i) {
        const auto window = windows.next();
        const int scrollY = int(windows.below(std::uint64_t(std::max(1, maker.rowsHeight() - size.height()))));
        maker.ask(window, scrollY, false);
        bars.add(threadSecondsOf([&] { maker.paintBars(); }) * 1e3);
        const double query = threadSecondsOf([&] { maker.ask(window, scrollY, true); });
        const double paint = threadSecondsOf([&] { maker.paintBars(); });
        const double texts = threadSecondsOf([&] { maker.paintRest(); });
        asked.add(query * 1e3);
        onScreen.add((paint + texts) * 1e3);
        whole.add((query + paint + texts) * 1e3);
        fills.add(threadSecondsOf([&] { picture.fill(0xff000000u + QRgb(i)); }) * 1e3);
    }
    const std::string what = fmt::format("{} x {}, {} rows: ", size.width(), size.height(), maker.visibleRows());
    m.figures.add({"frame_" + id + "_p50", what + "whole frame, p50", "ms", whole.median()});
    m.figures.add({"frame_" + id + "_p99", what + "whole frame, p99", "ms", whole.at(0.99), {}, {}, goals.whole});
    m.figures.add({"frame_" + id + "_query_p99", what + "query and pixels alone, p99", "ms", asked.at(0.99)});
    m.figures.add({"frame_" + id + "_bars_p50", what + "bars laid out and painted, p50", "ms", bars.median(), {}, {}, goals.bars});
    m.figures.add({"frame_" + id + "_bars_p99", what + "bars laid out and painted, p99", "ms", bars.at(0.99)});
    // What the machine's memory costs: no painting of every pixel can be faster.
    m.figures.add({"frame_" + id + "_fill_p50", what + "as many pixels filled with one color, p50", "ms", fills.median()});
    m.figures.add({"frame_" + id + "_screen_p99", what + "what the window's thread does, p99", "ms", onScreen.at(0.99)});
}

} // namespace

void measureFrames(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    measureFrame(m, timeline, "1080p", QSize(1'920, 1'080), {atMost(1), atMost(16.7)});
    measureFrame(m, timeline, "4k", QSize(3'840, 2'160), {atMost(3), {}});
    measureFrame(m, timeline, "200", QSize(1'920, 30 + 200 * 14), {{}, atMost(16.7)});
}

} // namespace helio::bench
