#pragma once

#include <string>
#include <string_view>

namespace helio::perf {

/// Returns the name of the register for a bit of a register mask; "r<bit>" if unknown. `machine` is the output of uname -m.
std::string registerName(std::string_view machine, unsigned bit);

} // namespace helio::perf
