#include "core/export/export_selection.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/rows.h"

#include <algorithm>

namespace helio {

SelectedThings::SelectedThings(const ExportSelection& selection, const Timeline& timeline)
    : m_selection(selection)
{
    if (!selection.host.empty())
        m_host =
            static_cast<std::uint32_t>(std::ranges::find(timeline.hosts, selection.host, &TimelineHost::label) - timeline.hosts.begin());
    if (selection.process.empty())
        return;
    for (const Row& row : threads(timeline))
        if (const auto names = namesOf(timeline, row.ref); std::ranges::find(names, selection.process) != names.end())
            m_processes.emplace_back(row.host, row.pid >= 0 ? row.pid : row.tid);
    std::ranges::sort(m_processes);
}

bool SelectedThings::hasThread(std::uint32_t host, std::int32_t pid, std::int32_t tid) const
{
    if (!hasHost(host) || (m_selection.thread && *m_selection.thread != tid))
        return false;
    return m_selection.process.empty() || std::ranges::binary_search(m_processes, std::pair(host, pid >= 0 ? pid : tid));
}

bool SelectedThings::hasProcess(std::uint32_t host, std::int32_t pid, const std::string& name) const
{
    return !m_selection.thread && (hasThread(host, pid, -1) || (hasHost(host) && name == m_selection.process));
}

bool SelectedThings::hasRow(const Row& row) const
{
    if (m_selection.selectsThreads() && !hasThread(row.host, row.pid, row.tid))
        return false;
    return hasCpu(row.host, row.cpu);
}

} // namespace helio
