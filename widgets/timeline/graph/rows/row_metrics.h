#pragma once

namespace helio {

enum class Density { Compact, Normal, Roomy };

/// Vertical layout of a row, in device-independent pixels from the top of the row.
struct RowMetrics {
    int height = 20;
    int band = 13; ///< Height of the band in which bars are drawn, in device-independent pixels.
    int bandTop = 4;
    int tickTop = 1;
    int lineTop = 0; ///< Top of the line of numbers, which is LineHeight high; 0 if the row has none.

    int baseline() const { return bandTop + band; }
    bool operator==(const RowMetrics&) const = default;
};

constexpr int LineHeight = 3;

// In a row with several lanes: height of a lane, and distance between the tops of adjacent lanes, in pixels.
constexpr int LaneHeight = 4;
constexpr int LanePitch = 5;
constexpr int LaneMargin = 3; ///< Space above the first lane and below the last lane of a row, in device-independent pixels.
constexpr std::size_t MostShownLanes = 8;

/// Metrics of a row with `lanes` lanes.
constexpr RowMetrics laneMetrics(int lanes)
{
    const int high = 2 * LaneMargin + LanePitch * lanes - 1;
    return {high < 20 ? 20 : high, LanePitch * lanes - 1, LaneMargin, 1, 0};
}

/// Shape of a row, which determines its RowMetrics.
enum class RowShape {
    Normal,
    Tall, ///< 4 pixels higher than Normal, with room for a line of numbers.
    FirstFrame, ///< Row of the outermost frame of a call stack, with some space above it. Each depth of a call stack is a row of its own.
    Frame, ///< Row of a deeper frame, directly below the row of its caller.
    Strip, ///< Row of states below a call stack, too low for texts.
};

/// Metrics of a row of frames with `above` pixels above the band; the band is 16 pixels high at normal density.
constexpr RowMetrics frameMetrics(Density density, int above)
{
    const int band = density == Density::Compact ? 13 : density == Density::Normal ? 16 : 20;
    return {above + band + 1, band, above, above, 0};
}

constexpr RowMetrics metricsOf(Density density, RowShape shape)
{
    switch (shape) {
    case RowShape::FirstFrame: return frameMetrics(density, 3);
    case RowShape::Frame: return frameMetrics(density, 0);
    case RowShape::Strip: return {12, 5, 2, 1, 0};
    case RowShape::Normal:
    case RowShape::Tall: break;
    }
    const bool isTall = shape == RowShape::Tall;
    switch (density) {
    case Density::Compact: return isTall ? RowMetrics{18, 10, 3, 0, 14} : RowMetrics{14, 10, 4, 1, 0};
    case Density::Normal: return isTall ? RowMetrics{24, 14, 3, 0, 19} : RowMetrics{20, 13, 4, 1, 0};
    case Density::Roomy: return isTall ? RowMetrics{32, 21, 3, 0, 26} : RowMetrics{28, 20, 4, 1, 0};
    }
    return {};
}

} // namespace helio
