#pragma once

#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Returns the regular expressions that an event name in an XML analysis stands for: "*" is any text, "|" separates alternatives.
std::vector<std::string> eventPatterns(std::string_view text);

/// Returns the reason why a pattern cannot be used; empty if it can.
std::string findPatternFault(const std::string& pattern);

/// Tells event names that fit any of some patterns. Without patterns every name fits. Requires: findPatternFault() finds no fault in the
/// patterns.
/// Cost: a few µs to construct; then linear in the length of a name.
class EventNameFilter {
public:
    explicit EventNameFilter(const std::vector<std::string>& patterns);
    ~EventNameFilter();

    bool fits(std::string_view name) const;

private:
    class Pattern;
    std::vector<Pattern> m_patterns;
};

/// Names that XML analyses may use for the event types of a trace: the recorded name and, for traces of LTTng before 2.5, the name that
/// later versions record ("syscall_entry_read" for "sys_read", "syscall_exit_read" for an "exit_syscall" of read).
class EventTypeNames {
public:
    explicit EventTypeNames(const Trace& trace);

    /// True if exits of system calls do not name their call.
    bool hasUnnamedExits() const { return m_hasUnnamedExits; }
    bool isUnnamedExit(EventTypeId type) const { return m_hasUnnamedExits && nameOf(type) == "exit_syscall"; }
    /// Returns the later name of a system call's entry without "entry_", e.g. "syscall_read" or "compat_syscall_read"; empty if the type is
    /// no entry.
    std::string callOf(EventTypeId type) const;
    /// True if the filter fits any name of any type.
    /// Cost: like fitting(), but stops at the first name that fits.
    bool isAnyFitting(const EventNameFilter& filter) const;
    /// Returns by EventTypeId whether the filter fits any name of the type. An unnamed exit also has the exit names of all calls with
    /// entries in the trace.
    /// Cost: tests each name once; the exit names, which all unnamed exits share, at most once.
    std::vector<bool> fitting(const EventNameFilter& filter) const;
    /// Returns the names of an unnamed exit, if an event of type `entry` began the call.
    std::vector<std::string> ofExit(EventTypeId exit, EventTypeId entry) const;

private:
    std::string_view nameOf(EventTypeId type) const { return m_types[type].name; }

    const EventTypes& m_types;
    bool m_hasUnnamedExits = false;
    /// Indexed by EventTypeId: later name of an entry, empty if the type is no entry. The vector is empty without unnamed exits.
    std::vector<std::string> m_entries;
    std::vector<std::string> m_exits; ///< Names that any unnamed exit may have; empty without unnamed exits.
};

} // namespace helio::xml
