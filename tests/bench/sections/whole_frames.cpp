#include "tests/bench/sections/whole_frames.h"

#include "tests/bench/sections/frame_maker.h"
#include "tests/bench/suite/measuring.h"
#include "tests/bench/suite/windows.h"

#include <QImage>

#include <fmt/format.h>

namespace helio::bench {
namespace {

constexpr int Frames = 300;

} // namespace

void measureFrame(Measuring& m, const std::shared_ptr<const Timeline>& timeline, const FramedView& view, QSize size,
                  const FrameGoals& goals)
{
    FrameRenderer maker(timeline, size, view.view);
    const std::string id = "frame_" + view.id;
    Windows windows(timeline->range, size.width());
    Samples whole, asked, bars, onScreen, fills;
    QImage picture(size, QImage::Format_RGB32);
    for (int i = 0; i < Frames; ++i) {
        const auto window = windows.next();
        const int scrollY = int(windows.below(std::uint64_t(std::max(1, maker.rowsHeight() - size.height()))));
        maker.queryVisibleRows(window, scrollY, false);
        bars.add(threadSecondsOf([&] { maker.paintBars(); }) * 1e3);
        const double query = maker.queryVisibleRows(window, scrollY, true);
        const double paint = threadSecondsOf([&] { maker.paintBars(); });
        const double texts = threadSecondsOf([&] { maker.paintRest(); });
        asked.add(query * 1e3);
        onScreen.add((paint + texts) * 1e3);
        whole.add((query + paint + texts) * 1e3);
        fills.add(threadSecondsOf([&] { picture.fill(0xff000000u + QRgb(i)); }) * 1e3);
    }
    const std::string what = fmt::format("{}{} x {}, {} rows: ", view.what, size.width(), size.height(), maker.visibleRows());
    m.figures.add({id + "_p50", what + "whole frame, p50", "ms", whole.median()});
    m.figures.add({id + "_p99", what + "whole frame, p99", "ms", whole.at(0.99), {}, {}, goals.whole});
    m.figures.add({id + "_query_p99", what + "query and pixels on several threads, p99", "ms", asked.at(0.99)});
    m.figures.add({id + "_bars_p50", what + "bars laid out and painted, p50", "ms", bars.median(), {}, {}, goals.bars});
    m.figures.add({id + "_bars_p99", what + "bars laid out and painted, p99", "ms", bars.at(0.99)});
    // Add the time to fill the picture with one colour, for comparison. The memory's bandwidth limits this time, so no frame that sets
    // every pixel can take less.
    m.figures.add({id + "_fill_p50", what + "as many pixels filled with one color, p50", "ms", fills.median()});
    m.figures.add({id + "_screen_p99", what + "what the window's thread does, p99", "ms", onScreen.at(0.99)});
}

} // namespace helio::bench
