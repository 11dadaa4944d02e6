#include "core/analysis/open_calls.h"

namespace helio {

bool OpenCalls::enter(std::uint16_t source, std::uint64_t key)
{
    if (m_open.size() >= MostDepth) {
        ++m_beyond;
        return false;
    }
    m_open.push_back({key, source});
    if (m_open.size() > Shallow)
        countDeep(m_open.back(), 1);
    return true;
}

OpenCalls::Left OpenCalls::leave(std::uint16_t source, bool hasKey, std::uint64_t key)
{
    if (m_beyond > 0) {
        --m_beyond;
        return {};
    }
    const std::size_t found = openOf(source, hasKey, key);
    const Left left{m_open.size() - found, found == m_open.size()};
    while (m_open.size() > found)
        pop();
    return left;
}

void OpenCalls::clear()
{
    m_beyond = 0;
    while (!m_open.empty())
        pop();
}

void OpenCalls::pop()
{
    if (m_open.size() > Shallow)
        countDeep(m_open.back(), -1);
    m_open.pop_back();
}

/// The innermost open call that an exit may close; as many as are open: there is none.
std::size_t OpenCalls::openOf(std::uint16_t source, bool hasKey, std::uint64_t key) const
{
    const auto isIt = [&](const Call& call) { return call.source == source && (!hasKey || call.key == key); };
    if (!m_open.empty() && isIt(m_open.back()))
        return m_open.size() - 1;
    std::size_t from = m_open.size();
    if (from > Shallow && !mayBeDeep(source, hasKey, key))
        from = Shallow;
    for (std::size_t i = from; i-- > 0;)
        if (isIt(m_open[i]))
            return i;
    return m_open.size();
}

bool OpenCalls::mayBeDeep(std::uint16_t source, bool hasKey, std::uint64_t key) const
{
    if (source >= m_deepSources.size() || m_deepSources[source] == 0)
        return false;
    const auto known = m_deepKeys.find(key);
    return !hasKey || (known != m_deepKeys.end() && known->second > 0);
}

void OpenCalls::countDeep(const Call& call, int change)
{
    if (call.source >= m_deepSources.size())
        m_deepSources.resize(call.source + std::size_t(1));
    m_deepSources[call.source] += static_cast<std::uint32_t>(change);
    m_deepKeys[call.key] += static_cast<std::uint32_t>(change);
}

} // namespace helio
