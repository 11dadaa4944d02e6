#pragma once

#include "core/compare/tree_difference.h"

#include <string>

namespace helio {

/// What scaled amounts are counted in, for words.
struct DifferenceUnit {
    enum class Kind : std::uint8_t { Time, Share, Count };
    Kind kind = Kind::Time; ///< Time: ns. Share: 0 to 1.
    std::string word; ///< Of counts: "samples", "cycles". Empty: none.
    bool operator==(const DifferenceUnit&) const = default;
};

/// "7 700 ms", "12.4 %", "1 204 samples": with as many digits as `largest`, the largest amount beside it, makes sense with; so a column
/// has one unit. U+2212 is the minus.
std::string amountText(double amount, const DifferenceUnit& unit, double largest);
/// The same by itself: "16.9 s".
std::string amountText(double amount, const DifferenceUnit& unit);
/// With its sign: "+16.9 s"; shares in points: "−1.2 points".
std::string differenceText(double difference, const DifferenceUnit& unit);
std::string differenceText(double difference, const DifferenceUnit& unit, double largest);

/// B by A: "×18.2", "×0.70"; "new" and "gone" where one side has none of it, or less than a thousandth of the other.
std::string ratioText(double a, double b);

/// "within noise", "surely more (z = 52)": what Poisson statistics say of a difference.
std::string certaintyText(double z);

/// Below this a difference may be chance.
constexpr double NoiseZ = 2;

} // namespace helio
