#include "core/symbol/tables/symbol_table.h"

#include <algorithm>
#include <functional>

namespace helio {

namespace {

constexpr std::uint64_t PageBytes = 4096;
constexpr int MaxNesting = 64;
constexpr std::size_t MaxEntries = (std::size_t{1} << 28) - 2;
constexpr std::uint64_t HashBits = ~std::uint64_t{0} << 28; ///< Bits of a name's hash, above those of an entry's index.

std::uint64_t hashOf(std::string_view name) { return std::hash<std::string_view>{}(name)&HashBits; }

std::uint64_t endOfPageAfter(std::uint64_t address)
{
    const std::uint64_t page = (address + PageBytes - 1) & ~(PageBytes - 1);
    return page + PageBytes < page || page < address ? ~std::uint64_t{0} : page + PageBytes;
}

std::size_t underscoresOf(std::string_view name)
{
    const std::size_t first = name.find_first_not_of('_');
    return first == std::string_view::npos ? name.size() : first;
}

/// True if perf prefers `a` to `b` at the same address; the rules are in perf's order.
bool isBetter(const SymbolTable::Entry& a, const SymbolTable::Entry& b)
{
    const bool aIsLong = a.end > a.begin, bIsLong = b.end > b.begin;
    if (aIsLong != bIsLong)
        return aIsLong;
    const auto weak = static_cast<unsigned>(SymbolTable::Binding::Weak);
    if ((a.binding == weak) != (b.binding == weak))
        return b.binding == weak;
    const auto global = static_cast<unsigned>(SymbolTable::Binding::Global);
    if ((a.binding == global) != (b.binding == global))
        return a.binding == global;
    if (const auto x = underscoresOf(a.name()), y = underscoresOf(b.name()); x != y)
        return x < y;
    if (a.length != b.length)
        return a.length > b.length;
    return !a.name().starts_with("SyS") && !a.name().starts_with("compat_SyS"); // SyS names are old aliases of system calls.
}

} // namespace

void SymbolTable::add(std::uint64_t begin, std::uint64_t size, std::string_view name, Binding binding, bool isModule)
{
    if (m_entries.size() >= MaxEntries || name.size() > ~std::uint32_t{0})
        return;
    const std::uint64_t end = begin + size < begin ? ~std::uint64_t{0} : begin + size;
    m_entries.push_back(
        {begin, end, name.data(), static_cast<std::uint32_t>(name.size()), 0, static_cast<unsigned>(binding) & 3U, size != 0, isModule});
}

void SymbolTable::finish(Ends ends)
{
    std::ranges::stable_sort(m_entries, {}, &Entry::begin);
    setMissingEnds(ends);
    dropAliases();
    nest();
    m_entries.shrink_to_fit();
}

void SymbolTable::setMissingEnds(Ends ends)
{
    std::uint64_t end = 0; // Largest end of the symbols with a size so far.
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        Entry& entry = m_entries[i];
        if (entry.hasSize)
            end = std::max(end, entry.end);
        if (entry.end != entry.begin || entry.begin < end) // A label inside a function contains nothing: the code is the function's.
            continue;
        const Entry* next = i + 1 < m_entries.size() ? &m_entries[i + 1] : nullptr;
        if (!next || (ends == Ends::AtNextInSameModule && next->isModule != entry.isModule))
            entry.end = endOfPageAfter(entry.begin);
        else
            entry.end = next->begin;
    }
}

void SymbolTable::dropAliases()
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (kept == 0 || m_entries[kept - 1].begin != m_entries[i].begin)
            m_entries[kept++] = m_entries[i];
        else if (!isBetter(m_entries[kept - 1], m_entries[i]))
            m_entries[kept - 1] = m_entries[i];
    }
    m_entries.resize(kept);
}

void SymbolTable::nest()
{
    std::vector<std::uint32_t> open; // Symbols that reach beyond the current begin, outermost first.
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        while (!open.empty() && m_entries[open.back()].end <= m_entries[i].begin)
            open.pop_back();
        m_entries[i].enclosing = open.empty() ? 0 : (open.back() + 1) & 0xFFFFFFFU;
        // A symbol that ends before its enclosing symbol hides it only up to its own end; longer symbols stay below it.
        open.push_back(i);
    }
}

const SymbolTable::Entry* SymbolTable::nearest(std::uint64_t address) const
{
    const auto after = std::ranges::upper_bound(m_entries, address, {}, &Entry::begin);
    return after == m_entries.begin() ? nullptr : &*std::prev(after);
}

const SymbolTable::Entry* SymbolTable::find(std::uint64_t address) const
{
    const Entry* entry = nearest(address);
    for (int steps = 0; entry && steps < MaxNesting; ++steps) {
        if (address < entry->end)
            return entry;
        entry = entry->enclosing ? &m_entries[entry->enclosing - 1] : nullptr;
    }
    return nullptr;
}

const SymbolTable::Entry* SymbolTable::find(std::string_view name) const
{
    const auto all = named(name);
    return all.empty() ? nullptr : all.front();
}

std::vector<const SymbolTable::Entry*> SymbolTable::named(std::string_view name) const
{
    std::call_once(m_names->once, [this] {
        m_names->places.reserve(m_entries.size());
        for (std::uint32_t i = 0; i < m_entries.size(); ++i)
            m_names->places.push_back(hashOf(m_entries[i].name()) | i);
        std::ranges::sort(m_names->places);
    });
    std::vector<const Entry*> found;
    const std::uint64_t hash = hashOf(name);
    for (auto at = std::ranges::lower_bound(m_names->places, hash); at != m_names->places.end() && (*at & HashBits) == hash; ++at)
        if (const Entry& entry = m_entries[*at & ~HashBits]; entry.name() == name)
            found.push_back(&entry);
    return found;
}

} // namespace helio
