#pragma once

#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Converts an event name in an XML analysis to regular expressions: "*" stands for any text, "|" separates alternatives.
std::vector<std::string> eventPatterns(std::string_view text);

/// Returns the reason why a pattern is not a valid regular expression; empty if it is valid.
std::string findPatternFault(const std::string& pattern);

/// Filter for event names that match any of several patterns; without patterns, every name matches. Requires: findPatternFault() finds no
/// fault in the patterns.
/// Cost: a few µs for construction; matching is linear in the length of a name.
class EventNameFilter {
public:
    explicit EventNameFilter(const std::vector<std::string>& patterns);
    ~EventNameFilter();

    bool fits(std::string_view name) const;

private:
    class Pattern;
    std::vector<Pattern> m_patterns;
};

/// Names by which XML analyses may refer to the event types of a trace: the recorded name and, for traces of LTTng before 2.5, the
/// name that later versions record ("syscall_entry_read" for "sys_read", "syscall_exit_read" for an "exit_syscall" of read).
class EventTypeNames {
public:
    explicit EventTypeNames(const Trace& trace);

    /// True if exits of system calls do not contain the name of the call.
    bool hasUnnamedExits() const { return m_hasUnnamedExits; }
    bool isUnnamedExit(EventTypeId type) const { return m_hasUnnamedExits && nameOf(type) == "exit_syscall"; }
    /// Returns the new name of a system call's entry, without "entry_", for example "syscall_read" or "compat_syscall_read"; empty if the
    /// event type is not an entry.
    std::string callOf(EventTypeId type) const;
    /// True if any name of any event type matches the filter.
    /// Cost: like fitting(), but stops at the first match.
    bool isAnyFitting(const EventNameFilter& filter) const;
    /// Returns for each EventTypeId whether a name of the event type matches the filter. An unnamed exit has the exit names of all calls
    /// with entries in the trace.
    /// Cost: tests each name once; exit names are tested once for all unnamed exits together.
    std::vector<bool> fitting(const EventNameFilter& filter) const;
    /// Returns the names of an unnamed exit whose call began with an event of type `entry`.
    std::vector<std::string> ofExit(EventTypeId exit, EventTypeId entry) const;

private:
    std::string_view nameOf(EventTypeId type) const { return m_types[type].name; }

    const EventTypes& m_types;
    bool m_hasUnnamedExits = false;
    /// New name of each entry of a system call, by EventTypeId; empty for other event types. The vector is empty if there are no unnamed
    /// exits.
    std::vector<std::string> m_entries;
    std::vector<std::string> m_exits; ///< Exit names of all calls, which any unnamed exit may have; empty if there are no unnamed exits.
};

} // namespace helio::xml
