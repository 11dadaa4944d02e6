#pragma once

#include "core/store/track_ref.h"

#include <QString>

#include <set>
#include <vector>

namespace helio {

/// Marks of the selected finding, which the overview, the ruler and all time panels paint. Immutable once made.
struct FindingMarks {
    int rank = 0; ///< Rank of the finding in its list, from 1.
    QString color; ///< Theme role of the marks' colour, or "#rrggbb".
    QString text; ///< Number and mean duration of the occurrences, e.g. "Finding 1: 41 times, 205 ms on average".
    std::vector<TimeRange> ranges; ///< Ranges of the occurrences, in the order of their begins; they may overlap.
    std::set<TrackRef> rows; ///< Rows with occurrences, and rows that the finding is about.
};

} // namespace helio
