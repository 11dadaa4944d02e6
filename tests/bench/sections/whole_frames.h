#pragma once

#include "tests/bench/sections/sections.h"

#include <QSize>

#include <memory>
#include <optional>
#include <string>

namespace helio {
struct Timeline;
}

namespace helio::bench {

/// A view for which the benchmark measures the time to render a picture.
struct FramedView {
    std::string id; ///< Prefix of the ids of all figures (measured values) of this view.
    std::string what; ///< First words of the figures' titles. The size of the picture in pixels follows.
    std::string view;
};

struct FrameGoals {
    std::optional<Goal> bars;
    std::optional<Goal> whole;
};

/// Measures whole frames of a view's busiest rows at random positions and zooms: query, layout and painting, in CPU time of the thread.
void measureFrame(Measuring& m, const std::shared_ptr<const Timeline>& timeline, const FramedView& view, QSize size,
                  const FrameGoals& goals);

} // namespace helio::bench
