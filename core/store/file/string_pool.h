#pragma once

#include "core/store/track.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

/// The texts of a store, by number; text 0 is the empty text. A value type: copying copies one block of memory.
class StringPool {
public:
    std::string_view operator[](StringId id) const
    {
        const auto n = static_cast<std::size_t>(id);
        if (n == 0 || n > m_ends.size())
            return {};
        const std::uint64_t begin = n == 1 ? 0 : m_ends[n - 2];
        return std::string_view(m_bytes).substr(begin, m_ends[n - 1] - begin);
    }

    StringId add(std::string_view text)
    {
        m_bytes += text;
        m_ends.push_back(m_bytes.size());
        return StringId(static_cast<std::uint32_t>(m_ends.size()));
    }

    std::size_t size() const { return m_ends.size() + 1; } ///< Number of texts, including the empty text.

private:
    std::string m_bytes;
    std::vector<std::uint64_t> m_ends; ///< End offset of each text in m_bytes, for text 1 and later ones.
};

/// Adds texts to a StringPool; equal texts get the same number.
class StringInterner {
public:
    StringId intern(std::string_view text)
    {
        if (text.empty())
            return StringId{};
        const auto [it, isNew] = m_ids.try_emplace(std::string(text), StringId{});
        if (isNew)
            it->second = m_pool.add(text);
        return it->second;
    }

    const StringPool& pool() const { return m_pool; }

private:
    StringPool m_pool;
    std::unordered_map<std::string, StringId> m_ids;
};

} // namespace helio
