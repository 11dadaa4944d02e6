#pragma once

#include "core/query/rows/rows.h"

#include <span>
#include <vector>

namespace helio {

/// A row whose states are part of another row's bars.
struct LaneSource {
    TrackRef track;
    std::uint8_t firstState = 0; ///< Added to its states' numbers: rows of several looks in one.
    bool operator==(const LaneSource&) const = default;
};
using LaneSources = std::vector<LaneSource>; ///< Never empty.

/// Where the looks of a second kind of rows begin in rows that show two kinds together: those of the first stand before those of the
/// second, and each kind has as many states at most.
constexpr std::uint8_t SecondLooks = 16;

/// Adds up what several rows did, column by column.
class LaneSum {
public:
    /// Columns as long as `resolution` from the window's begin on.
    LaneSum(TimeRange window, Duration resolution);

    void add(const Spans& spans, std::uint8_t firstState);

    /// Spans of one row that are all folded: a state's share is what it has in all rows together, at most 255. Stretches without a row
    /// have none.
    void take(Spans& out) const;

private:
    static constexpr std::size_t States = 32;

    void spread(std::size_t state, double from, double to, double amount);

    TimeRange m_window;
    Duration m_resolution;
    std::size_t m_columns;
    std::uint32_t m_mask = 0; ///< States met.
    std::vector<std::vector<float>> m_parts; ///< By state, then column: what covers only part of it.
    std::vector<std::vector<float>> m_steps; ///< By how much more covers a column whole than the one before.
};

} // namespace helio
