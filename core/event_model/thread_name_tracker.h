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

/// Tracks the process and name of each thread while a trace is read, from forks, execs, statedumps and the trace's process records. For
/// analyses that run in the same pass as the kernel analysis and therefore cannot read the kernel store.
///
/// Threads: to be used by one thread.
/// Ownership: the trace must outlive the object.
/// Memory: about 100 bytes for each tid that ever had a name.
class ThreadNameTracker {
public:
    explicit ThreadNameTracker(const Trace& trace);

    bool isAbout(EventTypeId type) const { return m_types[type].tid.isValid(); }
    /// Processes an event about threads. Requires: isAbout().
    void take(const EventView& event);
    /// Takes names and process ids of threads from the trace's process records up to the time `until`.
    /// Cost: none if the trace has no process records.
    void takeRecords(HostTimestamp until);

    /// Returns true if the process records contain every change of a name; events then give no newer names.
    bool hasAllNames() const { return m_haveAllNames; }

    std::int32_t processOf(std::int32_t tid) const; ///< Returns the process id of a thread; -1 if unknown.
    /// Returns the name of a thread, valid until the next event is processed; empty if unknown.
    std::string_view nameOf(std::int32_t tid) const;

private:
    struct Type {
        FieldRef tid, pid, name;
        bool isPath = false; ///< True if the field is a path, whose last component is the name.
    };
    struct Thread {
        std::int32_t pid = -1;
        std::string name;
    };
    static std::optional<Type> typeOf(const EventType& type);
    void put(std::int32_t tid, std::int32_t pid, std::string_view name);

    ValuesByEventType<Type> m_types;
    std::unordered_map<std::int32_t, Thread> m_threads; ///< Process and name of each thread, keyed by TID.
    std::span<const ProcessRecord> m_records; ///< Process records that are not processed yet.
    bool m_haveAllNames = false;
};

} // namespace helio
