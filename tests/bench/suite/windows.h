#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <random>

namespace helio::bench {

/// Random time ranges, equal in every run. Lengths are log-uniform from one nanosecond a pixel to the whole trace, beginnings uniform.
class Windows {
public:
    Windows(TimeRange whole, int pixels)
        : m_whole(whole)
        , m_pixels(pixels)
    {
    }

    TimeRange next();
    std::uint64_t below(std::uint64_t bound) { return bound ? m_random() % bound : 0; }

private:
    TimeRange m_whole;
    int m_pixels;
    std::mt19937_64 m_random{1};
};

} // namespace helio::bench
