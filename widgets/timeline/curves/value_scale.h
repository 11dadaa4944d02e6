#pragma once

#include <QString>

#include <algorithm>
#include <limits>
#include <vector>

namespace helio {

/// Minimum and maximum of a set of values. Empty by default.
struct ValueRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    bool isEmpty() const { return least > most; }
    void add(double value) { add(ValueRange{value, value}); }
    void add(const ValueRange& other)
    {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
    bool operator==(const ValueRange&) const = default;
};

/// Linear scale of a vertical axis: `low` is at the bottom, `high` at the top.
struct ValueScale {
    double low = 0;
    double high = 0;

    bool isValid() const { return high > low; }
    /// Returns the height of a value as a fraction: 0 at the bottom, 1 at the top.
    double shareOf(double value) const { return (value - low) / (high - low); }
    bool operator==(const ValueScale&) const = default;
};

/// Returns a scale that contains all values, and 0 unless a value is negative. Its ends are rounded outwards to multiples of a step (1, 2
/// or 5 times a power of ten), with at most `steps` steps. Invalid if there are no values. Requires: steps > 0.
ValueScale scaleFor(const ValueRange& values, int steps);

/// Returns the scale after the visible range moved: `before` as long as all values fit and fill at least two fifths of it, so that curves
/// do not jump while the user pans; otherwise a new scale.
ValueScale followed(const ValueScale& before, const ValueRange& values, int steps);

/// Returns the values to label on the scale, in ascending order: at most `steps` + 1 round values, or the two ends of the scale if fewer
/// than two round values fit.
std::vector<double> ticksOf(const ValueScale& scale, int steps);

/// Returns a number with three or four digits and an SI prefix: "1.25 M". Whole numbers below 10,000 are written in full. With a unit:
/// "1.25 MB"; nanoseconds are converted to a suitable unit: "12 ms".
QString shortValue(double value, const QString& unit = {});

} // namespace helio
