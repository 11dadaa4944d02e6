#include "core/symbol/lines/die_scopes.h"

#include "core/symbol/tables/demangler.h"

#include <algorithm>
#include <dwarf.h>

namespace helio {

namespace {

// Limits above what compilers write; a damaged file must not take more.
constexpr std::size_t MostScopeDies = 50'000'000;
constexpr std::size_t MostScopeBytes = std::size_t{256} << 20; ///< Maximum bytes of one unit.
constexpr std::size_t MostScopeNesting = 256;
constexpr int MostScopes = 32;

bool isScope(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type
        || tag == DW_TAG_enumeration_type || tag == DW_TAG_interface_type || tag == DW_TAG_module || tag == DW_TAG_subprogram;
}

bool isOfC(Dwarf_Die& unit)
{
    const int language = dwarf_srclang(&unit);
    return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 || language == DW_LANG_C11
        || language == DW_LANG_Mips_Assembler;
}

/// Returns the DIE that declares a function: follows abstract origins and specifications.
Dwarf_Die declarationOf(Dwarf_Die die)
{
    for (int steps = 0; steps < 8; ++steps) {
        Dwarf_Attribute attribute;
        Dwarf_Die next;
        if ((!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) && !dwarf_attr(&die, DW_AT_specification, &attribute))
            || !dwarf_formref_die(&attribute, &next))
            break;
        die = next;
    }
    return die;
}

/// Returns the unqualified name of a scope.
std::string unqualifiedName(Dwarf_Die& scope)
{
    if (const char* name = dwarf_diename(&scope))
        return name;
    if (dwarf_tag(&scope) == DW_TAG_namespace)
        return "(anonymous namespace)";
    Dwarf_Die child;
    for (int more = dwarf_child(&scope, &child); more == 0; more = dwarf_siblingof(&child, &child))
        if (const char* name = dwarf_tag(&child) == DW_TAG_subprogram ? dwarf_diename(&child) : nullptr;
            name && std::string_view(name) == "operator()")
            return "{lambda}";
    return "{unnamed}";
}

} // namespace

const char* linkageNameOf(Dwarf_Die& function)
{
    Dwarf_Attribute attribute;
    for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
        if (dwarf_attr_integrate(&function, kind, &attribute))
            if (const char* name = dwarf_formstring(&attribute))
                return name;
    return nullptr;
}

std::string DieScopes::nameOf(Dwarf_Die function) { return nameOf(function, 0); }

Dwarf_Die DieScopes::declarationScope(Dwarf_Die function)
{
    std::optional<Dwarf_Die> scope = declarationOf(function);
    for (int steps = 0, line = 0; steps < MostScopes && scope; ++steps, scope = parentOf(*scope))
        if (dwarf_decl_line(&*scope, &line) == 0)
            return *scope;
    return function;
}

std::string DieScopes::nameOf(Dwarf_Die function, int depth)
{
    if (const char* name = linkageNameOf(function))
        return demangled(name);
    const char* own = dwarf_diename(&function);
    if (!own)
        return {};
    std::string name = own;
    std::optional<Dwarf_Die> scope = declarationOf(function);
    for (int steps = 0; steps < MostScopes && (scope = parentOf(*scope)); ++steps) {
        if (dwarf_tag(&*scope) == DW_TAG_subprogram) {
            const std::string outer = depth < MostScopes ? nameOf(*scope, depth + 1) : std::string();
            return outer.empty() ? name : outer + "::" + name;
        }
        name = unqualifiedName(*scope) + "::" + name;
    }
    return name;
}

std::optional<Dwarf_Die> DieScopes::parentOf(Dwarf_Die& die)
{
    Dwarf_Die unitDie;
    if (!dwarf_diecu(&die, &unitDie, nullptr, nullptr))
        return {};
    const auto [place, isNew] = m_units.try_emplace(die.cu);
    Unit& unit = place->second;
    if (isNew && !isOfC(unitDie))
        read(unit, unitDie);
    const Dwarf_Off offset = dwarf_dieoffset(&die);
    const auto link = std::ranges::lower_bound(unit.links, offset, {}, &Link::die);
    if (link == unit.links.end() || link->die != offset || link->parent == 0)
        return {};
    return unit.scopes[link->parent - 1];
}

/// Walks the DIEs in their order, without recursion: offsets ascend, because libdw follows no DW_AT_sibling backwards.
void DieScopes::read(Unit& unit, Dwarf_Die unitDie)
{
    struct Level {
        Dwarf_Die die{}; ///< Next DIE to visit.
        std::uint32_t scope = 0; ///< Index + 1 into Unit::scopes; 0 for the unit itself.
    };
    Dwarf_Die die;
    if (dwarf_child(&unitDie, &die) != 0)
        return;
    std::vector<Level> open{{die, 0}};
    const std::size_t mostBytes = m_bytes + MostScopeBytes;
    for (std::size_t count = 0; !open.empty() && count < MostScopeDies && m_bytes < mostBytes; ++count) {
        die = open.back().die;
        std::uint32_t scope = open.back().scope;
        if (isScope(dwarf_tag(&die))) {
            unit.links.push_back({dwarf_dieoffset(&die), scope});
            m_bytes += sizeof(Link);
            if (dwarf_haschildren(&die) > 0) {
                unit.scopes.push_back(die);
                m_bytes += sizeof(Dwarf_Die);
                scope = static_cast<std::uint32_t>(unit.scopes.size());
            }
        }
        Dwarf_Die next;
        if (dwarf_siblingof(&die, &next) == 0)
            open.back().die = next;
        else
            open.pop_back();
        if (open.size() < MostScopeNesting && dwarf_haschildren(&die) > 0 && dwarf_child(&die, &next) == 0)
            open.push_back({next, scope});
    }
}

} // namespace helio
