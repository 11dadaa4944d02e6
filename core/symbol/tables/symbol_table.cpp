#include "core/symbol/tables/symbol_table.h"

#include "core/symbol/files/elf_file.h"
#include "core/symbol/files/elf_layout.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <elf.h>
#include <functional>
#include <string>
#include <tuple>

namespace helio {
namespace {

constexpr std::uint64_t PageBytes = 4096;
constexpr int MaxNesting = 64;
constexpr std::size_t MaxEntries = (std::size_t{1} << 28) - 2;
/// Mask of the hash bits in a word of NameIndex; the lower bits are the index of an entry.
constexpr std::uint64_t HashBits = ~std::uint64_t{0} << 28;

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

/// True if perf prefers symbol `a` to symbol `b` at the same address. The criteria are the same as in perf, in perf's order: size,
/// binding, leading underscores, length of the name.
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
    // Names that begin with "SyS" or "compat_SyS" are old aliases of system calls. Prefer any other name.
    return !a.name().starts_with("SyS") && !a.name().starts_with("compat_SyS");
}

// Selection of an ELF file's symbols for a symbol table, with perf's rules.

/// True for the assembler's mapping symbols ($a, $d, $t, $x). They mark where code and data start and do not name functions.
bool isMappingSymbol(std::string_view name, ElfMachine machine)
{
    return machine != ElfMachine::X86_64 && name.size() >= 2 && name[0] == '$'
        && (name[1] == 'x' || name[1] == 'd' || name[1] == 'a' || name[1] == 't') && (name.size() == 2 || name[2] == '.');
}

bool isWanted(const Elf64_Sym& symbol)
{
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF)
        return false;
    if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
        return true;
    const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
    return type == STT_NOTYPE && symbol.st_shndx != SHN_ABS && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

SymbolTable::Binding bindingOf(const Elf64_Sym& symbol)
{
    switch (ELF64_ST_BIND(symbol.st_info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE: return SymbolTable::Binding::Global;
    case STB_WEAK: return SymbolTable::Binding::Weak;
    default: return SymbolTable::Binding::Local;
    }
}

/// Reads a symbol table from the mapped file.
class SymbolReader {
public:
    /// Requires: `file` is an ELF file, so that it has a layout.
    SymbolReader(const ElfFile& file, const ElfSection& section)
        : m_layout(*ElfLayout::of(file.bytes()))
        , m_bytes(file.bytesOf(section))
    {
        const auto strings = std::ranges::find(file.sections(), section.link, &ElfSection::index);
        if (strings != file.sections().end())
            m_strings = file.bytesOf(*strings);
    }

    std::size_t count() const { return m_bytes.size() / m_layout.symbolBytes(); }
    /// Requires: `i` < count().
    Elf64_Sym operator[](std::size_t i) const { return *m_layout.symbol(m_bytes, i * m_layout.symbolBytes()); }
    std::string_view nameOf(const Elf64_Sym& symbol) const { return elfString(m_strings, symbol.st_name); }

private:
    ElfLayout m_layout;
    std::span<const std::byte> m_bytes;
    std::span<const std::byte> m_strings;
};

// Names for the stubs (PLT entries) through which code calls functions of other files. The layout of stubs (.plt, .plt.sec, .plt.got)
// differs between linkers. Therefore, a stub's instructions are decoded to find the slot with the address that the stub jumps to; the
// relocation of this slot names the function.

using SlotNames = std::unordered_map<std::uint64_t, std::string_view>;

constexpr std::uint64_t MaxRelocations = 4'000'000;

template <typename T> T load(std::span<const std::byte> bytes, std::size_t at)
{
    T value{};
    if (at <= bytes.size() && sizeof value <= bytes.size() - at)
        std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::string_view dynamicName(const ElfFile& file, std::uint64_t index)
{
    const ElfSection* symbols = file.section(".dynsym");
    const ElfSection* strings = file.section(".dynstr");
    if (!symbols || !strings || index >= symbols->size / sizeof(Elf64_Sym))
        return {};
    const auto symbol = load<Elf64_Sym>(file.bytesOf(*symbols), index * sizeof(Elf64_Sym));
    return elfString(file.bytesOf(*strings), symbol.st_name);
}

/// Name of an IFUNC resolver, a function that selects the code of another function when the file is loaded. If the resolver has
/// several names, the name that programs call is kept.
struct ResolverName {
    std::string_view text;
    bool isGlobal = false;

    bool isBetter(const ResolverName& than) const { return rank() < than.rank(); }
    std::tuple<bool, bool, std::size_t, std::string_view> rank() const { return {text.starts_with('_'), !isGlobal, text.size(), text}; }
};

/// Returns the names of IFUNC functions, keyed by the address of their resolver. The relocation of such a function's PLT slot
/// contains only this address and no name.
std::unordered_map<std::uint64_t, ResolverName> namesOfResolvers(const ElfFile& file)
{
    const ElfSection* symbols = file.section(".dynsym");
    const auto bytes = symbols ? file.bytesOf(*symbols) : std::span<const std::byte>();
    std::unordered_map<std::uint64_t, ResolverName> names;
    for (std::size_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= bytes.size(); ++i) {
        const auto symbol = load<Elf64_Sym>(bytes, i * sizeof(Elf64_Sym));
        if (ELF64_ST_TYPE(symbol.st_info) != STT_GNU_IFUNC)
            continue;
        const ResolverName name{dynamicName(file, i), ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL};
        if (name.text.empty())
            continue;
        if (auto [known, isNew] = names.emplace(symbol.st_value, name); !isNew && name.isBetter(known->second))
            known->second = name;
    }
    return names;
}

SlotNames namesOfSlots(const ElfFile& file)
{
    const unsigned chosen = file.machine() == ElfMachine::X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE;
    const auto resolvers = namesOfResolvers(file);
    const unsigned jump = file.machine() == ElfMachine::X86_64 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT;
    const unsigned data = file.machine() == ElfMachine::X86_64 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT;
    SlotNames names;
    for (const ElfSection& section : file.sections()) {
        if (section.type != SHT_RELA || (section.flags & SHF_ALLOC) == 0)
            continue;
        const auto bytes = file.bytesOf(section);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= bytes.size() && names.size() < MaxRelocations; at += sizeof(Elf64_Rela)) {
            const auto relocation = load<Elf64_Rela>(bytes, at);
            const unsigned type = ELF64_R_TYPE(relocation.r_info);
            if (type != jump && type != data && type != chosen)
                continue;
            const auto resolver = resolvers.find(static_cast<std::uint64_t>(relocation.r_addend));
            const auto name = type != chosen  ? dynamicName(file, ELF64_R_SYM(relocation.r_info))
                : resolver != resolvers.end() ? resolver->second.text
                                              : std::string_view();
            if (!name.empty())
                names.emplace(relocation.r_offset, name);
        }
    }
    return names;
}

/// Returns the address of the slot from which a stub at `vaddr` takes its jump target; 0 if the bytes are not such a stub.
std::uint64_t slotOfX86(std::span<const std::byte> stub, std::uint64_t vaddr)
{
    std::size_t at = 0;
    if (load<std::uint32_t>(stub, 0) == 0xFA1E0FF3) // endbr64
        at = 4;
    if (load<std::uint8_t>(stub, at) == 0xF2) // Skips the prefix bnd of the jump.
        ++at;
    if (at + 6 > stub.size() || load<std::uint16_t>(stub, at) != 0x25FF) // jmp *disp(%rip)
        return 0;
    return vaddr + at + 6 + static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(stub, at + 2)});
}

std::uint64_t slotOfAArch64(std::span<const std::byte> stub, std::uint64_t vaddr)
{
    std::size_t at = load<std::uint32_t>(stub, 0) == 0xD503245F ? 4 : 0; // Skips the instruction `bti c`.
    const auto adrp = load<std::uint32_t>(stub, at), ldr = load<std::uint32_t>(stub, at + 4);
    if ((adrp & 0x9F00001F) != 0x90000010 || (ldr & 0xFFC003FF) != 0xF9400211) // adrp x16, page; ldr x17, [x16, offset]
        return 0;
    const std::uint32_t pages = ((adrp >> 5 & 0x7FFFF) << 2) | (adrp >> 29 & 3);
    const auto signedPages = static_cast<std::int64_t>(static_cast<std::int32_t>(pages << 11) >> 11);
    return ((vaddr + at) & ~std::uint64_t{0xFFF}) + static_cast<std::uint64_t>(signedPages << 12) + (ldr >> 10 & 0xFFF) * 8;
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
    std::uint64_t end = 0; // Largest end of the symbols that have a size, among the symbols visited so far.
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        Entry& entry = m_entries[i];
        if (entry.hasSize)
            end = std::max(end, entry.end);
        // Skip symbols with a size. Also skip a symbol without a size that lies inside a symbol with a size: it is a label and stays
        // empty, because the code belongs to the enclosing function.
        if (entry.end != entry.begin || entry.begin < end)
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
    std::vector<std::uint32_t> open; // Indices of the symbols that start before m_entries[i] and end after its start, outermost first.
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        while (!open.empty() && m_entries[open.back()].end <= m_entries[i].begin)
            open.pop_back();
        m_entries[i].enclosing = open.empty() ? 0 : (open.back() + 1) & 0xFFFFFFFU;
        // Keep the symbol in `open` until its end: addresses after a nested symbol belong to the enclosing symbol again, which find()
        // reaches through `enclosing`.
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

bool addElfSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file, bool wantsDynamic)
{
    const auto section = std::ranges::find(file->sections(), wantsDynamic ? SHT_DYNSYM : SHT_SYMTAB, &ElfSection::type);
    if (section == file->sections().end() || section->size == 0)
        return false;
    const SymbolReader symbols(*file, *section);
    bool hasAny = false;
    for (std::size_t i = 1; i < symbols.count(); ++i) {
        const Elf64_Sym symbol = symbols[i];
        const std::string_view name = symbols.nameOf(symbol);
        if (name.empty() || !isWanted(symbol) || isMappingSymbol(name, file->machine()))
            continue;
        table.add(symbol.st_value, symbol.st_size, name, bindingOf(symbol));
        hasAny = true;
    }
    table.hold(file);
    return hasAny;
}

std::unordered_map<std::uint64_t, std::string_view> sourcesOfLocalSymbols(const ElfFile& file)
{
    std::unordered_map<std::uint64_t, std::string_view> sources;
    const auto section = std::ranges::find(file.sections(), SHT_SYMTAB, &ElfSection::type);
    if (section == file.sections().end())
        return sources;
    const SymbolReader symbols(file, *section);
    std::string_view source;
    for (std::size_t i = 1; i < symbols.count(); ++i) {
        const Elf64_Sym symbol = symbols[i];
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FILE)
            source = symbols.nameOf(symbol);
        else if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL && isWanted(symbol) && !source.empty())
            sources.emplace(symbol.st_value, source);
    }
    return sources;
}

void addPltSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file)
{
    if (file->machine() == ElfMachine::Other)
        return;
    const bool isX86 = file->machine() == ElfMachine::X86_64;
    const SlotNames names = namesOfSlots(*file);
    if (names.empty())
        return;
    const auto texts = std::make_shared<std::deque<std::string>>();
    for (const ElfSection& section : file->sections()) {
        if (!section.name.starts_with(".plt"))
            continue;
        const auto bytes = file->bytesOf(section);
        const std::size_t step = isX86 && section.entrySize != 8 && section.name != ".plt.got" ? 16 : isX86 ? 8 : 4;
        for (std::size_t at = 0; at + step <= bytes.size(); at += step) {
            const auto stub = bytes.subspan(at, std::min<std::size_t>(16, bytes.size() - at));
            const std::uint64_t vaddr = section.address + at;
            const auto name = names.find(isX86 ? slotOfX86(stub, vaddr) : slotOfAArch64(stub, vaddr));
            if (name != names.end())
                table.add(vaddr, isX86 ? step : 16, texts->emplace_back(std::string(name->second) + "@plt"), SymbolTable::Binding::Global);
        }
    }
    table.hold(texts);
}

} // namespace helio
