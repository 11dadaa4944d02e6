#pragma once

#include "core/base/flat_index.h"
#include "core/store/track.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// The 64-bit numbers of a store: the bits of each integer or double, by index. A value type: copying copies one block of memory.
class NumberPool {
public:
    std::optional<std::int64_t> integer(std::uint32_t index) const { return at<std::int64_t>(index); }
    std::optional<double> real(std::uint32_t index) const { return at<double>(index); }

    void add(std::uint64_t bits) { m_all.push_back(bits); }
    /// Bits of the number with this index. Requires: index < all().size().
    std::uint64_t operator[](std::size_t index) const { return m_all[index]; }
    std::span<const std::uint64_t> all() const { return m_all; }
    void assign(std::size_t count) { m_all.resize(count); }
    std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(m_all)); }

private:
    template <typename Number> std::optional<Number> at(std::uint32_t index) const
    {
        return index < m_all.size() ? std::optional(std::bit_cast<Number>(m_all[index])) : std::nullopt;
    }

    std::vector<std::uint64_t> m_all;
};

/// Adds numbers to a NumberPool; equal bits get the same index.
class NumberInterner {
public:
    explicit NumberInterner(std::size_t most = MostNumbers)
        : m_most(most)
    {
    }

    /// Returns the index of the number, which is added if it is new; nullopt if the pool is full.
    std::optional<std::uint32_t> intern(std::uint64_t bits)
    {
        const auto isSame = [&](std::uint32_t index) { return m_pool[index] == bits; };
        const std::uint64_t hash = mixed(bits, 0);
        if (m_index.count() == m_most)
            return m_index.find(hash, isSame);
        const std::uint32_t index = m_index.findOrAdd(hash, isSame);
        if (index == m_pool.all().size())
            m_pool.add(bits);
        return index;
    }

    const NumberPool& pool() const { return m_pool; }

private:
    std::size_t m_most;
    NumberPool m_pool;
    FlatIndex m_index;
};

} // namespace helio
