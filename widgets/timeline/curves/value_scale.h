#pragma once

#include <QString>

#include <algorithm>
#include <limits>
#include <vector>

namespace helio {

/// Range of values from the minimum to the maximum. Empty by default.
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

/// Scale that maps values to a height: `low` is at the bottom, `high` at the top.
struct ValueScale {
    double low = 0;
    double high = 0;

    bool isValid() const { return high > low; }
    /// Returns 0 at the bottom, 1 at the top.
    double shareOf(double value) const { return (value - low) / (high - low); }
    bool operator==(const ValueScale&) const = default;
};

/// Returns a scale whose ends are rounded outwards to steps of 1, 2 or 5 times a power of ten, with at most `steps` steps. It contains 0
/// unless a value is below it. Invalid if there are no values. Requires: steps > 0.
ValueScale scaleFor(const ValueRange& values, int steps);

/// Returns the scale while the visible range moves. `before` is kept as long as all values fit and take up at least two fifths of
/// it, so that curves do not jump while the user pans; otherwise a new scale is made.
ValueScale followed(const ValueScale& before, const ValueRange& values, int steps);

/// Returns the values to write beside the scale, from low to high: at most `steps` + 1 round values; the two ends if there would be fewer
/// than two.
std::vector<double> ticksOf(const ValueScale& scale, int steps);

/// Returns a number with three or four digits and a prefix: "1.25 M"; whole numbers below 10,000 have all their digits. With a unit: "1.25
/// MB"; for ns in the unit that fits: "12 ms".
QString shortValue(double value, const QString& unit = {});

} // namespace helio
