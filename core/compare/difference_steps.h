#pragma once

#include "core/compare/difference_text.h"

#include <array>

namespace helio {

/// Nine named steps of change, -4 to +4, which colours stand for. 0 is "the same": less than what chance makes.
struct DifferenceSteps {
    bool areRatios = false;
    std::array<double, 3> from{}; ///< The least |difference| (in scaled amounts) or ratio of the steps 2, 3 and 4.

    /// Round steps that the largest |difference| makes use of.
    static DifferenceSteps upTo(double largest);
    static DifferenceSteps ratios() { return {true, {1.5, 3, 10}}; }

    int stepOf(const ComparedSum& sum, const DifferenceScale& scale) const;

    /// What stands on the legend: "−4 s", "+0.2", "same"; nothing for the steps beside it.
    std::string nameOf(int step, const DifferenceUnit& unit) const;
    /// "+1 s to +4 s more", "within noise": for its tooltip.
    std::string wordsOf(int step, const DifferenceUnit& unit) const;

private:
    std::string signedBound(int step, double bound, const DifferenceUnit& unit, bool hasUnit) const;
    std::string boundText(double bound, const DifferenceUnit& unit, bool hasUnit) const;
};

/// The largest |difference| of self, or total, of any function's node that is beyond noise.
double largestDifference(const DifferenceTree& tree, bool ofTotals);

} // namespace helio
