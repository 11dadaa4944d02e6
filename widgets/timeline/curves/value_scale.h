#pragma once

#include <QString>

#include <algorithm>
#include <limits>
#include <vector>

namespace helio {

/// The values there are, from the least to the most.
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

/// Values against a height: `low` at the bottom, `high` at the top.
struct ValueScale {
    double low = 0;
    double high = 0;

    bool isValid() const { return high > low; }
    /// 0 at the bottom, 1 at the top.
    double shareOf(double value) const { return (value - low) / (high - low); }
    bool operator==(const ValueScale&) const = default;
};

/// Both ends rounded outwards to steps that read well (1, 2 or 5 times a power of ten), of which there are at most `steps`; with 0 where no
/// value is below it. Not valid without values. Requires: steps > 0.
ValueScale scaleFor(const ValueRange& values, int steps);

/// The scale while the window moves: it stays what it was as long as all values fit and take up at least two fifths of it, so that
/// nothing jumps while time is panned; else it is made anew, and stays for as long again.
ValueScale followed(const ValueScale& before, const ValueRange& values, int steps);

/// What stands beside the scale, from low to high: at most `steps` + 1 round values; at least two, its ends.
std::vector<double> ticksOf(const ValueScale& scale, int steps);

/// "1.25 M": three or four digits, of whole numbers below 10,000 all. With the unit behind: "1.25 MB"; of ns the unit that
/// fits: "12 ms".
QString shortValue(double value, const QString& unit = {});

} // namespace helio
