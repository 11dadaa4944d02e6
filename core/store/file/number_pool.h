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

/// The wide numbers of a store: the 64 bits of each integer or double, by index. A value: a copy copies one block of memory.
class NumberPool {
public:
    std::optional<std::int64_t> integer(std::uint32_t index) const { return at<std::int64_t>(index); }
    std::optional<double> real(std::uint32_t index) const { return at<double>(index); }

    void add(std::uint64_t bits) { m_all.push_back(bits); }
    std::uint64_t operator[](std::size_t index) const { return m_all[index]; } ///< Requires: index < all().size().
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

/// Fills a number pool; equal bits get the same index.
class NumberInterner {
public:
    explicit NumberInterner(std::size_t most = MostNumbers)
        : m_most(most)
    {
    }

    /// Returns the index of the number; nullopt if the pool is full.
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
