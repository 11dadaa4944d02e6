#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class ElfLayout;

/// Processor types; code of Other can be neither disassembled nor unwound.
enum class ElfMachine : std::uint8_t { Other, X86_64, AArch64 };

/// Section of an ELF file. Offsets and sizes are in bytes; `size` ends at the file's end at the latest, except for sections without bytes
/// in the file.
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

/// Segment: a range of the file that the loader maps, and its address.
struct ElfSegment {
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t fileSize = 0;
    std::uint64_t memorySize = 0;
    bool isExecutable = false;
    std::uint64_t alignment = 0;
};

/// An ELF file with its sections and segments. The term `vaddr` means an address as used by the file's own symbols.
///
/// Ownership: shared; views of the file are valid as long as an owner exists.
/// Threads: any thread at once.
/// Errors: open() fails if the file is not an ELF file. Damaged tables are skipped.
/// Cost: opening reads the headers and maps the file.
class ElfFile {
public:
    static Result<std::shared_ptr<const ElfFile>> open(const std::filesystem::path& path);
    /// Maps an open file. The caller may close `descriptor` afterwards.
    static Result<std::shared_ptr<const ElfFile>> map(int descriptor, const std::filesystem::path& path);
    /// Makes an ELF file from bytes that no file contains, such as an unpacked section or the kernel's vDSO page. `name` is shown to the
    /// user.
    static Result<std::shared_ptr<const ElfFile>> fromBytes(std::vector<std::byte> bytes, std::filesystem::path name);
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const std::string& buildId() const { return m_buildId; } ///< Build-id in lower-case hex digits; empty if the file has none.
    ElfMachine machine() const { return m_machine; }
    bool isRelocatable() const { return m_isRelocatable; } ///< True for an object file or kernel module: its vaddrs are section offsets.
    std::span<const std::byte> bytes() const { return m_bytes; }
    const std::vector<ElfSegment>& segments() const { return m_segments; } ///< Segments that the loader maps, by address.
    const std::vector<ElfSection>& sections() const { return m_sections; }
    const ElfSection* section(std::string_view name) const;
    /// Returns the section's bytes; empty if the section has no bytes in the file.
    std::span<const std::byte> bytesOf(const ElfSection& section) const;

    /// True if the file contains code; false for a file that contains only debug information.
    bool hasCode() const { return m_hasCode; }
    /// Returns the vaddr of the first loaded byte, at which a mapping of the whole file begins; 0 if the file has no segments.
    std::uint64_t firstVaddr() const { return m_segments.empty() ? 0 : m_segments.front().address; }
    /// Returns the vaddr of the search table for call frame information (PT_GNU_EH_FRAME); nullopt if the file has none.
    std::optional<std::uint64_t> frameHeaderVaddr() const { return m_frameHeaderVaddr; }
    std::optional<std::uint64_t> vaddrOfOffset(std::uint64_t offset) const;
    std::optional<std::uint64_t> offsetOfVaddr(std::uint64_t vaddr) const;
    /// Returns up to `size` bytes as loaded at `vaddr`; fewer at the end of the segment, none outside of all segments.
    std::span<const std::byte> bytesAt(std::uint64_t vaddr, std::uint64_t size) const;

    struct DebugLink {
        std::string name;
        std::uint32_t crc = 0;
    };
    std::optional<DebugLink> debugLink() const;

    /// Link to the file of dwz that contains debug information of several files (section .gnu_debugaltlink).
    struct SharedDebugLink {
        std::string name;
        std::string buildId; ///< In lower-case hex digits.
    };
    std::optional<SharedDebugLink> sharedDebugLink() const;

private:
    ElfFile() = default;
    static Result<std::shared_ptr<const ElfFile>> make(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                                                       std::filesystem::path path);
    void readSections(const ElfLayout& layout, const Elf64_Ehdr& header, std::uint64_t count, std::uint64_t namesIndex);
    void readSegments(const ElfLayout& layout, const Elf64_Ehdr& header, std::uint64_t count);

    std::filesystem::path m_path;
    std::shared_ptr<const void> m_owner;
    std::span<const std::byte> m_bytes;
    ElfMachine m_machine = ElfMachine::Other;
    bool m_isRelocatable = false;
    bool m_hasCode = false;
    std::string m_buildId;
    std::optional<std::uint64_t> m_frameHeaderVaddr;
    std::vector<ElfSegment> m_segments;
    std::vector<ElfSection> m_sections;
};

/// Returns the text at an offset of a string table, at most 64 KiB of it; empty if the offset is out of range.
std::string_view elfString(std::span<const std::byte> strings, std::uint64_t offset);

/// Returns the CRC-32 of a whole file, as .gnu_debuglink sections contain it.
std::uint32_t debugLinkCrc(std::span<const std::byte> bytes);

std::string hexOf(std::span<const std::byte> bytes);

/// Returns the vDSO, the page of code that the running kernel maps into each process and that no file contains; nullptr if there is none.
std::shared_ptr<const ElfFile> runningVdso();

} // namespace helio
