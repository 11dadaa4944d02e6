// Selects the symbols of an ELF file for a symbol table, with perf's rules.
#include "core/symbol/files/elf_file.h"
#include "core/symbol/tables/symbol_table.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <gelf.h>

namespace helio {

namespace {

/// True for the assembler's marks between code and data, which are not names.
bool isMappingSymbol(std::string_view name, ElfMachine machine)
{
    return machine != ElfMachine::X86_64 && name.size() >= 2 && name[0] == '$'
        && (name[1] == 'x' || name[1] == 'd' || name[1] == 'a' || name[1] == 't') && (name.size() == 2 || name[2] == '.');
}

bool isWanted(const GElf_Sym& symbol)
{
    const unsigned type = GELF_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF)
        return false;
    if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
        return true;
    const unsigned visibility = GELF_ST_VISIBILITY(symbol.st_other);
    return type == STT_NOTYPE && symbol.st_shndx != SHN_ABS && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

SymbolTable::Binding bindingOf(const GElf_Sym& symbol)
{
    switch (GELF_ST_BIND(symbol.st_info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE: return SymbolTable::Binding::Global;
    case STB_WEAK: return SymbolTable::Binding::Weak;
    default: return SymbolTable::Binding::Local;
    }
}

/// Reads symbol tables directly from the mapped file, without copies in libelf's data buffers.
class SymbolReader {
public:
    SymbolReader(const ElfFile& file, const ElfSection& section)
        : m_is64(file.bytes()[EI_CLASS] == std::byte{ELFCLASS64})
        , m_isLittle(file.bytes()[EI_DATA] == std::byte{ELFDATA2LSB})
        , m_bytes(file.bytesOf(section))
    {
        const auto strings = std::ranges::find(file.sections(), section.link, &ElfSection::index);
        if (strings != file.sections().end())
            m_strings = file.bytesOf(*strings);
    }

    std::size_t count() const { return m_bytes.size() / entrySize(); }

    GElf_Sym operator[](std::size_t i) const
    {
        GElf_Sym symbol{};
        const std::byte* at = m_bytes.data() + i * entrySize();
        if (m_is64) {
            Elf64_Sym raw;
            std::memcpy(&raw, at, sizeof raw);
            symbol = {fix(raw.st_name), raw.st_info, raw.st_other, fix(raw.st_shndx), fix(raw.st_value), fix(raw.st_size)};
        } else {
            Elf32_Sym raw;
            std::memcpy(&raw, at, sizeof raw);
            symbol = {fix(raw.st_name), raw.st_info, raw.st_other, fix(raw.st_shndx), fix(raw.st_value), fix(raw.st_size)};
        }
        return symbol;
    }

    std::string_view nameOf(const GElf_Sym& symbol) const { return elfString(m_strings, symbol.st_name); }

private:
    std::size_t entrySize() const { return m_is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym); }
    template <typename T> T fix(T value) const
    {
        if (!m_isLittle) {
            auto* bytes = reinterpret_cast<unsigned char*>(&value);
            std::reverse(bytes, bytes + sizeof value);
        }
        return value;
    }

    bool m_is64;
    bool m_isLittle;
    std::span<const std::byte> m_bytes;
    std::span<const std::byte> m_strings;
};

} // namespace

bool addElfSymbols(SymbolTable& table, const std::shared_ptr<const ElfFile>& file, bool wantsDynamic)
{
    const auto section = std::ranges::find(file->sections(), wantsDynamic ? SHT_DYNSYM : SHT_SYMTAB, &ElfSection::type);
    if (section == file->sections().end() || section->size == 0)
        return false;
    const SymbolReader symbols(*file, *section);
    bool hasAny = false;
    for (std::size_t i = 1; i < symbols.count(); ++i) {
        const GElf_Sym symbol = symbols[i];
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
        const GElf_Sym symbol = symbols[i];
        if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
            source = symbols.nameOf(symbol);
        else if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL && isWanted(symbol) && !source.empty())
            sources.emplace(symbol.st_value, source);
    }
    return sources;
}

} // namespace helio
