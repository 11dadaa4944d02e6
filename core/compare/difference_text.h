#pragma once

#include "core/compare/tree_difference.h"

#include <string>

namespace helio {

/// Unit of amounts that were scaled by DifferenceScale, used in texts.
struct DifferenceUnit {
    enum class Kind : std::uint8_t { Time, Share, Count };
    Kind kind = Kind::Time; ///< Amounts are in ns for Time, and from 0 to 1 for Share.
    std::string word; ///< Unit of a count, e.g. "samples" or "cycles"; may be empty.
    bool operator==(const DifferenceUnit&) const = default;
};

/// Returns an amount as text: "7 700 ms", "12.40 %", "1 204". Unit and number of digits suit `largest`, the largest amount in the same
/// column, so that all amounts of the column have one unit. The minus sign is U+2212.
std::string amountText(double amount, const DifferenceUnit& unit, double largest);
/// Returns an amount as text in a unit that suits its size: "16.9 s", "1 204 samples".
std::string amountText(double amount, const DifferenceUnit& unit);
/// Returns a difference as text with its sign: "+16.9 s"; shares in percentage points: "−1.20 points".
std::string differenceText(double difference, const DifferenceUnit& unit);
/// Returns a difference as text with its sign. Unit and number of digits suit `largest`, the largest difference in the same column.
std::string differenceText(double difference, const DifferenceUnit& unit, double largest);

/// Returns B divided by A as text: "×18.2", "×0.70", "×<0.01". Returns "new" or "gone" if A or B is less than 1/1000 of the other side;
/// empty if both are 0.
std::string ratioText(double a, double b);

/// Returns the significance of a difference as text, according to Poisson statistics: "within noise", "surely more (z 52.0)".
std::string certaintyText(double z);

/// Minimum |z| of a significant difference; with a smaller |z|, the difference may be chance.
constexpr double NoiseZ = 2;

} // namespace helio
