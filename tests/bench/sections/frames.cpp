// Whole pictures of the busiest rows, as large as windows are, at random places and zooms. The time is the thread's own: other programs do
// not count. Arrows are left out: a window lays them over later.

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
