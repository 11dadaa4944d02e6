#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct Elf;

namespace helio {

/// Processors whose code can be disassembled and unwound.
enum class ElfMachine : std::uint8_t { Other, X86_64, AArch64 };

/// Section of a file. Offsets and sizes in bytes; `size` is cut at the file's end except for sections without bytes.
struct ElfSection {
    std::string_view name;
    std::uint64_t index = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t entrySize = 0;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
};

/// Part of the file that the loader maps, and its address.
struct ElfSegment {
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t fileSize = 0;
    std::uint64_t memorySize = 0;
    bool isExecutable = false;
    std::uint64_t alignment = 0;
};

/// An ELF file with its sections and segments. A `vaddr` is an address as the file's own symbols have it.
///
/// Ownership: shared; views into the file live as long as one owner does.
/// Threads: any thread at once.
/// Errors: open() fails if the file is not an ELF file. Damaged tables are left out.
/// Cost: opening reads the headers; the bytes are mapped.
class ElfFile {
public:
    static Result<std::shared_ptr<const ElfFile>> open(const std::filesystem::path& path);
    /// Makes an ELF file from bytes that lie in no file: an unpacked section, the kernel's vDSO page. `name` is shown to the user.
    static Result<std::shared_ptr<const ElfFile>> fromBytes(std::vector<std::byte> bytes, std::filesystem::path name);
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const std::string& buildId() const { return m_buildId; } ///< Build-id in lower-case hex digits; empty if the file has none.
    ElfMachine machine() const { return m_machine; }
    bool isRelocatable() const { return m_isRelocatable; } ///< True for an object file or kernel module: its vaddrs are section offsets.
    std::span<const std::byte> bytes() const { return m_bytes; }
    const std::vector<ElfSegment>& segments() const { return m_segments; } ///< Loaded segments by address.
    const std::vector<ElfSection>& sections() const { return m_sections; }
    const ElfSection* section(std::string_view name) const;
    /// Returns the section's bytes; empty if it has none in the file.
    std::span<const std::byte> bytesOf(const ElfSection& section) const;

    /// False for a file of debug information, from which the code was removed.
    bool hasCode() const { return m_hasCode; }
    /// Vaddr of the first loaded byte, where a mapping of the whole file begins; 0 if the file has no segments.
    std::uint64_t firstVaddr() const { return m_segments.empty() ? 0 : m_segments.front().address; }
    std::optional<std::uint64_t> vaddrOfOffset(std::uint64_t offset) const;
    std::optional<std::uint64_t> offsetOfVaddr(std::uint64_t vaddr) const;
    /// Returns up to `size` bytes as loaded at `vaddr`: fewer at the end of the segment, none outside of all segments.
    std::span<const std::byte> bytesAt(std::uint64_t vaddr, std::uint64_t size) const;

    struct DebugLink {
        std::string name;
        std::uint32_t crc = 0;
    };
    std::optional<DebugLink> debugLink() const;

private:
    ElfFile() = default;
    static Result<std::shared_ptr<const ElfFile>> make(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                                                       std::filesystem::path path);
    void readSegments(Elf* elf);
    void readSections(Elf* elf);
    void readBuildId(Elf* elf);

    std::filesystem::path m_path;
    std::shared_ptr<const void> m_owner;
    std::span<const std::byte> m_bytes;
    ElfMachine m_machine = ElfMachine::Other;
    bool m_isRelocatable = false;
    bool m_hasCode = false;
    std::string m_buildId;
    std::vector<ElfSegment> m_segments;
    std::vector<ElfSection> m_sections;
};

/// View of a file's bytes in libelf; the bytes must outlive it.
/// Threads: to be used by one thread at a time; each thread needs its own.
struct ElfHandleEnd {
    void operator()(Elf* elf) const;
};
using ElfHandle = std::unique_ptr<Elf, ElfHandleEnd>;
ElfHandle libelfView(std::span<const std::byte> bytes);

/// Returns a text of a string table; empty if the offset is out of range.
std::string_view elfString(std::span<const std::byte> strings, std::uint64_t offset);

/// Returns the checksum of .gnu_debuglink (CRC-32) of a whole file.
std::uint32_t debugLinkCrc(std::span<const std::byte> bytes);

std::string hexOf(std::span<const std::byte> bytes);

/// Returns the page of code (vDSO) that the running kernel maps into each process and that lies in no file; nullptr if there is none.
std::shared_ptr<const ElfFile> runningVdso();

} // namespace helio
