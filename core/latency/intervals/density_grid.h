#pragma once

#include "core/latency/intervals/intervals.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Axes of a density grid: columns are begin times, rows are durations.
struct DensityGridScale {
    TimeRange range; ///< Range of begin times that the columns cover.
    Duration least{}; ///< Shortest duration that the rows cover.
    Duration most{}; ///< Longest duration that the rows cover.
    /// True if rows have equal ratios of durations instead of equal differences; durations below 1 ns are in the lowest row.
    bool isLogarithmic = true;
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;

    /// Return a position between 0 and `columns`, or `rows`; values outside of the axis are at its end.
    double columnAt(Timestamp at) const;
    double rowAt(Duration length) const;
    /// Return the value at which a column or row begins.
    Timestamp timeAt(double column) const;
    Duration lengthAt(double row) const;
    bool operator==(const DensityGridScale&) const = default;
};

/// Number of intervals by begin time and duration. If the cells are no larger than a visible dot, drawing costs the same for any number of
/// intervals, and every interval is visible. Immutable.
struct DensityGrid {
    struct Cell {
        std::uint32_t count = 0;
        /// Name of the longest interval in the cell: index into the `names` given to densityGrid(); names.size() if it has another name.
        std::uint32_t name = 0;
    };
    DensityGridScale scale;
    std::vector<Cell> cells; ///< Row by row; the row of the shortest durations comes first.
    std::uint32_t most = 0; ///< Largest count of any cell.
    std::uint64_t count = 0;

    const Cell& at(std::uint32_t column, std::uint32_t row) const { return cells[std::size_t(row) * scale.columns + column]; }
};

/// Counts the intervals of the query; if `only` is not empty, just those of that name.
/// Threads: as forEachInterval().
/// Cost: as forEachInterval(). Memory: 16 bytes per cell.
DensityGrid densityGrid(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice, std::string_view only,
                        const DensityGridScale& scale, const std::vector<std::string>& names, std::stop_token stop = {});

/// The wanted intervals of a query.
struct WantedIntervals {
    std::vector<LocatedInterval> pieces; ///< The first `most` wanted intervals, in the order of their begins.
    std::uint64_t count = 0;
};
/// Finds the intervals of the query for which `isWanted` returns true.
/// Threads, Cost: as forEachInterval().
WantedIntervals findWantedIntervals(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice,
                                    const std::function<bool(const NamedInterval&)>& isWanted, std::size_t most, std::stop_token stop = {});

} // namespace helio
