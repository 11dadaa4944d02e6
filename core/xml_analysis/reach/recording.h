#pragma once

#include <string>
#include <vector>

namespace helio::xml {

/// Describes event patterns for the user: "sched_switch", "any that fits syscall_.*".
std::vector<std::string> inWords(const std::vector<std::string>& patterns);

} // namespace helio::xml
