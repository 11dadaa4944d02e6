#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// Computes the qualified names of functions from the scopes that declare them.
/// Ownership: refers to DIEs and must not outlive their Dwarf.
/// Cost: the first name in a C++ compilation unit walks all DIEs of the unit; C has no scopes. At most 256 MiB are kept for a unit, more
/// than compilers write; DIEs beyond the limit have no scopes.
class DieScopes {
public:
    /// Returns the demangled linkage name without parameters, for example "shop::run::{lambda}::operator()". Without a linkage name,
    /// returns DW_AT_name qualified by its namespaces, classes and functions. Empty if the function has neither.
    std::string nameOf(Dwarf_Die function);
    /// Returns the DIE with the function's DW_AT_decl_line: the function itself, else its innermost scope with this attribute, for example
    /// the class of a lambda.
    Dwarf_Die declarationScope(Dwarf_Die function);
    std::size_t byteCount() const { return m_bytes; }

private:
    struct Link {
        Dwarf_Off die = 0;
        std::uint32_t parent = 0; ///< Index + 1 into Unit::scopes; 0 for the unit itself.
    };
    struct Unit {
        /// For each function and scope (namespace or class), its offset in the file and its enclosing scope. Sorted by offset.
        std::vector<Link> links;
        std::vector<Dwarf_Die> scopes;
    };

    std::string nameOf(Dwarf_Die function, int depth);
    std::optional<Dwarf_Die> parentOf(Dwarf_Die& die);
    void read(Unit& unit, Dwarf_Die unitDie);

    std::map<Dwarf_CU*, Unit> m_units;
    std::size_t m_bytes = 0;
};

/// Returns DW_AT_linkage_name of a function, or of the original function if `function` is a copy without the attribute; nullptr if neither
/// has it.
const char* linkageNameOf(Dwarf_Die& function);

/// Functions of a compilation unit and the functions inlined into them, by address.
/// Ownership: refers to DIEs and must not outlive their Dwarf.
/// Cost: read() walks all DIEs of the unit once; 16 bytes per range and 32 bytes per function or inlined copy.
class InlineScopes {
public:
    void read(Dwarf_Die& unit);
    bool isEmpty() const { return m_functions.empty(); }
    std::size_t byteCount() const;

    /// Returns the function at the address and the functions inlined there, outermost first; empty if no function is known at the address.
    std::vector<Dwarf_Die> at(std::uint64_t vaddr) const;

private:
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t index = 0; ///< Index of a function in m_functions, or of an inlined copy in m_dies.
    };
    struct Function {
        Dwarf_Die die{};
        std::uint32_t firstInlined = 0; ///< Index into m_inlined of the first range of this function.
        std::uint32_t endInlined = 0;
    };
    class Walk;

    std::vector<Range> m_ranges; ///< Address ranges of functions, sorted by start.
    std::vector<Function> m_functions;
    std::vector<Range> m_inlined; ///< Ranges of inlined copies, grouped by function; an outer range comes before the ranges inside it.
    std::vector<Dwarf_Die> m_dies; ///< DIEs of inlined copies.
};

} // namespace helio
