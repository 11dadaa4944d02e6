#pragma once

#include "core/query/rows/arrows.h"

#include <map>
#include <vector>

namespace helio {

/// Ranges of rows, and arrows, that the views highlight; the views fade all other ranges and arrows. Immutable once made.
struct HighlightMask {
    struct Step {
        TimeRange range;
        TrackRef row;
        bool operator==(const Step&) const = default;
    };

    std::map<TrackRef, std::vector<TimeRange>> rows; ///< Highlighted ranges by row, in time order, not overlapping.
    std::vector<Arrow> arrows; ///< Arrows from one highlighted row to another, by fromTime.
    std::vector<Step> steps; ///< Positions that the user can step through, in time order.

    /// True if any row of the store is highlighted. Views then fade all rows of the store that are not highlighted.
    bool isIn(StoreIndex store) const
    {
        const auto it = rows.lower_bound({store, TrackId{0}});
        return it != rows.end() && it->first.store == store;
    }
};

} // namespace helio
