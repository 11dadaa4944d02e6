#pragma once

#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/lane_raster.h"

#include <array>

namespace helio {

/// Estimate by column of the time that a row was busy: each sample stands for the period before it. The shares of a column add up to at
/// most 1.
class SampleDensity {
public:
    using Shares = std::array<float, SampleModes>;

    /// Computes columns of the scale from `first` on; all are 0 if the lane's samples have no period.
    void layOut(const Lane& lane, const TimeScale& scale, int first, int columns);
    const std::vector<Shares>& columns() const { return m_columns; }

    /// True if samples are so dense that ticks above them would add no information.
    bool isCrowded() const { return m_isCrowded; }

    /// Paints stacked areas, the kernel's at the bottom. `colors` is indexed by mode.
    void paint(const Raster& raster, int baseline, int band, const std::array<QRgb, SampleModes>& colors) const;

private:
    void add(double from, double to, SampleMode mode);

    std::vector<Shares> m_columns; ///< Member only to reuse its memory.
    /// Indexed by column: change of the number of samples that cover the whole column, against the previous column. Member only to reuse
    /// its memory.
    std::vector<Shares> m_steps;
    bool m_isCrowded = false;
};

} // namespace helio
