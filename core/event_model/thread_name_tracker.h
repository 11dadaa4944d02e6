#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"
#include "core/trace/process/module.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace helio {

/// Tracks process and name of each thread while a trace is read, from forks, execs, statedumps and the process records of the trace. For
/// analyses that run in the same pass as the kernel analysis and therefore cannot read its store.
///
/// Threads: to be used by one thread.
/// Ownership: the trace outlives the object.
/// Memory: about 100 bytes for each tid that was ever named.
class ThreadNameTracker {
public:
    explicit ThreadNameTracker(const Trace& trace);

    bool isAbout(EventTypeId type) const { return m_types[type].tid.isValid(); }
    /// Requires: an event about threads (isAbout()).
    void take(const EventView& event);
    /// Takes the process records up to that time. Cost: none if there are none.
    void takeRecords(HostTimestamp until);

    /// Returns true if the process records contain every change of a name, so that no other event is more recent.
    bool hasAllNames() const { return m_haveAllNames; }

    std::int32_t processOf(std::int32_t tid) const; ///< Returns the pid of a thread's process; -1 if unknown.
    /// Returns the name of a thread, valid until the next event is taken; empty if unknown.
    std::string_view nameOf(std::int32_t tid) const;

private:
    struct Type {
        FieldRef tid, pid, name;
        bool isPath = false; ///< True if the name is the last component of a path.
    };
    struct Thread {
        std::int32_t pid = -1;
        std::string name;
    };
    static std::optional<Type> typeOf(const EventType& type);
    void put(std::int32_t tid, std::int32_t pid, std::string_view name);

    ValuesByEventType<Type> m_types;
    std::unordered_map<std::int32_t, Thread> m_threads; ///< Indexed by tid.
    std::span<const ProcessRecord> m_records; ///< Process records that are not taken yet.
    bool m_haveAllNames = false;
};

} // namespace helio
