#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio::xml {

/// Tracks the thread on each CPU of a trace from its sched_switch events.
/// Threads: to be used by one thread.
class CurrentThreads {
public:
    explicit CurrentThreads(const Trace& trace)
    {
        for (const auto& type : trace.eventTypes()) {
            const bool isSwitch = type->name == "sched_switch" || type->name == "sched:sched_switch";
            const FieldRef lttng = isSwitch ? FieldRef(*type, Section::Payload, "next_tid") : FieldRef();
            m_next.push_back(isSwitch && !lttng.isValid() ? FieldRef(*type, Section::Payload, "next_pid") : lttng);
        }
    }

    bool isSwitch(EventTypeId type) const { return m_next[static_cast<std::size_t>(type)].isValid(); }
    /// Processes a switch. The switch event itself belongs to the thread that leaves the CPU. Requires: isSwitch().
    void onSwitch(const EventView& event)
    {
        const auto next = m_next[static_cast<std::size_t>(event.record->type)].integer(event);
        if (event.cpu() < 0 || event.cpu() >= MostCpus)
            return;
        if (std::size_t(event.cpu()) >= m_current.size())
            m_current.resize(std::size_t(event.cpu()) + 1);
        m_current[std::size_t(event.cpu())] = next;
    }
    /// Returns the thread on the CPU; nullopt before the first switch on the CPU.
    std::optional<std::int64_t> on(std::int32_t cpu) const
    {
        return cpu >= 0 && std::size_t(cpu) < m_current.size() ? m_current[std::size_t(cpu)] : std::nullopt;
    }

private:
    static constexpr std::int32_t MostCpus = 65'536;
    std::vector<FieldRef> m_next; ///< Field with the thread that gets the CPU, indexed by EventTypeId.
    std::vector<std::optional<std::int64_t>> m_current; ///< Current thread of each CPU, indexed by CPU.
};

} // namespace helio::xml
