#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Combines two numbers into one evenly distributed hash.
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t h = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
    h = (h ^ (h >> 29)) * 0x9fb21c651e98df25u;
    return h ^ (h >> 32);
}

/// Hash table of indices into an array that the caller owns, with open addressing: maps an element's hash to the element's index.
/// Cost: 12 bytes per slot, at least two slots per element; no allocation per element.
class FlatIndex {
public:
    /// Returns the index of the element with this hash for which `isSame(index)` is true. If no element matches, returns a new index, the
    /// old count(); the caller must store the new element at that index at once.
    template <typename IsSame> std::uint32_t findOrAdd(std::uint64_t hash, const IsSame& isSame)
    {
        if (std::size_t{2} * (m_count + 1) > m_slots.size())
            grow();
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
            Slot& slot = m_slots[at];
            if (slot.index == Free) {
                slot = {static_cast<std::uint32_t>(hash), tag, m_count};
                return m_count++;
            }
            if (slot.tag == tag && slot.low == static_cast<std::uint32_t>(hash) && isSame(slot.index))
                return slot.index;
        }
    }
    /// Returns the index of the element with this hash for which `isSame(index)` is true; nullopt if no element matches.
    template <typename IsSame> std::optional<std::uint32_t> find(std::uint64_t hash, const IsSame& isSame) const
    {
        if (m_slots.empty())
            return {};
        const auto tag = static_cast<std::uint32_t>(hash >> 32);
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t at = hash & mask; m_slots[at].index != Free; at = (at + 1) & mask)
            if (m_slots[at].tag == tag && m_slots[at].low == static_cast<std::uint32_t>(hash) && isSame(m_slots[at].index))
                return m_slots[at].index;
        return {};
    }
    std::uint32_t count() const { return m_count; }

private:
    static constexpr std::uint32_t Free = ~0u;
    struct Slot {
        std::uint32_t low = 0;
        std::uint32_t tag = 0;
        std::uint32_t index = Free;
    };

    void grow()
    {
        std::vector<Slot> old(m_slots.empty() ? 64 : 2 * m_slots.size());
        old.swap(m_slots);
        const std::size_t mask = m_slots.size() - 1;
        for (const Slot& slot : old) {
            if (slot.index == Free)
                continue;
            std::size_t at = slot.low & mask;
            while (m_slots[at].index != Free)
                at = (at + 1) & mask;
            m_slots[at] = slot;
        }
    }

    std::vector<Slot> m_slots; ///< Hash slots; their number is a power of two, and at least half of them are free.
    std::uint32_t m_count = 0;
};

} // namespace helio
