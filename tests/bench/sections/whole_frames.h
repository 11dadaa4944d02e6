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

/// A view whose frames are measured.
struct FramedView {
    std::string id; ///< Prefix of the figures' ids.
    std::string what; ///< Text before the size in the figures' titles.
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
