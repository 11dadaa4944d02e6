#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// Qualified names of functions, built from the scopes that declare them. Holds DIEs: must not outlive their Dwarf.
/// Cost: the first name in a C++ compilation unit walks all DIEs of the unit; C has no scopes. Keeps at most 256 MiB a unit, more than
/// compilers write; DIEs beyond the limit have no scopes.
class DieScopes {
public:
    /// Returns the demangled linkage name without parameters, for example "shop::run::{lambda}::operator()". Without a linkage name,
    /// returns DW_AT_name qualified by its namespaces, classes and functions. Empty if the function has no name.
    std::string nameOf(Dwarf_Die function);
    /// Returns the DIE with the function's DW_AT_decl_line: the function itself, else the innermost scope with one, for example the
    /// class of a lambda.
    Dwarf_Die declarationScope(Dwarf_Die function);
    std::size_t byteCount() const { return m_bytes; }

private:
    struct Link {
        Dwarf_Off die = 0;
        std::uint32_t parent = 0; ///< Index + 1 into Unit::scopes; 0 for the unit itself.
    };
    struct Unit {
        std::vector<Link> links; ///< Links of scopes and functions, sorted by offset.
        std::vector<Dwarf_Die> scopes;
    };

    std::string nameOf(Dwarf_Die function, int depth);
    std::optional<Dwarf_Die> parentOf(Dwarf_Die& die);
    void read(Unit& unit, Dwarf_Die unitDie);

    std::map<Dwarf_CU*, Unit> m_units;
    std::size_t m_bytes = 0;
};

/// Returns DW_AT_linkage_name of a function, or of the function that it is a copy of; nullptr if it has none.
const char* linkageNameOf(Dwarf_Die& function);

} // namespace helio
