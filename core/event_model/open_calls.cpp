#include "core/event_model/open_calls.h"

#include "core/base/flat_index.h"

namespace helio {

bool OpenCalls::enter(std::uint16_t source, std::uint64_t key)
{
    if (m_open.size() >= MostDepth) {
        ++m_beyond[{source, key}];
        return false;
    }
    m_open.push_back({key, source});
    if (m_open.size() > Shallow)
        countDeep(m_open.back(), 1);
    return true;
}

OpenCalls::Left OpenCalls::leave(std::uint16_t source, bool hasKey, std::uint64_t key)
{
    if (!m_beyond.empty() && leaveBeyond(source, hasKey, key))
        return {};
    const std::size_t found = openOf(source, hasKey, key);
    const Left left{m_open.size() - found, found == m_open.size()};
    if (!left.isOrphan)
        m_beyond.clear(); // Close all calls beyond MostDepth, too: they are deeper than the closed call.
    while (m_open.size() > found)
        pop();
    return left;
}

void OpenCalls::clear()
{
    m_beyond.clear();
    while (!m_open.empty())
        pop();
}

void OpenCalls::pop()
{
    if (m_open.size() > Shallow)
        countDeep(m_open.back(), -1);
    m_open.pop_back();
}

/// Closes one of the calls beyond MostDepth, which are only counted. Returns false if no such call matches the exit.
bool OpenCalls::leaveBeyond(std::uint16_t source, bool hasKey, std::uint64_t key)
{
    const auto it = hasKey ? m_beyond.find({source, key}) : m_beyond.lower_bound({source, 0});
    if (it == m_beyond.end() || it->first.first != source)
        return false;
    if (--it->second == 0)
        m_beyond.erase(it);
    return true;
}

/// Returns the index of the innermost open call that matches the exit; m_open.size() if no call matches.
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
    const auto known = m_deepKeys.find(mixed(key, source));
    return !hasKey || (known != m_deepKeys.end() && known->second > 0);
}

void OpenCalls::countDeep(const Call& call, int change)
{
    if (call.source >= m_deepSources.size())
        m_deepSources.resize(call.source + std::size_t(1));
    m_deepSources[call.source] += static_cast<std::uint32_t>(change);
    m_deepKeys[mixed(call.key, call.source)] += static_cast<std::uint32_t>(change);
}

} // namespace helio
