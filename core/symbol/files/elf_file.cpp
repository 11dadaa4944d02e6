#include "core/symbol/files/elf_file.h"

#include "core/io/mapped_file.h"
#include "core/symbol/files/elf_layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>

namespace helio {
namespace {

constexpr std::size_t MaxBuildIdBytes = 64;

constexpr std::size_t MaxSegments = 65536;
constexpr std::uint64_t MaxSections = std::uint64_t{1} << 20;
constexpr std::size_t MaxNoteBytes =
    65536; ///< Limit of the notes of a section or segment that are searched; linkers write the build-id first.
constexpr std::size_t MaxNoteSections = 1024;
constexpr std::size_t MaxTextBytes = 65536; ///< Limit of the length of a name.

ElfMachine machineOf(const ElfLayout& layout, const Elf64_Ehdr& header)
{
    if (!layout.isLittle() || !layout.is64())
        return ElfMachine::Other;
    switch (header.e_machine) {
    case EM_X86_64: return ElfMachine::X86_64;
    case EM_AARCH64: return ElfMachine::AArch64;
    default: return ElfMachine::Other;
    }
}

/// Returns the build-id in the notes of one section or segment; empty if they contain none.
std::string buildIdIn(std::span<const std::byte> notes)
{
    notes = notes.first(std::min(notes.size(), MaxNoteBytes));
    std::size_t at = 0;
    while (at + 12 <= notes.size()) {
        std::uint32_t head[3];
        std::memcpy(head, notes.data() + at, sizeof head);
        const std::size_t name = at + 12;
        const std::size_t text = name + ((std::size_t{head[0]} + 3) & ~std::size_t{3});
        if (text > notes.size() || head[1] > notes.size() - text)
            break;
        if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0 && head[1] <= MaxBuildIdBytes)
            return hexOf(notes.subspan(text, head[1]));
        at = text + ((std::size_t{head[1]} + 3) & ~std::size_t{3});
    }
    return {};
}

} // namespace

std::string_view elfString(std::span<const std::byte> strings, std::uint64_t offset)
{
    if (offset >= strings.size())
        return {};
    const char* text = reinterpret_cast<const char*>(strings.data()) + offset;
    return {text, strnlen(text, std::min<std::uint64_t>(strings.size() - offset, MaxTextBytes))};
}

std::string hexOf(std::span<const std::byte> bytes)
{
    std::string text;
    for (const std::byte byte : bytes) {
        text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4];
        text += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

std::uint32_t debugLinkCrc(std::span<const std::byte> bytes)
{
    static const auto table = [] {
        std::array<std::uint32_t, 256> made{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = value & 1 ? 0xEDB88320U ^ (value >> 1) : value >> 1;
            made[i] = value;
        }
        return made;
    }();
    std::uint32_t crc = ~0U;
    for (const std::byte byte : bytes)
        crc = table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFF] ^ (crc >> 8);
    return ~crc;
}

Result<std::shared_ptr<const ElfFile>> ElfFile::open(const std::filesystem::path& path)
{
    auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    const std::span<const std::byte> bytes = (*file)->bytes();
    return make(std::move(*file), bytes, path);
}

Result<std::shared_ptr<const ElfFile>> ElfFile::map(int descriptor, const std::filesystem::path& path)
{
    auto file = MappedFile::map(descriptor, path);
    if (!file)
        return file.error();
    const std::span<const std::byte> bytes = (*file)->bytes();
    return make(std::move(*file), bytes, path);
}

Result<std::shared_ptr<const ElfFile>> ElfFile::fromBytes(std::vector<std::byte> bytes, std::filesystem::path name)
{
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    const std::span<const std::byte> view = *owner;
    return make(std::move(owner), view, std::move(name));
}

Result<std::shared_ptr<const ElfFile>> ElfFile::make(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                                                     std::filesystem::path path)
{
    const Error noElf{Error::Kind::Unreadable, path.string() + ": not an ELF file"};
    if (bytes.size() < sizeof(Elf32_Ehdr) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
        return noElf;
    std::shared_ptr<ElfFile> file(new ElfFile);
    file->m_path = std::move(path);
    file->m_owner = std::move(owner);
    file->m_bytes = bytes;
    const auto layout = ElfLayout::of(bytes);
    const auto header = layout ? layout->header(bytes) : std::nullopt;
    if (!header)
        return noElf;
    file->m_machine = machineOf(*layout, *header);
    file->m_isRelocatable = header->e_type == ET_REL;
    // Counts that do not fit into the header are in the first section header.
    const auto first = header->e_shoff > 0 ? layout->section(bytes, header->e_shoff) : std::nullopt;
    const std::uint64_t segments = header->e_phnum == PN_XNUM && first ? first->sh_info : header->e_phnum;
    const std::uint64_t sections = header->e_shnum == 0 && first ? first->sh_size : header->e_shnum;
    const std::uint64_t names = header->e_shstrndx == SHN_XINDEX && first ? first->sh_link : header->e_shstrndx;
    file->readSections(*layout, *header, sections, names);
    file->readSegments(*layout, *header, std::min<std::uint64_t>(segments, MaxSegments));
    return std::shared_ptr<const ElfFile>(std::move(file));
}

void ElfFile::readSegments(const ElfLayout& layout, const Elf64_Ehdr& header, std::uint64_t count)
{
    std::string noted; // Build-id in a note segment.
    for (std::uint64_t i = 0; i < count && header.e_phentsize >= layout.segmentBytes(); ++i) {
        const auto found = layout.segment(m_bytes, header.e_phoff + i * header.e_phentsize);
        if (!found)
            break;
        if (found->p_type == PT_NOTE && noted.empty() && found->p_offset <= m_bytes.size()
            && found->p_filesz <= m_bytes.size() - found->p_offset)
            noted = buildIdIn(m_bytes.subspan(found->p_offset, found->p_filesz));
        if (found->p_type == PT_GNU_EH_FRAME)
            m_frameHeaderVaddr = found->p_vaddr;
        if (found->p_type != PT_LOAD || found->p_memsz == 0 || found->p_vaddr + found->p_memsz < found->p_vaddr)
            continue;
        ElfSegment segment{
            found->p_offset, found->p_vaddr, std::min(found->p_filesz, found->p_memsz), found->p_memsz, (found->p_flags & PF_X) != 0,
            found->p_align};
        if (segment.offset > m_bytes.size())
            segment.fileSize = 0;
        else
            segment.fileSize = std::min<std::uint64_t>(segment.fileSize, m_bytes.size() - segment.offset);
        m_segments.push_back(segment);
    }
    std::ranges::stable_sort(m_segments, {}, &ElfSegment::address);
    // Files without section headers, such as some vDSO pages, have their build-id only there.
    if (m_sections.empty())
        m_buildId = std::move(noted);
}

void ElfFile::readSections(const ElfLayout& layout, const Elf64_Ehdr& header, std::uint64_t count, std::uint64_t namesIndex)
{
    std::vector<std::uint32_t> names;
    // Section 0 is none: its header only has counts that do not fit into the file's header.
    for (std::uint64_t index = 1; header.e_shoff > 0 && index < std::min(count, MaxSections) && header.e_shentsize >= layout.sectionBytes();
         ++index) {
        const auto found = layout.section(m_bytes, header.e_shoff + index * header.e_shentsize);
        if (!found)
            break;
        names.push_back(found->sh_name);
        ElfSection section{{},
                           index,
                           found->sh_addr,
                           found->sh_offset,
                           found->sh_size,
                           found->sh_entsize,
                           found->sh_type,
                           found->sh_flags,
                           found->sh_link,
                           found->sh_info};
        if (section.type != SHT_NOBITS && (section.offset > m_bytes.size() || section.size > m_bytes.size() - section.offset))
            section.size = section.offset > m_bytes.size() ? 0 : m_bytes.size() - section.offset;
        m_hasCode = m_hasCode || ((section.flags & SHF_EXECINSTR) != 0 && section.type == SHT_PROGBITS && section.size > 0);
        m_sections.push_back(section);
    }
    const auto strings = std::ranges::find(m_sections, namesIndex, &ElfSection::index);
    for (std::size_t i = 0; strings != m_sections.end() && i < m_sections.size(); ++i)
        m_sections[i].name = elfString(bytesOf(*strings), names[i]);
    std::size_t searched = 0;
    for (const ElfSection& section : m_sections)
        if (section.type == SHT_NOTE && m_buildId.empty() && searched++ < MaxNoteSections)
            m_buildId = buildIdIn(bytesOf(section));
}

const ElfSection* ElfFile::section(std::string_view name) const
{
    const auto found = std::ranges::find(m_sections, name, &ElfSection::name);
    return found == m_sections.end() ? nullptr : &*found;
}

std::span<const std::byte> ElfFile::bytesOf(const ElfSection& section) const
{
    if (section.type == SHT_NOBITS || section.offset > m_bytes.size() || section.size > m_bytes.size() - section.offset)
        return {};
    return m_bytes.subspan(section.offset, section.size);
}

std::optional<std::uint64_t> ElfFile::vaddrOfOffset(std::uint64_t offset) const
{
    // Search the executable segments first, because `offset` may lie in two segments that share a page of the file.
    for (const bool wantsCode : {true, false})
        for (const ElfSegment& segment : m_segments)
            if ((segment.isExecutable || !wantsCode) && offset >= segment.offset && offset - segment.offset < segment.fileSize)
                return segment.address + (offset - segment.offset);
    // The file has only debug information. Such a file has the addresses of the original file, but not its offsets. Take `offset` as an
    // address, because in most original files the offset of code equals its address.
    if (!m_hasCode)
        for (const ElfSegment& segment : m_segments)
            if (segment.isExecutable && offset >= segment.address && offset - segment.address < segment.memorySize)
                return offset;
    return std::nullopt;
}

std::optional<std::uint64_t> ElfFile::offsetOfVaddr(std::uint64_t vaddr) const
{
    for (const ElfSegment& segment : m_segments)
        if (vaddr >= segment.address && vaddr - segment.address < (m_hasCode ? segment.fileSize : segment.memorySize))
            return m_hasCode ? segment.offset + (vaddr - segment.address) : vaddr;
    return std::nullopt;
}

std::span<const std::byte> ElfFile::bytesAt(std::uint64_t vaddr, std::uint64_t size) const
{
    for (const ElfSegment& segment : m_segments) {
        if (vaddr < segment.address || vaddr - segment.address >= segment.fileSize)
            continue;
        const std::uint64_t at = vaddr - segment.address;
        return m_bytes.subspan(segment.offset + at, std::min(size, segment.fileSize - at));
    }
    return {};
}

std::optional<ElfFile::DebugLink> ElfFile::debugLink() const
{
    const ElfSection* link = section(".gnu_debuglink");
    if (!link)
        return std::nullopt;
    const auto bytes = bytesOf(*link);
    const auto end = std::ranges::find(bytes, std::byte{0});
    const std::size_t length = static_cast<std::size_t>(end - bytes.begin());
    const std::size_t crcAt = (length + 4) & ~std::size_t{3};
    if (length == 0 || crcAt + 4 > bytes.size())
        return std::nullopt;
    DebugLink result{std::string(reinterpret_cast<const char*>(bytes.data()), length), 0};
    std::memcpy(&result.crc, bytes.data() + crcAt, 4);
    // Reject a name that leads out of the searched folders.
    if (result.name.find('/') != std::string::npos || result.name == "..")
        return std::nullopt;
    return result;
}

std::optional<ElfFile::SharedDebugLink> ElfFile::sharedDebugLink() const
{
    const ElfSection* link = section(".gnu_debugaltlink");
    if (!link)
        return std::nullopt;
    const auto bytes = bytesOf(*link);
    const auto length = static_cast<std::size_t>(std::ranges::find(bytes, std::byte{0}) - bytes.begin());
    if (length == 0 || length + 1 >= bytes.size() || bytes.size() - length - 1 > MaxBuildIdBytes)
        return std::nullopt;
    return SharedDebugLink{std::string(reinterpret_cast<const char*>(bytes.data()), length), hexOf(bytes.subspan(length + 1))};
}

std::shared_ptr<const ElfFile> runningVdso()
{
    static const std::shared_ptr<const ElfFile> own = []() -> std::shared_ptr<const ElfFile> {
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);) {
            if (!line.ends_with("[vdso]"))
                continue;
            std::uintptr_t begin = 0, end = 0;
            if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2 || end <= begin || end - begin > (1U << 20))
                return nullptr;
            std::vector<std::byte> bytes(end - begin);
            std::memcpy(bytes.data(), reinterpret_cast<const void*>(begin), bytes.size());
            auto file = ElfFile::fromBytes(std::move(bytes), "[vdso]");
            return file ? *file : nullptr;
        }
        return nullptr;
    }();
    return own;
}

} // namespace helio
