#pragma once

#include <string>
#include <string_view>

namespace helio::perf {

/// The name of the register that a bit of a register mask stands for, on a machine as uname -m names it; "r<bit>" where not known.
std::string registerName(std::string_view machine, unsigned bit);

} // namespace helio::perf
