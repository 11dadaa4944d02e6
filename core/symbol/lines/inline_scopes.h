#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <vector>

namespace helio {

/// Functions of a compilation unit and the functions inlined into them, by address. Holds DIEs: must not outlive their Dwarf.
/// Cost: read() walks all DIEs of the unit once; 16 bytes per range and 32 bytes per function or inlined copy.
class InlineScopes {
public:
    void read(Dwarf_Die& unit);
    bool isEmpty() const { return m_functions.empty(); }
    std::size_t byteCount() const;

    /// Returns the function at the address and the functions inlined there, outermost first; empty if no function is known.
    std::vector<Dwarf_Die> at(std::uint64_t vaddr) const;

private:
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t index = 0; ///< Index of a function in m_functions, or of an inlined copy in m_dies.
    };
    struct Function {
        Dwarf_Die die{};
        std::uint32_t firstInlined = 0; ///< Index into m_inlined.
        std::uint32_t endInlined = 0;
    };
    class Walk;

    std::vector<Range> m_ranges; ///< Ranges of functions, by begin.
    std::vector<Function> m_functions;
    std::vector<Range> m_inlined; ///< Ranges of inlined copies, grouped by function; an outer range comes before the ranges inside it.
    std::vector<Dwarf_Die> m_dies; ///< DIEs of inlined copies.
};

} // namespace helio
