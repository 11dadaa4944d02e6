#pragma once

#include "core/compare/difference_text.h"

#include <array>

namespace helio {

/// Scale of nine steps of change, from -4 to +4, each with a colour and a name. Step 0 is "same": the change may be chance.
struct DifferenceSteps {
    bool areRatios = false;
    /// Lower bounds of the steps 2, 3 and 4: of the absolute difference (in amounts scaled by DifferenceScale), or of the ratio.
    std::array<double, 3> from{};

    /// Returns steps of differences with round bounds, suited to `largest`, the largest absolute difference.
    static DifferenceSteps upTo(double largest);
    static DifferenceSteps ratios() { return {true, {1.5, 3, 10}}; }

    int stepOf(const ComparedSum& sum, const DifferenceScale& scale) const;

    /// Returns the text of a step for the legend: "−4 s", "+0.2" or "same"; empty for the steps -1 and +1.
    std::string nameOf(int step, const DifferenceUnit& unit) const;
    /// Returns the text of a step for a tooltip: "B has more: +1 s to +4 s" or "within noise (|z| below 2)".
    std::string wordsOf(int step, const DifferenceUnit& unit) const;

private:
    std::string signedBound(int step, double bound, const DifferenceUnit& unit, bool hasUnit) const;
    std::string boundText(double bound, const DifferenceUnit& unit, bool hasUnit) const;
};

/// Returns the largest absolute difference of any node's `self`, or of its `total` if `ofTotals`. Differences within noise are ignored.
double findLargestDifference(const DifferenceTree& tree, bool ofTotals);

} // namespace helio
