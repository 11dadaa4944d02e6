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

    /// True if the trace's exit events of system calls do not contain the name of the call: LTTng before 2.5 records all of them as
    /// "exit_syscall".
    bool hasExitsWithoutCallNames() const { return m_hasExitsWithoutCallNames; }
    bool isExitWithoutCallName(EventTypeId type) const { return m_hasExitsWithoutCallNames && nameOf(type) == "exit_syscall"; }
    /// Returns the name of the system call of an entry event type as LTTng 2.5 and later record it, without "entry_": for example
    /// "syscall_read" or "compat_syscall_read". Empty if the event type is not an entry, or if exits contain the names of their calls.
    std::string entryCallName(EventTypeId type) const;
    /// True if any name of any event type matches the filter.
    /// Cost: like fitting(), but stops at the first match.
    bool isAnyFitting(const EventNameFilter& filter) const;
    /// Returns, indexed by EventTypeId, whether a name of the event type matches the filter. The event type "exit_syscall" does not contain
    /// the call's name, so it matches if the exit name of any call of the trace matches.
    /// Cost: tests each name once; all event types "exit_syscall" share one test of the exit names.
    std::vector<bool> fitting(const EventNameFilter& filter) const;
    /// Returns the names of the event type `exit` ("exit_syscall") for a call that began with an event of type `entry`: the recorded name,
    /// and the name of that call's exit.
    std::vector<std::string> ofExit(EventTypeId exit, EventTypeId entry) const;

private:
    std::string_view nameOf(EventTypeId type) const { return m_types[type].name; }

    const EventTypes& m_types;
    bool m_hasExitsWithoutCallNames = false;
    /// Entry name that LTTng 2.5 and later record, such as "syscall_entry_read", indexed by EventTypeId; empty for event types that are not
    /// entries. The vector is empty if exits contain the names of their calls.
    std::vector<std::string> m_entries;
    /// Names of the exits of all calls in the trace, such as "syscall_exit_read". An "exit_syscall" event may belong to any of them. Empty
    /// if exits contain the names of their calls.
    std::vector<std::string> m_exits;
};

} // namespace helio::xml
