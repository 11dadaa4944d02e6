// Benchmark of whole frames of the busiest rows, in window sizes, at random positions and zooms, in CPU time of the thread. Arrows are
// not included: a window paints them later, on top.

#include "tests/bench/sections/sections.h"
#include "tests/bench/sections/whole_frames.h"

namespace helio::bench {

void measureFrames(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    measureFrame(m, timeline, {"1080p", {}, "control-flow"}, QSize(1'920, 1'080), {atMost(1), atMost(16.7)});
    measureFrame(m, timeline, {"4k", {}, "control-flow"}, QSize(3'840, 2'160), {atMost(3), {}});
    measureFrame(m, timeline, {"200", {}, "control-flow"}, QSize(1'920, 30 + 200 * 14), {{}, atMost(16.7)});
}

} // namespace helio::bench
