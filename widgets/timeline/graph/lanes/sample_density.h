#pragma once

#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/lane_raster.h"

#include <array>

namespace helio {

/// How much of the time samples stand for, column by column: each for its period before it. The parts of a column add up to 1 at most.
class SampleDensity {
public:
    using Shares = std::array<float, SampleModes>;

    /// Columns of the scale from `first` on. Nothing where the lane's samples have no period.
    void layOut(const Lane& lane, const TimeScale& scale, int first, int columns);
    const std::vector<Shares>& columns() const { return m_columns; }

    /// Samples stand so close that ticks above them would say the same again.
    bool isCrowded() const { return m_isCrowded; }

    /// Areas, the kernel below. `colors`: by mode.
    void paint(const Raster& raster, int baseline, int band, const std::array<QRgb, SampleModes>& colors) const;

private:
    void add(double from, double to, SampleMode mode);

    std::vector<Shares> m_columns; ///< Kept for its room, as the next.
    std::vector<Shares> m_steps; ///< By how much more samples cover a column whole than the one before.
    bool m_isCrowded = false;
};

} // namespace helio
