#pragma once

#include <cstdint>
#include <vector>

namespace helio {

class ElfFile;

/// Address ranges of functions from a file's unwind tables (.eh_frame). Stripped files keep these tables, because exceptions need them.
///
/// Threads: any thread at once.
/// Errors: unreadable entries are skipped.
/// Cost: the constructor reads the whole table, about 50 ns and 16 bytes per function; find() is a binary search.
class FunctionBounds {
public:
    struct Bounds {
        std::uint64_t begin = 0; ///< First vaddr of the function.
        std::uint64_t end = 0;
    };

    explicit FunctionBounds(const ElfFile& file);

    /// Returns the range of the function at `vaddr`; nullptr if no function is known there.
    const Bounds* find(std::uint64_t vaddr) const;

private:
    std::vector<Bounds> m_bounds; ///< Ranges of the functions, sorted by start.
};

} // namespace helio
