#pragma once

#include "core/trace/fields/by_event_type.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/process/module.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio {

/// Which process each thread is of and how it is called, as forks, execs, statedumps and the records beside the events say it while a trace
/// is read: for analyses that run beside the kernel's, whose store would take a reading of its own. One thread; the trace outlives it.
/// Memory: some 100 bytes for each tid that was ever named.
class ThreadBooks {
public:
    explicit ThreadBooks(const Trace& trace);

    bool isAbout(EventTypeId type) const { return m_types[type].tid.isValid(); }
    /// Requires: an event that is about threads.
    void take(const EventView& event);
    /// The records up to then. Cost: none where there are none.
    void takeRecords(HostTimestamp until);

    /// Whether every change of a name is among the records, so that no older event knows better.
    bool haveAllNames() const { return m_haveAllNames; }

    std::int32_t processOf(std::int32_t tid) const; ///< -1: not known.
    std::string_view nameOf(std::int32_t tid) const; ///< Valid until the next event is taken. Empty: not known.

private:
    struct Type {
        FieldRef tid, pid, name;
        bool isPath = false; ///< The name is the last part of one.
    };
    struct Thread {
        std::int32_t pid = -1;
        std::string name;
    };
    static std::optional<Type> typeOf(const EventType& type);
    void put(std::int32_t tid, std::int32_t pid, std::string_view name);

    ByEventType<Type> m_types;
    std::unordered_map<std::int32_t, Thread> m_threads; ///< By tid.
    std::span<const ProcessRecord> m_records; ///< Those still to be taken.
    bool m_haveAllNames = false;
};

} // namespace helio
