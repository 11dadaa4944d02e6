#include "app/cli/selection/event_selection.h"

#include "app/cli/selection/row_selection.h"

#include <algorithm>
#include <tuple>

namespace helio {

bool needsStates(const SelectionOptions& options)
{
    return options.thread || !options.process.empty() || !options.row.empty() || (options.filter && options.filter->needsStates());
}

EventSelection::EventSelection(const SelectionOptions& options, const Timeline& timeline)
    : m_options(options)
    , m_timeline(timeline)
{
    m_concernsThreads = options.thread || !options.process.empty() || !options.row.empty();
    m_isAll = !m_concernsThreads && !options.filter && !options.cpu && options.host.empty();
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        PerTrace per;
        per.isOfHost = options.host.empty() || timeline.hosts[timeline.traces[i].host].label == options.host;
        if (options.filter)
            per.filter = EventMatcher::make(options.filter, timeline, i);
        if (m_concernsThreads)
            per.threads = std::make_unique<EventThreadResolver>(timeline, i);
        if (!options.process.empty())
            for (const auto& type : timeline.traces[i].trace->eventTypes()) {
                FieldRef own(*type, Section::EventContext, "procname");
                per.processNames.push_back(own.isValid() ? own : FieldRef(*type, Section::StreamContext, "procname"));
            }
        m_traces.push_back(std::move(per));
    }
    if (options.process.empty() && options.row.empty())
        return;
    SelectionOptions rowsAlone;
    rowsAlone.row = options.row;
    rowsAlone.process = options.process;
    for (const Row& row : RowSelection(rowsAlone, timeline).rowsOf(findViewWithRole(timeline, TrackRole::Thread)))
        if (row.tid >= 0)
            m_threads.push_back({row.host, row.tid, row.life});
    std::sort(m_threads.begin(), m_threads.end(),
              [](const Thread& a, const Thread& b) { return std::tie(a.host, a.tid) < std::tie(b.host, b.tid); });
}

bool EventSelection::isOfThreads(PerTrace& per, std::uint32_t host, const EventView& event, Timestamp time) const
{
    const auto tid = per.threads->tid(event);
    if (m_options.thread && tid != m_options.thread)
        return false;
    if (m_options.process.empty() && m_options.row.empty())
        return true;
    if (!per.processNames.empty())
        if (const FieldRef& name = per.processNames[static_cast<std::size_t>(event.record->type)];
            name.isValid() && m_options.row.empty() && name.text(event) == m_options.process)
            return true;
    if (!tid)
        return false;
    const auto key = std::pair(host, *tid);
    auto it = std::lower_bound(m_threads.begin(), m_threads.end(), key,
                               [](const Thread& thread, const auto& k) { return std::pair(thread.host, std::int64_t(thread.tid)) < k; });
    for (; it != m_threads.end() && it->host == host && it->tid == *tid; ++it)
        if (it->life.begin <= time && time <= it->life.end)
            return true;
    return false;
}

bool EventSelection::selects(std::uint32_t trace, const EventView& event, Timestamp time)
{
    if (m_isAll)
        return true;
    PerTrace& per = m_traces[trace];
    if (!per.isOfHost || (m_options.cpu && event.cpu() != *m_options.cpu))
        return false;
    if (per.filter && !(per.filter->canMatch(event.record->type) && per.filter->matches(event)))
        return false;
    return !m_concernsThreads || isOfThreads(per, m_timeline.traces[trace].host, event, time);
}

} // namespace helio
