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

/// What frames are made of.
struct FramedView {
    std::string id; ///< Of the figures.
    std::string what; ///< Before the size, in their names.
    std::string view;
};

struct FrameGoals {
    std::optional<Goal> bars;
    std::optional<Goal> whole;
};

/// Whole pictures of the busiest rows of a view at random places and zooms: asked for, laid out and painted. The time is the thread's own.
void measureFrame(Measuring& m, const std::shared_ptr<const Timeline>& timeline, const FramedView& view, QSize size,
                  const FrameGoals& goals);

} // namespace helio::bench
