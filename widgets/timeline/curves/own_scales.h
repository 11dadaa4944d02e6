#pragma once

#include "widgets/timeline/curves/curve_scene.h"

#include <map>
#include <span>
#include <vector>

namespace helio {

/// Scales for curves of different counters, e.g. cycles by the billion and page faults by the hundred. Curves with the same title share a
/// scale. It is kept while the visible range moves; see followed().
class OwnScales {
public:
    /// Sets the scale of each line by its title, from `ranges`: the values of each line in view, empty for hidden lines. Until the whole
    /// visible range is known, scales do not shrink. Returns false, and sets no scales, if all shown lines have the same title. `steps`
    /// is that of scaleFor().
    bool apply(std::vector<CurveLine>& lines, std::span<const ValueRange> ranges, bool isWholeKnown, int steps);
    void forget() { m_scales.clear(); }

private:
    std::map<QString, ValueScale> m_scales; ///< Key: title.
};

} // namespace helio
