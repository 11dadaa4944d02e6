#include "core/symbol/libdw/die_scopes.h"

#include "core/symbol/tables/demangler.h"

#include <algorithm>
#include <dwarf.h>

namespace helio {
namespace {

// Limits for damaged files, so that they cannot use up the memory. No compiler writes files that reach these limits.
constexpr std::size_t MostScopeDies = 50'000'000;
constexpr std::size_t MostScopeBytes = std::size_t{256} << 20; ///< Maximum size of the scopes of one unit in bytes.
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

/// Returns the DIE that declares a function, by following abstract origins and specifications.
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

// Limits for damaged files, so that they cannot use up the memory. No compiler writes files that reach these limits.
constexpr std::size_t MaxDies = 50'000'000;
constexpr std::size_t MaxRanges = 8'000'000;
constexpr std::size_t MaxDepth = 256;

template <typename OnRange> void forEachRange(Dwarf_Die& die, OnRange onRange)
{
    Dwarf_Addr base = 0, begin = 0, end = 0;
    std::ptrdiff_t at = 0;
    for (std::size_t count = 0; count < MaxRanges && (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0; ++count)
        if (begin < end)
            onRange(begin, end);
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

/// Walks the DIEs in their order, without recursion. The walk always ends, because the offsets of the DIEs ascend: libdw does not
/// follow a DW_AT_sibling that leads backwards.
void DieScopes::read(Unit& unit, Dwarf_Die unitDie)
{
    struct Level {
        Dwarf_Die die{}; ///< DIE that the walk visits next.
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

/// Walk over the DIEs of a unit in their order, without recursion.
class InlineScopes::Walk {
public:
    explicit Walk(InlineScopes& scopes)
        : m_scopes(scopes)
    {
    }

    void run(Dwarf_Die& unit)
    {
        Dwarf_Die die;
        if (dwarf_child(&unit, &die) != 0)
            return;
        m_open.push_back({die, NoFunction});
        for (std::size_t count = 0; !m_open.empty() && count < MaxDies && rangeCount() < MaxRanges; ++count)
            step();
        flatten();
    }

private:
    static constexpr std::uint32_t NoFunction = ~0U;
    struct Level {
        Dwarf_Die die{}; ///< DIE that the walk visits next.
        std::uint32_t function = NoFunction;
    };

    std::size_t rangeCount() const { return m_scopes.m_ranges.size() + m_collected.size(); }

    void step()
    {
        Dwarf_Die die = m_open.back().die;
        const std::uint32_t function = visit(die, m_open.back().function);
        Dwarf_Die next;
        if (dwarf_siblingof(&die, &next) == 0)
            m_open.back().die = next;
        else
            m_open.pop_back();
        if (m_open.size() < MaxDepth && dwarf_haschildren(&die) > 0 && dwarf_child(&die, &next) == 0)
            m_open.push_back({next, function});
    }

    /// Visits a DIE. Returns the index of the function that the DIE's children belong to.
    std::uint32_t visit(Dwarf_Die& die, std::uint32_t function)
    {
        const int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram) {
            const auto index = static_cast<std::uint32_t>(m_scopes.m_functions.size());
            const std::size_t before = m_scopes.m_ranges.size();
            forEachRange(die, [&](Dwarf_Addr begin, Dwarf_Addr end) { m_scopes.m_ranges.push_back({begin, end, index}); });
            if (m_scopes.m_ranges.size() == before)
                return NoFunction;
            m_scopes.m_functions.push_back({die, 0, 0});
            return index;
        }
        if (tag == DW_TAG_inlined_subroutine && function != NoFunction) {
            const auto index = static_cast<std::uint32_t>(m_scopes.m_dies.size());
            m_scopes.m_dies.push_back(die);
            forEachRange(die, [&](Dwarf_Addr begin, Dwarf_Addr end) { m_collected.push_back({function, {begin, end, index}}); });
        }
        return function;
    }

    void flatten()
    {
        std::ranges::stable_sort(m_collected, {}, &Collected::function);
        for (std::size_t i = 0; i < m_collected.size(); ++i) {
            Function& owner = m_scopes.m_functions[m_collected[i].function];
            if (owner.endInlined == 0)
                owner.firstInlined = static_cast<std::uint32_t>(i);
            owner.endInlined = static_cast<std::uint32_t>(i + 1);
            m_scopes.m_inlined.push_back(m_collected[i].range);
        }
        std::ranges::stable_sort(m_scopes.m_ranges, {}, &Range::begin);
    }

    struct Collected {
        std::uint32_t function = 0;
        Range range;
    };

    InlineScopes& m_scopes;
    std::vector<Level> m_open;
    std::vector<Collected> m_collected;
};

void InlineScopes::read(Dwarf_Die& unit) { Walk(*this).run(unit); }

std::size_t InlineScopes::byteCount() const
{
    return m_ranges.size() * sizeof(Range) + m_functions.size() * sizeof(Function) + m_inlined.size() * sizeof(Range)
        + m_dies.size() * sizeof(Dwarf_Die);
}

std::vector<Dwarf_Die> InlineScopes::at(std::uint64_t vaddr) const
{
    auto range = std::ranges::upper_bound(m_ranges, vaddr, {}, &Range::begin);
    for (int steps = 0; range != m_ranges.begin() && steps < 16; ++steps) {
        --range;
        if (vaddr >= range->end)
            continue;
        const Function& function = m_functions[range->index];
        std::vector<Dwarf_Die> chain{function.die};
        for (std::uint32_t i = function.firstInlined; i < function.endInlined && chain.size() < MaxDepth; ++i)
            if (m_inlined[i].begin <= vaddr && vaddr < m_inlined[i].end)
                chain.push_back(m_dies[m_inlined[i].index]);
        return chain;
    }
    return {};
}

} // namespace helio
