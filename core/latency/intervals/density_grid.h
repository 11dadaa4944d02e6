#pragma once

#include "core/latency/intervals/intervals.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Axes of a density grid: the x axis shows start times, the y axis durations.
struct DensityGridScale {
    TimeRange range; ///< Range of start times that the columns cover.
    Duration least{}; ///< Shortest duration that the rows of the grid cover.
    Duration most{}; ///< Longest duration that the rows of the grid cover.
    /// True if each row covers the same ratio of durations (logarithmic axis), false if the same difference (linear axis). On a
    /// logarithmic axis, durations below 1 ns are in the lowest row.
    bool isLogarithmic = true;
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;

    /// columnAt() and rowAt() return a position from 0 to `columns` or `rows`, which need not be a whole number. Values outside the
    /// axis are moved to its nearer end.
    double columnAt(Timestamp at) const;
    double rowAt(Duration length) const;
    /// timeAt() and lengthAt() return the start time or the duration at which a column or row begins.
    Timestamp timeAt(double column) const;
    Duration lengthAt(double row) const;
    bool operator==(const DensityGridScale&) const = default;
};

/// Number of intervals in each cell, a range of start times and of durations. Immutable. If a cell is no larger than a visible dot,
/// every interval is visible, and the cost of drawing does not depend on the number of intervals.
struct DensityGrid {
    struct Cell {
        std::uint32_t count = 0;
        /// Name of the longest interval in the cell, as index into the `names` given to densityGrid(); names.size() if its name is not in
        /// `names`.
        std::uint32_t name = 0;
    };
    DensityGridScale scale;
    std::vector<Cell> cells; ///< Cells row by row, beginning with the row of the shortest durations.
    std::uint32_t most = 0; ///< Largest number of intervals in any cell.
    std::uint64_t count = 0;

    const Cell& at(std::uint32_t column, std::uint32_t row) const { return cells[std::size_t(row) * scale.columns + column]; }
};

/// Counts the intervals of the query in a grid. If `only` is not empty, counts just the intervals with that name.
/// Threads: any but the UI thread.
/// Cost: that of forEachInterval(). Memory: 16 bytes per cell.
DensityGrid densityGrid(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice, std::string_view only,
                        const DensityGridScale& scale, const std::vector<std::string>& names, std::stop_token stop = {});

/// Result of findWantedIntervals(): intervals, and the number of all wanted intervals.
struct WantedIntervals {
    /// The first intervals for which isWanted() returned true, in order of start times; at most as many as the caller asked for.
    std::vector<LocatedInterval> intervals;
    std::uint64_t count = 0;
};
/// Finds the intervals of the query for which `isWanted` returns true. Returns at most `most` of these intervals, but counts all of them.
/// Threads: any but the UI thread.
/// Cost: that of forEachInterval().
WantedIntervals findWantedIntervals(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice,
                                    const std::function<bool(const NamedInterval&)>& isWanted, std::size_t most, std::stop_token stop = {});

} // namespace helio
