#pragma once

#include "core/compare/tree_difference.h"

#include <string>

namespace helio {

/// Unit of scaled amounts, for texts.
struct DifferenceUnit {
    enum class Kind : std::uint8_t { Time, Share, Count };
    Kind kind = Kind::Time; ///< Amounts are in ns for Time, and from 0 to 1 for Share.
    std::string word; ///< Unit of a count, e.g. "samples" or "cycles"; may be empty.
    bool operator==(const DifferenceUnit&) const = default;
};

/// Returns "7 700 ms", "12.40 %", "1 204". Unit and number of digits suit `largest`, the largest amount in the same column, so that a
/// column has one unit. The minus sign is U+2212.
std::string amountText(double amount, const DifferenceUnit& unit, double largest);
/// Returns an amount in the unit that suits it: "16.9 s", "1 204 samples".
std::string amountText(double amount, const DifferenceUnit& unit);
/// Returns a difference with its sign: "+16.9 s"; shares in points: "−1.20 points".
std::string differenceText(double difference, const DifferenceUnit& unit);
/// Returns a difference with its sign. Unit and number of digits suit `largest`, the largest difference in the same column.
std::string differenceText(double difference, const DifferenceUnit& unit, double largest);

/// Returns B divided by A: "×18.2", "×0.70". "new" or "gone" if A or B is less than a thousandth of the other side; empty if both are 0.
std::string ratioText(double a, double b);

/// Returns what Poisson statistics say about a difference: "within noise", "surely more (z 52.0)".
std::string certaintyText(double z);

/// A difference with a smaller |z| may be chance.
constexpr double NoiseZ = 2;

} // namespace helio
