// Names for the stubs through which code calls other files. The layout of stubs (.plt, .plt.sec, .plt.got) differs between linkers. The
// instructions of a stub are therefore decoded to find the slot that it jumps through, and the relocation of that slot names the function.
#include "core/symbol/files/elf_file.h"
#include "core/symbol/tables/symbol_table.h"

#include <cstring>
#include <deque>
#include <elf.h>
#include <gelf.h>
#include <string>
#include <tuple>
#include <unordered_map>

namespace helio {

namespace {

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

/// Name of a resolver, the function that selects another function's code. Of several names, the one that programs call is kept.
struct ResolverName {
    std::string_view text;
    bool isGlobal = false;

    bool isBetter(const ResolverName& than) const { return rank() < than.rank(); }
    std::tuple<bool, bool, std::size_t, std::string_view> rank() const { return {text.starts_with('_'), !isGlobal, text.size(), text}; }
};

/// Names of functions whose code is selected when the file is loaded (IFUNC), by the address of their resolver: their slots name no symbol.
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

/// Returns the address of the slot that a stub at `vaddr` jumps through; 0 if the bytes are no such stub.
std::uint64_t slotOfX86(std::span<const std::byte> stub, std::uint64_t vaddr)
{
    std::size_t at = 0;
    if (load<std::uint32_t>(stub, 0) == 0xFA1E0FF3) // endbr64
        at = 4;
    if (load<std::uint8_t>(stub, at) == 0xF2) // bnd
        ++at;
    if (at + 6 > stub.size() || load<std::uint16_t>(stub, at) != 0x25FF) // jmp *disp(%rip)
        return 0;
    return vaddr + at + 6 + static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(stub, at + 2)});
}

std::uint64_t slotOfAArch64(std::span<const std::byte> stub, std::uint64_t vaddr)
{
    std::size_t at = load<std::uint32_t>(stub, 0) == 0xD503245F ? 4 : 0; // bti c
    const auto adrp = load<std::uint32_t>(stub, at), ldr = load<std::uint32_t>(stub, at + 4);
    if ((adrp & 0x9F00001F) != 0x90000010 || (ldr & 0xFFC003FF) != 0xF9400211) // adrp x16, page; ldr x17, [x16, offset]
        return 0;
    const std::uint32_t pages = ((adrp >> 5 & 0x7FFFF) << 2) | (adrp >> 29 & 3);
    const auto signedPages = static_cast<std::int64_t>(static_cast<std::int32_t>(pages << 11) >> 11);
    return ((vaddr + at) & ~std::uint64_t{0xFFF}) + static_cast<std::uint64_t>(signedPages << 12) + (ldr >> 10 & 0xFFF) * 8;
}

} // namespace

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
