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

/// The processors that code is read for.
enum class Machine : std::uint8_t { Other, X86_64, AArch64 };

/// A section's place. Offsets and sizes in bytes; `size` never leaves the file except for sections without bytes.
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

/// Where the loader puts a part of the file.
struct ElfSegment {
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t fileSize = 0;
    std::uint64_t memorySize = 0;
    bool isExecutable = false;
    std::uint64_t alignment = 0;
};

/// An ELF file: what it is, where its parts lie. `vaddr` below means an address as the file's own symbols have it.
///
/// Owner:   shared; views into the file live as long as one owner does.
/// Threads: any at once.
/// Errors:  open() fails for what is no ELF file. Damaged tables are left out, never believed.
/// Cost:    opening reads the headers; the bytes are mapped.
class ElfFile {
public:
    static Result<std::shared_ptr<const ElfFile>> open(const std::filesystem::path& path);
    /// For what lies in no file: an unpacked section, the kernel's page. `name` is for people.
    static Result<std::shared_ptr<const ElfFile>> fromBytes(std::vector<std::byte> bytes, std::filesystem::path name);
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const std::string& buildId() const { return m_buildId; } ///< Lower-case hex digits; empty without one.
    Machine machine() const { return m_machine; }
    bool isRelocatable() const { return m_isRelocatable; } ///< An object file or kernel module: its vaddrs are section offsets.
    std::span<const std::byte> bytes() const { return m_bytes; }
    const std::vector<ElfSegment>& segments() const { return m_segments; } ///< Those that are loaded, by address.
    const std::vector<ElfSection>& sections() const { return m_sections; }
    const ElfSection* section(std::string_view name) const;
    /// Empty for a section without bytes in the file.
    std::span<const std::byte> bytesOf(const ElfSection& section) const;

    /// False for a file of debug information, whose code was taken out.
    bool hasCode() const { return m_hasCode; }
    /// Of the first byte that is loaded: where a mapping of the whole file begins. 0 without segments.
    std::uint64_t firstVaddr() const { return m_segments.empty() ? 0 : m_segments.front().address; }
    std::optional<std::uint64_t> vaddrOfOffset(std::uint64_t offset) const;
    std::optional<std::uint64_t> offsetOfVaddr(std::uint64_t vaddr) const;
    /// Up to `size` bytes as loaded at `vaddr`; fewer where the segment ends, none where there is no segment.
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
    Machine m_machine = Machine::Other;
    bool m_isRelocatable = false;
    bool m_hasCode = false;
    std::string m_buildId;
    std::vector<ElfSegment> m_segments;
    std::vector<ElfSection> m_sections;
};

/// libelf's view of a file's bytes, which must outlive it. Not for several threads at once: each takes its own.
struct ElfHandleEnd {
    void operator()(Elf* elf) const;
};
using ElfHandle = std::unique_ptr<Elf, ElfHandleEnd>;
ElfHandle libelfView(std::span<const std::byte> bytes);

/// A text in a string table; empty for an offset outside.
std::string_view elfString(std::span<const std::byte> strings, std::uint64_t offset);

/// The check sum of .gnu_debuglink over a whole file.
std::uint32_t debugLinkCrc(std::span<const std::byte> bytes);

std::string hexOf(std::span<const std::byte> bytes);

} // namespace helio
