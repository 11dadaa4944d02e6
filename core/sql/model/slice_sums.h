#pragma once

#include <cstdint>
#include <string_view>

namespace helio::sql {

/// Number and durations of the slices with one name on one track, or of a part of them.
///
/// Durations are those of the column slice.dur in ns: -1 for a slice without an end.
struct SliceSum {
    std::int64_t track = 0; ///< Id of the track.
    std::string_view name; ///< Name of the slices; empty if they have none. Valid as long as the Slices.
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
