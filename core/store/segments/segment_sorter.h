#pragma once

#include "core/store/segments.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helio {

/// Sorts many segments by a radix sort over their begins, at a few ns per segment. A comparison sort needs tens of ns, because calls come
/// in the order of their ends. The memory, 72 bytes per segment, is reused for later calls.
/// Threads: to be used by one thread.
class SegmentSorter {
public:
    void sort(std::vector<HostSegment>& segments);

private:
    struct Key {
        std::uint64_t begin = 0; ///< Begin of the segment relative to the earliest begin, in ns.
        std::uint32_t place = 0; ///< Index of the segment in the input.
    };
    /// Maximum number of bits per digit: with more bits, the digit counts would not fit into the L1 cache.
    static constexpr unsigned MostDigitBits = 12;

    void sortKeys(unsigned bits);

    std::vector<Key> m_keys;
    std::vector<Key> m_moved;
    std::vector<HostSegment> m_sorted;
};

} // namespace helio
