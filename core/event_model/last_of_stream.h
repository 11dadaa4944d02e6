#pragma once

#include <cstdint>
#include <vector>

namespace helio {

/// What the last event of each stream was of: mostly the next one is of the same, which is found here without a look-up. Things stay where
/// they are and belong to somebody else.
template <typename Key, typename Thing> class LastOfStream {
public:
    /// Null: that event was of something else.
    Thing* find(std::uint32_t stream, const Key& key) const
    {
        return stream < m_last.size() && m_last[stream].key == key ? m_last[stream].thing : nullptr;
    }

    void set(std::uint32_t stream, const Key& key, Thing& thing)
    {
        if (stream >= m_last.size())
            m_last.resize(std::size_t(stream) + 1);
        m_last[stream] = {key, &thing};
    }

private:
    struct Last {
        Key key{};
        Thing* thing = nullptr;
    };
    std::vector<Last> m_last;
};

} // namespace helio
