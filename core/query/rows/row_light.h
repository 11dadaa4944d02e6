#pragma once

#include "core/query/rows/arrows.h"

#include <map>
#include <vector>

namespace helio {

/// What rows did that is to be seen before all else: the rest of their views is faded. Immutable once made.
struct RowLight {
    struct Step {
        TimeRange range;
        TrackRef row;
        bool operator==(const Step&) const = default;
    };

    std::map<TrackRef, std::vector<TimeRange>> rows; ///< In time order, apart from each other.
    std::vector<Arrow> arrows; ///< From one to the next, by fromTime.
    std::vector<Step> steps; ///< What one walks along, in time order.

    /// Whether it lights any row of a store: the others of that store are then faded.
    bool isIn(StoreIndex store) const
    {
        const auto it = rows.lower_bound({store, TrackId{0}});
        return it != rows.end() && it->first.store == store;
    }
};

} // namespace helio
