#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace helio::kernel {

/// Whose numbers system calls have.
enum class Architecture {
    X86, ///< x86-64
    Generic, ///< aarch64, riscv64, loongarch64: include/uapi/asm-generic/unistd.h
    Other, ///< Those that all architectures share are known.
};

/// As uname -m says: "x86_64".
Architecture architectureNamed(std::string_view machine);

/// The name of a system call by its number, for tracers that record the number only; "system call N" where it has none.
std::string syscallName(std::int64_t number, Architecture architecture);

} // namespace helio::kernel
