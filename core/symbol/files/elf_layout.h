#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <span>

namespace helio {

/// Reads the structures of an ELF file of either word size and byte order, as the structures of 64-bit files in the byte order of this
/// machine. Reading beyond the bytes returns nullopt.
class ElfLayout {
public:
    /// Returns the layout of a file; nullopt if the bytes do not begin with the identification of an ELF file.
    static std::optional<ElfLayout> of(std::span<const std::byte> bytes)
    {
        if (bytes.size() < EI_NIDENT || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
            return {};
        const auto width = std::to_integer<unsigned char>(bytes[EI_CLASS]);
        const auto order = std::to_integer<unsigned char>(bytes[EI_DATA]);
        if ((width != ELFCLASS32 && width != ELFCLASS64) || (order != ELFDATA2LSB && order != ELFDATA2MSB))
            return {};
        return ElfLayout(width == ELFCLASS64, order == ELFDATA2LSB);
    }

    bool is64() const { return m_is64; }
    bool isLittle() const { return m_isLittle; }
    /// Sizes of structures in the file in bytes.
    std::size_t segmentBytes() const { return m_is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr); }
    std::size_t sectionBytes() const { return m_is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr); }
    std::size_t symbolBytes() const { return m_is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym); }

    std::optional<Elf64_Ehdr> header(std::span<const std::byte> bytes) const
    {
        return read<Elf64_Ehdr, Elf32_Ehdr>(bytes, 0, [this](const auto& raw) {
            Elf64_Ehdr value{};
            std::memcpy(value.e_ident, raw.e_ident, EI_NIDENT);
            value.e_type = native(raw.e_type);
            value.e_machine = native(raw.e_machine);
            value.e_phoff = native(raw.e_phoff);
            value.e_shoff = native(raw.e_shoff);
            value.e_phentsize = native(raw.e_phentsize);
            value.e_phnum = native(raw.e_phnum);
            value.e_shentsize = native(raw.e_shentsize);
            value.e_shnum = native(raw.e_shnum);
            value.e_shstrndx = native(raw.e_shstrndx);
            return value;
        });
    }
    std::optional<Elf64_Phdr> segment(std::span<const std::byte> bytes, std::uint64_t offset) const
    {
        return read<Elf64_Phdr, Elf32_Phdr>(bytes, offset, [this](const auto& raw) {
            return Elf64_Phdr{native(raw.p_type),  native(raw.p_flags),  native(raw.p_offset), native(raw.p_vaddr),
                              native(raw.p_paddr), native(raw.p_filesz), native(raw.p_memsz),  native(raw.p_align)};
        });
    }
    std::optional<Elf64_Shdr> section(std::span<const std::byte> bytes, std::uint64_t offset) const
    {
        return read<Elf64_Shdr, Elf32_Shdr>(bytes, offset, [this](const auto& raw) {
            return Elf64_Shdr{native(raw.sh_name),      native(raw.sh_type),   native(raw.sh_flags), native(raw.sh_addr),
                              native(raw.sh_offset),    native(raw.sh_size),   native(raw.sh_link),  native(raw.sh_info),
                              native(raw.sh_addralign), native(raw.sh_entsize)};
        });
    }
    std::optional<Elf64_Sym> symbol(std::span<const std::byte> bytes, std::uint64_t offset) const
    {
        return read<Elf64_Sym, Elf32_Sym>(bytes, offset, [this](const auto& raw) {
            return Elf64_Sym{native(raw.st_name),  raw.st_info,          raw.st_other,
                             native(raw.st_shndx), native(raw.st_value), native(raw.st_size)};
        });
    }

private:
    ElfLayout(bool is64, bool isLittle)
        : m_is64(is64)
        , m_isLittle(isLittle)
    {
    }

    template <typename T> T native(T value) const
    {
        if (m_isLittle)
            return value;
        if constexpr (sizeof value == 2)
            return __builtin_bswap16(value);
        else if constexpr (sizeof value == 4)
            return __builtin_bswap32(value);
        else
            return __builtin_bswap64(value);
    }

    template <typename Wide, typename Narrow, typename Convert>
    std::optional<Wide> read(std::span<const std::byte> bytes, std::uint64_t offset, const Convert& convert) const
    {
        const std::size_t size = m_is64 ? sizeof(Wide) : sizeof(Narrow);
        if (offset > bytes.size() || size > bytes.size() - offset)
            return {};
        if (m_is64) {
            Wide raw;
            std::memcpy(&raw, bytes.data() + offset, sizeof raw);
            return convert(raw);
        }
        Narrow raw;
        std::memcpy(&raw, bytes.data() + offset, sizeof raw);
        return convert(raw);
    }

    bool m_is64;
    bool m_isLittle;
};

} // namespace helio
