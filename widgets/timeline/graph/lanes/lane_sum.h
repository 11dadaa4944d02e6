#pragma once

#include "core/query/rows/rows.h"

#include <span>
#include <vector>

namespace helio {

/// Row whose states are added to the bars of another row.
struct LaneSource {
    TrackRef track;
    /// Offset that is added to the state numbers of the row, so that rows with different looks can be summed: 0 or SecondKindStates.
    std::uint8_t firstState = 0;
    bool operator==(const LaneSource&) const = default;
};
using LaneSources = std::vector<LaneSource>; ///< Never empty.

/// Index of the first state of the second kind in rows that sum two kinds of rows. States of the first kind come before it; each kind has
/// at most this many states.
constexpr std::uint8_t SecondKindStates = 16;

/// Sum of the states of several rows, by column.
class LaneSum {
public:
    /// Makes columns of length `resolution` from the begin of the window on.
    LaneSum(TimeRange window, Duration resolution);

    void add(const Spans& spans, std::uint8_t firstState);

    /// Writes the sum as spans of one row that are all folded: the share of a state is its sum over all rows, at most 255. Columns in which
    /// no row has a state get no span.
    void take(Spans& out) const;

private:
    static constexpr std::size_t States = 32;

    void spread(std::size_t state, double from, double to, double amount);

    TimeRange m_window;
    Duration m_resolution;
    std::size_t m_columns;
    std::uint32_t m_mask = 0; ///< Bit mask of the states that occur.
    std::vector<std::vector<float>> m_parts; ///< Indexed by state, then column: shares of spans that cover a column only in part.
    /// Indexed by state, then column: change of the number of spans that cover the whole column, against the previous column.
    std::vector<std::vector<float>> m_steps;
};

} // namespace helio
