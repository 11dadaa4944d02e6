#include "core/analyses/locks/futex_wakes.h"

#include <algorithm>
#include <utility>

namespace helio::locks {

void FutexWakes::add(std::shared_ptr<FutexWake> wake)
{
    std::erase_if(m_wakes, [](const auto& it) { return it->left() <= 0; });
    if (m_wakes.size() >= Most) {
        m_dropped = std::max(m_dropped, m_wakes.front()->end.value_or(HostTimestamp::max()));
        m_wakes.erase(m_wakes.begin());
    }
    m_wakes.push_back(std::move(wake));
}

bool FutexWakes::find(HostTimestamp since, std::uint64_t waiter, std::vector<std::shared_ptr<FutexWake>>& found) const
{
    std::ranges::copy_if(m_wakes, std::back_inserter(found),
                         [&](const auto& it) { return it->left() > 0 && it->by.id != waiter && (!it->end || *it->end >= since); });
    return m_dropped < since;
}

std::shared_ptr<FutexWake> wakeThatEnded(HostTimestamp since, std::uint64_t waiter, std::span<const FutexWakes* const> futexes)
{
    std::vector<std::shared_ptr<FutexWake>> found;
    for (const FutexWakes* const futex : futexes)
        if (!futex->find(since, waiter, found))
            return nullptr;
    const bool isOne = !found.empty() && std::ranges::all_of(found, [&](const auto& it) { return it->by.id == found.front()->by.id; });
    return isOne ? found.front() : nullptr;
}

} // namespace helio::locks
