#pragma once

#include <cstdint>
#include <string>

namespace helio::kernel {

/// The name of a system call of x86-64 by its number, for tracers that tell the number only; "#N" where it has none.
std::string syscallName(std::int64_t number);

} // namespace helio::kernel
