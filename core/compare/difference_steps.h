#pragma once

#include "core/compare/difference_text.h"

#include <array>

namespace helio {

/// Nine steps of change, -4 to +4, each with a colour and a name. Step 0 is "same": the change may be chance.
struct DifferenceSteps {
    bool areRatios = false;
    std::array<double, 3> from{}; ///< Smallest |difference| (in scaled amounts) or smallest ratio of the steps 2, 3 and 4.

    /// Returns steps with round bounds that suit the largest |difference|.
    static DifferenceSteps upTo(double largest);
    static DifferenceSteps ratios() { return {true, {1.5, 3, 10}}; }

    int stepOf(const ComparedSum& sum, const DifferenceScale& scale) const;

    /// Returns the text of a step on the legend: "−4 s", "+0.2" or "same"; empty for the steps -1 and +1.
    std::string nameOf(int step, const DifferenceUnit& unit) const;
    /// Returns the text of a step for a tooltip: "B has more: +1 s to +4 s" or "within noise (|z| below 2)".
    std::string wordsOf(int step, const DifferenceUnit& unit) const;

private:
    std::string signedBound(int step, double bound, const DifferenceUnit& unit, bool hasUnit) const;
    std::string boundText(double bound, const DifferenceUnit& unit, bool hasUnit) const;
};

/// Returns the largest |difference| of `self`, or of `total`, of any node. Differences within noise do not count.
double findLargestDifference(const DifferenceTree& tree, bool ofTotals);

} // namespace helio
