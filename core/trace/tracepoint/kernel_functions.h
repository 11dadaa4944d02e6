#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::tracepoint {

/// Functions of the kernel by address, from a text in the format of /proc/kallsyms.
///
/// Ownership: the text must outlive the object.
/// Threads: any thread at once.
/// Cost: construction sorts the functions of the text, a few hundred thousand at most; find() is a binary search.
class KernelFunctions {
public:
    KernelFunctions() = default;
    explicit KernelFunctions(std::string_view text);

    /// Returns the name of the function that contains `address`; empty if no function begins at or before the address, or if the kernel hid
    /// its addresses.
    std::string_view find(std::uint64_t address) const;

private:
    struct Function {
        std::uint64_t address = 0;
        std::string_view name;
    };
    std::vector<Function> m_functions; ///< Sorted by address.
};

} // namespace helio::tracepoint
