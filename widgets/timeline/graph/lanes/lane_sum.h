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
using LaneSources = std::vector<LaneSource>; ///< Rows whose states are summed in one lane. Never empty.

/// Number that is added to the states of rows of a second Row::kind, if a sum has rows of two kinds. A kind has at most this many states.
constexpr std::uint8_t SecondKindStates = 16;

/// Sum of the states of several rows in each pixel column.
class LaneSum {
public:
    /// Divides the window into columns of duration `resolution`.
    LaneSum(TimeRange window, Duration resolution);

    void add(const Spans& spans, std::uint8_t firstState);

    /// Writes one span per column, with the shares of the states in units of 1/255. The share of a state is its sum over all rows, at most
    /// 255. Columns without any state get no span.
    void take(Spans& out) const;

private:
    static constexpr std::size_t States = 32;

    void spread(std::size_t state, double from, double to, double amount);

    TimeRange m_window;
    Duration m_resolution;
    std::size_t m_columns;
    std::uint32_t m_mask = 0; ///< Bit mask of the states that occur.
    /// Sum of the shares of spans that cover a column only partly. Indexed by state, then by column.
    std::vector<std::vector<float>> m_parts;
    /// Sum of the shares of spans that cover a whole column, stored as the change from the column before. Indexed by state, then by column.
    std::vector<std::vector<float>> m_wholeChanges;
};

} // namespace helio
