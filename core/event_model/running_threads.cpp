#include "core/event_model/running_threads.h"

#include <algorithm>
#include <limits>

namespace helio {
namespace {

constexpr std::int32_t UsualCpus = 1024; ///< Number of CPUs whose threads are found by index; more than most machines have.

std::int32_t runningTid(const FieldRef& field, const EventView& event)
{
    const std::int64_t tid = field.integerOr(event, -1);
    return tid >= 0 && tid <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(tid) : -1;
}

} // namespace

bool isSwitchOfThreads(const EventType& type) { return type.name == "sched_switch" || type.name == "sched:sched_switch"; }

RunningThreads::RunningThreads(const Trace& trace, Needs needs)
    : m_trace(trace)
    , m_keepsBytes(trace.keepsBytes())
    , m_switches(trace, [needs](const EventType& type, EventTypeId) { return switchOf(type, needs); })
{
}

std::optional<RunningThreads::Switch> RunningThreads::switchOf(const EventType& type, Needs needs)
{
    if (needs == Needs::Nothing || !isSwitchOfThreads(type))
        return {};
    return Switch{payloadField(type, {"next_tid", "next_pid"}), needs == Needs::Names ? payloadField(type, {"next_comm"}) : FieldRef(),
                  payloadField(type, {"prev_tid", "prev_pid"})};
}

void RunningThreads::take(const EventView& event)
{
    const Switch& it = m_switches[event.record->type];
    OnCpu& running = onCpu(event.cpu());
    if (running.tid == 0 && !missesSwitchesFromIdle())
        m_unseenFromIdle += switchedOutTid(event) > 0;
    running.tid = runningTid(it.tid, event);
    if (m_keepsBytes) {
        running.record = *event.record;
        running.packet = event.packet;
        running.stream = event.stream;
    } else {
        running.name = it.name.text(event);
    }
}

RunningThread RunningThreads::threadOf(const OnCpu& running) const
{
    if (!running.packet.data)
        return {running.tid, running.name};
    const EventTypeId type = running.record.type;
    const EventView event{&running.record, &m_trace.eventTypes()[type], running.packet, running.stream};
    return {running.tid, std::string(m_switches[type].name.text(event))};
}

RunningThreads::OnCpu& RunningThreads::onCpu(std::int32_t cpu)
{
    if (cpu < 0 || cpu >= UsualCpus)
        return m_others[cpu];
    if (static_cast<std::size_t>(cpu) >= m_threads.size())
        m_threads.resize(static_cast<std::size_t>(cpu) + 1);
    return m_threads[static_cast<std::size_t>(cpu)];
}

void RunningThreads::forget()
{
    m_threads.clear();
    m_others.clear();
}

RunningThread RunningThreads::on(std::int32_t cpu) const
{
    if (cpu >= 0 && static_cast<std::size_t>(cpu) < m_threads.size())
        return threadOf(m_threads[static_cast<std::size_t>(cpu)]);
    const auto found = m_others.find(cpu);
    return found == m_others.end() ? RunningThread() : threadOf(found->second);
}

std::int32_t RunningThreads::switchedOutTid(const EventView& event) const
{
    return runningTid(m_switches[event.record->type].before, event);
}

bool hasSwitches(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return isSwitchOfThreads(*type); });
}

} // namespace helio
