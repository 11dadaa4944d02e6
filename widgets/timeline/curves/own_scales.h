#pragma once

#include "widgets/timeline/curves/curve_scene.h"

#include <map>
#include <span>
#include <vector>

namespace helio {

/// Scales of curves that count different things: cycles by the billion, page faults by the hundred. Those of one title share one, which is
/// kept while the window moves, as the scale of all is (followed()).
class OwnScales {
public:
    /// Sets the lines' scales, by their titles, to what they are in view: `ranges`, line by line, those of hidden ones empty. Before all of
    /// the window is known, as large as they were. False, and none are set: all that is shown is of one title. `steps`: as of scaleFor().
    bool apply(std::vector<CurveLine>& lines, std::span<const ValueRange> ranges, bool isWholeKnown, int steps);
    void forget() { m_scales.clear(); }

private:
    std::map<QString, ValueScale> m_scales; ///< By title.
};

} // namespace helio
