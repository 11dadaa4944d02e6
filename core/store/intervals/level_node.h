#pragma once

#include "core/store/track.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace helio {

/// What a run of a track's intervals comes to. Its shares (one byte for each state of the mask, by ascending state, in 255ths
/// of the whole length) lie elsewhere.
struct LevelNode {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t longest = 0; ///< Length of the longest interval (of the first of them).
    std::uint32_t value = 0; ///< Of the longest.
    std::uint32_t mask = 0; ///< Bit n: state n is present.
    std::uint32_t count = 0; ///< Intervals.
    State state{}; ///< Of the longest.
    bool hasGap = false; ///< For part of it the track did not exist.
    std::uint16_t reserved = 0; ///< Nodes lie in files as they are: no byte is left to chance.

    std::int64_t length() const { return end - begin; }

    /// Takes in the next node in time.
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

/// Shares of a whole in 255ths, rounded so that they add up to what their sum rounds to: each is off by less than 1.
/// `timeOf(state)` is asked once for each bit of the mask, and one share is written. Returns the end of the shares.
template <typename TimeOf> std::uint8_t* roundSharesOf(TimeOf timeOf, std::uint32_t mask, double whole, std::uint8_t* shares)
{
    double sum = 0;
    int before = 0;
    const double scale = whole > 0 ? 255.0 / whole : 0;
    for (; mask != 0; mask &= mask - 1) {
        sum += static_cast<double>(timeOf(static_cast<std::size_t>(std::countr_zero(mask))));
        const int until = std::min(255, static_cast<int>(sum * scale + 0.5));
        *shares++ = static_cast<std::uint8_t>(until - before);
        before = until;
    }
    return shares;
}

/// `time` holds 32 lengths.
template <typename Time> std::uint8_t* roundShares(const Time* time, std::uint32_t mask, double whole, std::uint8_t* shares)
{
    return roundSharesOf([time](std::size_t state) { return time[state]; }, mask, whole, shares);
}

} // namespace helio
