#pragma once

#include <string>
#include <vector>

namespace helio::xml {

/// Whether a pattern of events is a name, that of one event.
bool isName(const std::string& pattern);

/// Events in words: "sched_switch, any that fits syscall_.*".
std::vector<std::string> inWords(const std::vector<std::string>& patterns);

/// The commands of LTTng that record the events of these patterns, joined by "&&": events of the kernel, system calls (which it knows by
/// their own names alone) and events of programs (with a ":" in them) each have one. Expressions are left out, except those of system
/// calls: for those all are recorded. Empty: none of the patterns says what to record.
std::string commandToRecord(const std::vector<std::string>& patterns);

} // namespace helio::xml
