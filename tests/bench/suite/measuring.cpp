#include "tests/bench/suite/measuring.h"

#include <algorithm>
#include <cmath>

namespace helio::bench {

double Samples::at(double share) const
{
    if (m_values.empty())
        return 0;
    std::vector<double> sorted = m_values;
    const auto rank = std::ceil(share * double(sorted.size())) - 1; // Index in `sorted` of the percentile, by nearest rank.
    const auto place = sorted.begin() + std::ptrdiff_t(std::clamp(rank, 0.0, double(sorted.size() - 1)));
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
}

} // namespace helio::bench
