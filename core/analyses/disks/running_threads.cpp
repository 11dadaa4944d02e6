#include "core/analyses/disks/running_threads.h"

#include <limits>

namespace helio::disks {

RunningThreads::RunningThreads(const Trace& trace, bool areNeeded)
{
    for (const auto& type : trace.eventTypes()) {
        Switch& it = m_switches.emplace_back();
        if (!areNeeded || (type->name != "sched_switch" && type->name != "sched:sched_switch"))
            continue;
        it.tid = FieldRef(*type, Section::Payload, "next_tid");
        if (!it.tid.isValid())
            it.tid = FieldRef(*type, Section::Payload, "next_pid");
        it.name = FieldRef(*type, Section::Payload, "next_comm");
    }
}

void RunningThreads::take(const EventView& event)
{
    const Switch& it = m_switches[static_cast<std::size_t>(event.record->type)];
    Doer& thread = m_threads[event.cpu()];
    const std::int64_t tid = it.tid.integerOr(event, -1);
    thread.tid = tid >= 0 && tid <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(tid) : -1;
    thread.name = it.name.isValid() ? it.name.text(event) : std::string_view();
}

Doer RunningThreads::on(std::int32_t cpu) const
{
    const auto found = m_threads.find(cpu);
    return found == m_threads.end() ? Doer() : found->second;
}

} // namespace helio::disks
