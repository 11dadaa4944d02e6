#pragma once

namespace helio {

enum class Density { Compact, Normal, Roomy };

/// Where the parts of a row stand, in device-independent pixels from its top.
struct RowMetrics {
    int height = 20;
    int band = 13; ///< Height of the bars' band.
    int bandTop = 4;
    int tickTop = 1;
    int lineTop = 0; ///< 0: none. LineHeight high.

    int baseline() const { return bandTop + band; }
    bool operator==(const RowMetrics&) const = default;
};

constexpr int LineHeight = 3;

/// `isTall`: with room for a line, 4 more than others.
constexpr RowMetrics metricsOf(Density density, bool isTall)
{
    switch (density) {
    case Density::Compact: return isTall ? RowMetrics{18, 10, 3, 0, 14} : RowMetrics{14, 10, 4, 1, 0};
    case Density::Normal: return isTall ? RowMetrics{24, 14, 3, 0, 19} : RowMetrics{20, 13, 4, 1, 0};
    case Density::Roomy: return isTall ? RowMetrics{32, 21, 3, 0, 26} : RowMetrics{28, 20, 4, 1, 0};
    }
    return {};
}

} // namespace helio
