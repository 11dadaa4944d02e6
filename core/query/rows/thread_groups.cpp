#include "core/query/rows/thread_groups.h"

#include <iterator>

namespace helio {

ThreadGroups::ThreadGroups(const Timeline& timeline, ThreadGrouping grouping)
    : m_grouping(grouping)
    , m_threads(helio::threads(timeline))
{
    if (grouping == ThreadGrouping::Process)
        for (const Row& row : m_threads)
            if (row.pid >= 0 && row.tid == row.pid)
                m_mains[{row.host, row.trace, row.pid}].emplace(row.life.begin, &row);
}

ThreadGroups::Key ThreadGroups::keyOf(const Row& thread) const
{
    if (m_grouping == ThreadGrouping::Name)
        return {thread.host, thread.label};
    const Row* const main = mainOf(thread);
    return {thread.host, main ? main->id + '@' + std::to_string(main->trace) : std::to_string(thread.pid >= 0 ? thread.pid : thread.tid)};
}

const Row* ThreadGroups::mainOf(const Row& thread) const
{
    const auto process = m_mains.find({thread.host, thread.trace, thread.pid});
    if (process == m_mains.end())
        return nullptr;
    const auto after = process->second.upper_bound(thread.life.begin);
    return after == process->second.begin() ? after->second : std::prev(after)->second;
}

} // namespace helio
