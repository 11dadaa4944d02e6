#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>

namespace helio {

/// Divides a window into buckets of equal width and calls add(bucket, share) for each bucket that the range overlaps. `share` is the
/// covered part of the bucket, 0 to 1.
template <typename Add> void spread(TimeRange range, TimeRange window, std::size_t buckets, const Add& add)
{
    const TimeRange part = range.clippedTo(window);
    if (part.isEmpty())
        return;
    const double width = double(window.duration().count()) / double(buckets);
    const double from = double((part.begin - window.begin).count()) / width;
    const double to = double((part.end - window.begin).count()) / width;
    for (auto b = std::size_t(from); b < buckets && double(b) < to; ++b)
        add(b, std::min(to, double(b + 1)) - std::max(from, double(b)));
}

} // namespace helio
