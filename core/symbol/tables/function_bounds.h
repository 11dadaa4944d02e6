#pragma once

#include <cstdint>
#include <vector>

namespace helio {

class ElfFile;

/// Begin and end of functions from a file's unwind tables (.eh_frame). Stripped files keep these tables, because exceptions need them.
///
/// Threads: any thread at once.
/// Errors: entries that cannot be read are left out.
/// Cost: the constructor reads the whole table, about 50 ns and 16 bytes per function; find() is a binary search.
class FunctionBounds {
public:
    struct Bounds {
        std::uint64_t begin = 0; ///< First vaddr.
        std::uint64_t end = 0;
    };

    explicit FunctionBounds(const ElfFile& file);

    /// Returns nullptr if no function is known at `vaddr`.
    const Bounds* find(std::uint64_t vaddr) const;

private:
    std::vector<Bounds> m_bounds; ///< Functions by begin.
};

} // namespace helio
