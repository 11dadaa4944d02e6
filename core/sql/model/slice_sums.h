#pragma once

#include <cstdint>

namespace helio::sql {

/// Number and durations of some slices. Durations are those of the column slice.dur in ns: -1 for a slice without an end.
struct DurationSum {
    std::uint64_t count = 0;
    std::int64_t total = 0;
    std::int64_t shortest = 0;
    std::int64_t longest = 0;

    /// Adds a slice. Returns false, and adds nothing, if the total would be too large for an integer.
    bool add(std::int64_t duration)
    {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(total, duration, &sum))
            return false;
        total = sum;
        shortest = count == 0 || duration < shortest ? duration : shortest;
        longest = count == 0 || duration > longest ? duration : longest;
        ++count;
        return true;
    }
};

} // namespace helio::sql
