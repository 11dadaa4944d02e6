#pragma once

#include "core/store/track.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace helio {

/// Summary of successive intervals of a track. The time shares of its states are stored elsewhere: one byte per state of the mask, by
/// ascending state, in 255ths of the node's length.
struct LevelNode {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// Length of the longest interval in ns. If several intervals have this length, `value` and `state` are those of the first one.
    std::int64_t longest = 0;
    std::uint32_t value = 0; ///< Value of the longest interval.
    std::uint32_t mask = 0; ///< State mask: bit n is set if state n occurs.
    std::uint32_t count = 0; ///< Number of intervals; at most UINT32_MAX.
    State state{}; ///< State of the longest interval.
    bool hasGap = false; ///< True if the track has no interval in a part of the node's time, i.e. did not exist there.
    std::uint16_t reserved = 0; ///< Explicit padding: nodes are written to files byte by byte, so every byte must be initialized.

    std::int64_t length() const { return end - begin; }

    /// Appends the summary `next` of intervals that follow these intervals in time.
    void append(const LevelNode& next)
    {
        if (count == 0) {
            *this = next;
            return;
        }
        hasGap = hasGap || next.hasGap || next.begin != end;
        end = next.end;
        mask |= next.mask;
        count = next.count > ~count ? ~0u : count + next.count;
        if (next.longest > longest) {
            longest = next.longest;
            state = next.state;
            value = next.value;
        }
    }
};

static_assert(sizeof(LevelNode) == 40 && std::has_unique_object_representations_v<LevelNode>);

/// Converts the times of states to shares of `whole`, in 255ths. The sum of the shares is the rounded sum of the times, and the error of
/// each share is below 1. Calls timeOf(state) once for each bit of the mask and writes one share for it. Returns the end of the written
/// shares.
template <typename TimeOf> std::uint8_t* roundSharesOf(TimeOf timeOf, std::uint32_t mask, double whole, std::uint8_t* shares)
{
    double sum = 0;
    int before = 0;
    const double scale = whole > 0 ? 255.0 / whole : 0;
    for (; mask != 0; mask &= mask - 1) {
        sum += static_cast<double>(timeOf(static_cast<std::size_t>(std::countr_zero(mask))));
        // Rounding without a call of lround(): no sum is negative. NOLINTNEXTLINE(bugprone-incorrect-roundings)
        const int until = std::min(255, static_cast<int>(sum * scale + 0.5));
        *shares++ = static_cast<std::uint8_t>(until - before);
        before = until;
    }
    return shares;
}

/// Calls roundSharesOf() with times from an array of 32 times, indexed by state.
template <typename Time> std::uint8_t* roundShares(const Time* time, std::uint32_t mask, double whole, std::uint8_t* shares)
{
    return roundSharesOf([time](std::size_t state) { return time[state]; }, mask, whole, shares);
}

} // namespace helio
