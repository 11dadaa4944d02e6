#pragma once

#include <cstdint>
#include <vector>

namespace helio {

/// Cache of the thing (e.g. a thread) that the last event of each stream belonged to. Mostly the next event of the stream belongs to the
/// same thing, which saves a look-up by key.
///
/// Ownership: the things belong to the caller and keep their addresses.
template <typename Key, typename Thing> class PerStreamCache {
public:
    /// Returns the thing of the stream's last event if that had the same key; nullptr if not.
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
