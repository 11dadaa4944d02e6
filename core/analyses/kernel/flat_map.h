#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace helio::kernel {

/// Hash map from a number to an index, with open addressing in one array and without removal. The largest 64-bit number is not allowed as a
/// key.
///
/// Cost: a multiplication and usually one cache line for each lookup; allocates only when it grows.
class FlatMap {
public:
    static constexpr std::uint32_t Missing = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t find(std::uint64_t key) const
    {
        for (std::size_t i = slotOf(key);; i = (i + 1) & m_mask) {
            const Slot& slot = m_slots[i];
            if (slot.key == key)
                return slot.index;
            if (slot.key == Free)
                return Missing;
        }
    }

    /// Adds or replaces the index for `key`. Requires: `key` is not the largest 64-bit number.
    void put(std::uint64_t key, std::uint32_t index)
    {
        if (m_used * 2 >= m_slots.size())
            grow();
        std::size_t i = slotOf(key);
        while (m_slots[i].key != Free && m_slots[i].key != key)
            i = (i + 1) & m_mask;
        m_used += m_slots[i].key == Free ? 1 : 0;
        m_slots[i] = {key, index};
    }

private:
    static constexpr std::uint64_t Free = std::numeric_limits<std::uint64_t>::max();
    struct Slot {
        std::uint64_t key = Free;
        std::uint32_t index = 0;
    };

    std::size_t slotOf(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15ULL >> 32) & m_mask; }

    void grow()
    {
        std::vector<Slot> old(m_slots.size() * 2);
        old.swap(m_slots);
        m_mask = m_slots.size() - 1;
        m_used = 0;
        for (const Slot& slot : old) {
            if (slot.key != Free)
                put(slot.key, slot.index);
        }
    }

    std::vector<Slot> m_slots = std::vector<Slot>(64);
    std::size_t m_mask = 63;
    std::size_t m_used = 0;
};

} // namespace helio::kernel
