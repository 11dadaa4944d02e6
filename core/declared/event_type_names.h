#pragma once

#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio::declared {

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
    /// Names of a type; for an unnamed exit, the names for each call whose entries the trace has.
    std::vector<std::string> of(EventTypeId type) const;
    /// Names of an unnamed exit from the call that an event of the type `entry` began.
    std::vector<std::string> ofExit(EventTypeId exit, EventTypeId entry) const;

private:
    std::string_view nameOf(EventTypeId type) const { return m_types[type].name; }

    const EventTypes& m_types;
    bool m_hasUnnamedExits = false;
};

} // namespace helio::declared
