#pragma once

#include "core/store/segments.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace helio {

/// Brings many segments into order, by counting the digits of their begins: some ns a segment, where comparing them takes some tens, as
/// calls come by their ends. Keeps its memory, 72 bytes a segment, from one time to the next. One thread.
class SegmentSorter {
public:
    void sort(std::vector<HostSegment>& segments);

private:
    struct Key {
        std::uint64_t begin = 0; ///< After the earliest.
        std::uint32_t place = 0; ///< Among the segments.
    };
    static constexpr unsigned MostDigitBits = 12; ///< The counts of more would fall out of the processor's first cache.

    void sortKeys(unsigned bits);

    std::vector<Key> m_keys;
    std::vector<Key> m_moved;
    std::vector<HostSegment> m_sorted;
};

} // namespace helio
