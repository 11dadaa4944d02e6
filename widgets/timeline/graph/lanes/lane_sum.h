#pragma once

#include "core/query/rows/rows.h"

#include <span>
#include <vector>

namespace helio {

/// Row whose states are added to the bars of another row.
struct LaneSource {
    TrackRef track;
    /// Offset that is added to the row's state numbers, 0 or SecondKindStates, so that rows with different state sets can be summed.
    std::uint8_t firstState = 0;
    bool operator==(const LaneSource&) const = default;
};
using LaneSources = std::vector<LaneSource>; ///< Rows that are summed. Never empty.

/// Index of the first state of the second kind, for rows that sum rows of two kinds. Each kind has at most this many states.
constexpr std::uint8_t SecondKindStates = 16;

/// Sum of the states of several rows in each pixel column.
class LaneSum {
public:
    /// Divides the window into columns of duration `resolution`.
    LaneSum(TimeRange window, Duration resolution);

    void add(const Spans& spans, std::uint8_t firstState);

    /// Writes the sum as folded spans of one row, one per column. The share of a state is its sum over all rows, at most 255. Columns
    /// without any state get no span.
    void take(Spans& out) const;

private:
    static constexpr std::size_t States = 32;

    void spread(std::size_t state, double from, double to, double amount);

    TimeRange m_window;
    Duration m_resolution;
    std::size_t m_columns;
    std::uint32_t m_mask = 0; ///< Bit mask of the states that occur.
    /// Indexed by state, then column: sum of the shares of spans that cover the column only partly.
    std::vector<std::vector<float>> m_parts;
    /// Indexed by state, then column: number of spans that cover the whole column, as the difference from the previous column.
    std::vector<std::vector<float>> m_steps;
};

} // namespace helio
