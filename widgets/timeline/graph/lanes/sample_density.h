#pragma once

#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/lane_raster.h"

#include <array>

namespace helio {

/// Share of time that a row was busy in each column, estimated from samples. Each sample stands for Lane::samplePeriod before its time. The
/// shares of all modes in a column add up to at most 1.
class SampleDensity {
public:
    using Shares = std::array<float, SampleModes>;

    /// Computes `columns` columns of the scale, starting at `first`; all are 0 if the lane's samples have no period.
    void layOut(const Lane& lane, const TimeScale& scale, int first, int columns);
    const std::vector<Shares>& columns() const { return m_columns; }

    /// True if samples are so dense that ticks above the areas would add no information.
    bool isCrowded() const { return m_isCrowded; }

    /// Paints the shares of the modes in each column as stacked areas, kernel mode at the bottom. `colors` is indexed by mode.
    void paint(const Raster& raster, int baseline, int band, const std::array<QRgb, SampleModes>& colors) const;

private:
    void add(double from, double to, SampleMode mode);

    std::vector<Shares> m_columns; ///< Shares by column. A member only to reuse its memory.
    /// Indexed by column: number of samples that cover the whole column, as the difference from the previous column. A member only to reuse
    /// its memory.
    std::vector<Shares> m_steps;
    bool m_isCrowded = false;
};

} // namespace helio
