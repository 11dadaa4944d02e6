#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace helio {

/// Architecture whose table of system call numbers applies.
enum class Architecture {
    X86, ///< x86-64; also assumed if the trace does not record the machine.
    Generic, ///< aarch64, riscv64 and loongarch64, with the table of include/uapi/asm-generic/unistd.h.
    Other, ///< Any other architecture: only the names of calls whose numbers are the same on all architectures (from 424 on) are known.
};

/// Returns the architecture for a machine name in the format of uname -m, e.g. "x86_64".
Architecture architectureNamed(std::string_view machine);

/// Returns the name of a system call, given its number, for tracers that record only numbers; "system call N" if unknown.
std::string syscallName(std::int64_t number, Architecture architecture);

/// True if x86-64 or a generic architecture has a system call of that name.
bool isSyscallName(std::string_view name);

} // namespace helio
