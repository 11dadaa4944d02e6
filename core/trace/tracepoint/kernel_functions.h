#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::tracepoint {

/// Kernel functions by address, parsed from a text in the format of /proc/kallsyms.
///
/// Ownership: the text must outlive the object.
/// Threads: any number of threads may use the object at once.
/// Cost: the constructor sorts the functions, at most a few hundred thousand; find() is a binary search.
class KernelFunctions {
public:
    KernelFunctions() = default;
    explicit KernelFunctions(std::string_view text);

    /// Returns the name of the function that contains `address`; empty if no function contains it, or if the kernel hid the addresses of
    /// its functions. A function ends at the next symbol of the kernel or of its module; the last one of them has
    /// at most one page.
    std::string_view find(std::uint64_t address) const;

private:
    struct Function {
        std::uint64_t address = 0;
        std::uint64_t last = 0; ///< Address of the last byte.
        std::string_view name;
    };
    std::vector<Function> m_functions; ///< Functions, sorted by address.
};

} // namespace helio::tracepoint
