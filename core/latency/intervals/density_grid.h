#pragma once

#include "core/latency/intervals/intervals.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// What of a kind's pieces a grid of when they began and how long they lasted is made of.
struct DensityGridScale {
    TimeRange range; ///< Of begins, over all columns.
    Duration least{}; ///< Lengths, over all rows.
    Duration most{};
    bool isLogarithmic = true; ///< Rows are equal in ratio, not in width; lengths below 1 ns are in the lowest.
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;

    /// Where something is; what lies outside is at the edge. Between 0 and `columns`, `rows`.
    double columnAt(Timestamp at) const;
    double rowAt(Duration length) const;
    /// What begins there.
    Timestamp timeAt(double column) const;
    Duration lengthAt(double row) const;
    bool operator==(const DensityGridScale&) const = default;
};

/// How many pieces began when and lasted how long, in cells, each as small as what one can see: so much is drawn however many there are,
/// and none is left out. Immutable.
struct DensityGrid {
    struct Cell {
        std::uint32_t count = 0;
        std::uint32_t name = 0; ///< Of the longest of them: its place among the names that were asked for; as many as these: another one.
    };
    DensityGridScale scale;
    std::vector<Cell> cells; ///< Row by row, the shortest first.
    std::uint32_t most = 0; ///< In one cell.
    std::uint64_t count = 0;

    const Cell& at(std::uint32_t column, std::uint32_t row) const { return cells[std::size_t(row) * scale.columns + column]; }
};

/// Of all pieces that are chosen, or where `only` is not empty of those of that name. Threads, cost: as forEachInterval(), and 16 bytes a
/// cell.
DensityGrid densityGrid(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice, std::string_view only,
                    const DensityGridScale& scale, const std::vector<std::string>& names, std::stop_token stop = {});

/// Those that are wanted, in the order of their begins; the first ones where there are more than `most`, and how many there are.
struct WantedIntervals {
    std::vector<LocatedInterval> pieces;
    std::uint64_t count = 0;
};
WantedIntervals findWantedIntervals(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& choice,
                          const std::function<bool(const NamedInterval&)>& isWanted, std::size_t most, std::stop_token stop = {});

} // namespace helio
