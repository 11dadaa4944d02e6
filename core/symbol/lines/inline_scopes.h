#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <vector>

namespace helio {

/// The functions of a compilation unit and what was inlined into them, by address. Holds DIEs, so it lives no longer than their Dwarf.
/// Cost: reading walks all DIEs of the unit once; 16 bytes a range and 32 a function or inlined copy.
class InlineScopes {
public:
    void read(Dwarf_Die& unit);
    bool isEmpty() const { return m_functions.empty(); }
    std::size_t byteCount() const;

    /// The function at the address and what is inlined there, outermost first; empty: no function is known.
    std::vector<Dwarf_Die> at(std::uint64_t vaddr) const;

private:
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t index = 0; ///< Of a function, or of an inlined copy's DIE.
    };
    struct Function {
        Dwarf_Die die{};
        std::uint32_t firstInlined = 0; ///< Into m_inlined.
        std::uint32_t endInlined = 0;
    };
    class Walk;

    std::vector<Range> m_ranges; ///< Of functions, by begin.
    std::vector<Function> m_functions;
    std::vector<Range> m_inlined; ///< Function by function; an outer one before those inside it.
    std::vector<Dwarf_Die> m_dies; ///< Of inlined copies.
};

} // namespace helio
