#pragma once

#include <string>
#include <vector>

namespace helio::xml {

/// True if the pattern is the name of a single event, not a regular expression.
bool isName(const std::string& pattern);

/// Describes event patterns for the user: "sched_switch", "any that fits syscall_.*".
std::vector<std::string> inWords(const std::vector<std::string>& patterns);

/// Returns the LTTng commands that record the events whose names match `patterns` (event names or regular expressions), joined by "&&".
/// There is one command for kernel events, one for system calls (which LTTng lists by the names of the calls), and one for events of
/// programs (names with a ":"). Regular expressions are left out, but if one matches system calls, the command records all system calls.
/// Empty if no pattern can be translated.
std::string makeRecordCommand(const std::vector<std::string>& patterns);

} // namespace helio::xml
