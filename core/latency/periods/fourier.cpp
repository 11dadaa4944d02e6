#include "core/latency/periods/fourier.h"

#include <cstddef>
#include <numbers>
#include <utility>

namespace helio::periods {
namespace {

/// Moves each value to the index with the reversed bits of its own index.
void reorder(std::vector<std::complex<double>>& values)
{
    for (std::size_t i = 1, j = 0; i < values.size(); ++i) {
        std::size_t bit = values.size() >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
}

/// Returns the first half of the roots of unity.
std::vector<std::complex<double>> rootsOf(std::size_t size)
{
    std::vector<std::complex<double>> roots(size / 2);
    for (std::size_t i = 0; i < roots.size(); ++i)
        roots[i] = std::polar(1.0, -2 * std::numbers::pi * double(i) / double(size));
    return roots;
}

/// Returns a * b without the checks for infinities of operator*. Requires: all values are finite.
std::complex<double> product(std::complex<double> a, std::complex<double> b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

} // namespace

void fourier(std::vector<std::complex<double>>& values)
{
    reorder(values);
    const auto roots = rootsOf(values.size());
    for (std::size_t half = 1; half < values.size(); half *= 2)
        for (std::size_t begin = 0; begin < values.size(); begin += 2 * half)
            for (std::size_t i = 0; i < half; ++i) {
                const auto even = values[begin + i];
                const auto odd = product(values[begin + half + i], roots[i * (values.size() / (2 * half))]);
                values[begin + i] = even + odd;
                values[begin + half + i] = even - odd;
            }
}

} // namespace helio::periods
