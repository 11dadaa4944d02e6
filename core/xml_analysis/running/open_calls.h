#pragma once

#include "core/xml_analysis/event_pattern.h"
#include "core/xml_analysis/running/current_threads.h"
#include "core/xml_analysis/running/field_source.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// Tracks the open system call of each thread, for traces whose exit events do not contain the name of the call.
/// Threads: to be used by one thread.
class OpenCalls {
public:
    explicit OpenCalls(const Trace& trace)
        : m_names(trace)
    {
        for (std::size_t i = 0; i < trace.eventTypes().size(); ++i) {
            m_kinds.push_back(!m_names.entryCallName(EventTypeId(i)).empty()      ? Kind::Entry
                                  : m_names.isExitWithoutCallName(EventTypeId(i)) ? Kind::Exit
                                                                                  : Kind::None);
            m_threads.emplace_back(trace.eventTypes()[EventTypeId(i)], "TID", 0);
        }
    }

    bool isExit(EventTypeId type) const { return m_kinds[std::size_t(type)] == Kind::Exit; }
    bool isEntry(EventTypeId type) const { return m_kinds[std::size_t(type)] == Kind::Entry; }

    /// Processes the entry of a system call. Requires: isEntry().
    void onEntry(const EventView& event, const CurrentThreads& current, Texts& texts)
    {
        if (const auto thread = threadOf(event, current, texts))
            m_open[*thread] = event.record->type;
    }
    /// Processes an exit. Returns the event type of the call's entry; nullopt if unknown. Requires: isExit().
    std::optional<EventTypeId> onExit(const EventView& event, const CurrentThreads& current, Texts& texts)
    {
        const auto thread = threadOf(event, current, texts);
        const auto open = thread ? m_open.find(*thread) : m_open.end();
        if (open == m_open.end())
            return {};
        const EventTypeId entry = open->second;
        m_open.erase(open);
        return entry;
    }
    /// Marks all calls as unknown, because events were lost.
    void forget() { m_open.clear(); }

private:
    enum class Kind : char { None, Entry, Exit };

    std::optional<std::int64_t> threadOf(const EventView& event, const CurrentThreads& current, Texts& texts) const
    {
        const FieldSource& source = m_threads[std::size_t(event.record->type)];
        if (source.isCurrentThread())
            return current.on(event.cpu());
        const Value thread = source.read(event, texts);
        return thread.isInteger() ? std::optional(thread.integer()) : std::nullopt;
    }

    EventTypeNames m_names;
    std::vector<Kind> m_kinds; ///< Kind of each event type (entry, exit or other), indexed by EventTypeId.
    std::vector<FieldSource> m_threads; ///< Source of the thread's id, indexed by EventTypeId.
    std::unordered_map<std::int64_t, EventTypeId> m_open; ///< Entry type of the open system call of each thread, by thread id.
};

} // namespace helio::xml
