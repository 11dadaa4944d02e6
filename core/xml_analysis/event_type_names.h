#pragma once

#include "core/trace/trace.h"
#include "core/xml_analysis/event_pattern.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// The names that files may call the events of a type by: its own, and where LTTng before 2.5 recorded it, that of later versions
/// ("syscall_entry_read" for "sys_read", "syscall_exit_read" for an "exit_syscall" of read).
class EventTypeNames {
public:
    explicit EventTypeNames(const Trace& trace);

    /// Whether exits of system calls do not name their call.
    bool hasUnnamedExits() const { return m_hasUnnamedExits; }
    bool isUnnamedExit(EventTypeId type) const { return m_hasUnnamedExits && nameOf(type) == "exit_syscall"; }
    /// Later name of a system call's entry without "entry_": "syscall_read", "compat_syscall_read". Empty if the type is no entry.
    std::string callOf(EventTypeId type) const;
    /// Whether the filter fits any name of any type. Cost: as fitting(), but only up to the first name that fits.
    bool isAnyFitting(const EventNameFilter& filter) const;
    /// By EventTypeId: whether the filter fits any name of the type; of an unnamed exit also a name for any call whose entries the trace
    /// has. Cost: each name once; the names of exits, which all unnamed exits share, at most once.
    std::vector<bool> fitting(const EventNameFilter& filter) const;
    /// Names of an unnamed exit from the call that an event of the type `entry` began.
    std::vector<std::string> ofExit(EventTypeId exit, EventTypeId entry) const;

private:
    std::string_view nameOf(EventTypeId type) const { return m_types[type].name; }

    const EventTypes& m_types;
    bool m_hasUnnamedExits = false;
    std::vector<std::string> m_entries; ///< By EventTypeId: later name of an entry; empty if the type is none. Empty without unnamed exits.
    std::vector<std::string> m_exits; ///< Names that any unnamed exit may have. Empty without unnamed exits.
};

} // namespace helio::xml
