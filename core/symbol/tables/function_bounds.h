#pragma once

#include <cstdint>
#include <vector>

namespace helio {

class ElfFile;

/// Where functions begin and end, as a file's unwind tables have it (.eh_frame): stripped files keep those, as exceptions need them.
///
/// Threads: any at once. Errors: entries that cannot be read are left out.
/// Cost:    making it reads the whole table, about 50 ns and 16 bytes a function; find() is a binary search.
class FunctionBounds {
public:
    struct Bounds {
        std::uint64_t begin = 0; ///< Vaddr.
        std::uint64_t end = 0;
    };

    explicit FunctionBounds(const ElfFile& file);

    /// Null: no function is known there.
    const Bounds* find(std::uint64_t vaddr) const;

private:
    std::vector<Bounds> m_bounds; ///< By begin.
};

} // namespace helio
