#pragma once

#include <string>
#include <vector>

namespace helio::xml {

/// True if the pattern is the name of one event, and no regular expression.
bool isName(const std::string& pattern);

/// Describes events for the user: "sched_switch", "any that fits syscall_.*".
std::vector<std::string> inWords(const std::vector<std::string>& patterns);

/// Returns the LTTng commands that record the events of these patterns, joined by "&&": one for kernel events, one for system calls (which
/// LTTng knows by the names of the calls) and one for events of programs (names with a ":"). Regular expressions are left out, but if one
/// is for system calls, all system calls are recorded. Empty if no pattern says what to record.
std::string makeRecordCommand(const std::vector<std::string>& patterns);

} // namespace helio::xml
