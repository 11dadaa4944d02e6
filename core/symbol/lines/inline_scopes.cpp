#include "core/symbol/lines/inline_scopes.h"

#include <algorithm>
#include <dwarf.h>

namespace helio {

namespace {

// Limits above what compilers write; a damaged file must not take more.
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

/// Walks the DIEs in their order, without recursion.
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
        Dwarf_Die die{}; ///< Next DIE to visit.
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

    /// Returns the function that the DIE's children belong to.
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
