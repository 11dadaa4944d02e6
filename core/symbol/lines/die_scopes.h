#pragma once

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// Names of functions with the scopes that declare them. Holds DIEs, so it lives no longer than their Dwarf.
/// Cost: the first name of a C++ compilation unit walks all DIEs of the unit; C has no scopes. At most 256 MiB a unit are kept, more than
/// compilers write; DIEs beyond have no scopes.
class DieScopes {
public:
    /// "shop::run::{lambda}::operator()": the linkage name demangled without parameters, else DW_AT_name below its namespaces, classes and
    /// functions. Empty: the function has no name.
    std::string nameOf(Dwarf_Die function);
    /// The DIE with the function's DW_AT_decl_line: the function itself, else the innermost scope that has one, as a lambda's class does.
    Dwarf_Die declaredBy(Dwarf_Die function);
    std::size_t byteCount() const { return m_bytes; }

private:
    struct Link {
        Dwarf_Off die = 0;
        std::uint32_t parent = 0; ///< Index + 1 in Unit::scopes; 0: the unit itself.
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

/// DW_AT_linkage_name of a function, or of what it is a copy of. Null: it has none.
const char* linkageNameOf(Dwarf_Die& function);

} // namespace helio
