#include "core/formats/perf_data/registers.h"

#include <array>

namespace helio::perf {
namespace {

constexpr std::array<std::string_view, 24> X86{
    "ax", "bx", "cx", "dx", "si", "di", "bp",  "sp",  "ip",  "flags", "cs",  "ss",
    "ds", "es", "fs", "gs", "r8", "r9", "r10", "r11", "r12", "r13",   "r14", "r15",
};

} // namespace

std::string registerName(std::string_view machine, unsigned bit)
{
    const bool isX86 = machine == "x86_64" || machine == "i386" || machine == "i686";
    if (isX86 && bit < X86.size())
        return std::string(X86[bit]);
    if (machine == "aarch64" && bit < 33)
        return bit == 30 ? "lr" : bit == 31 ? "sp" : bit == 32 ? "pc" : "x" + std::to_string(bit);
    return "r" + std::to_string(bit);
}

} // namespace helio::perf
