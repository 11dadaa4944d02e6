#pragma once

#include "core/helper/wire.h"

#include <cstdint>
#include <optional>
#include <string>

// Messages from heliograph-libarchive to heliograph. For each entry of the archive an Entry, followed by the Blocks of its content; then
// End, or the Failure of the first problem.

namespace helio {

constexpr HelperProgram Libarchive{"heliograph-libarchive", "libarchive"};

enum class ArchiveMessage : std::uint8_t {
    Entry, ///< An ArchiveEntry.
    Block, ///< Offset in the entry in bytes (std::uint64_t) and bytes.
    End,
    Failure ///< Text of libarchive.
};

struct ArchiveEntry {
    enum class Type : std::uint8_t { File, Folder, Link, Other };
    Type type = Type::Other;
    std::optional<std::string> name; ///< nullopt if the name is not readable.
    std::optional<std::uint64_t> size; ///< Size of a file in bytes, if its header has one.
    bool isSparse = false; ///< True if parts of the file are holes without data in the archive.
};

constexpr ArchiveEntry::Type lastOf(ArchiveEntry::Type) { return ArchiveEntry::Type::Other; }
void parts(auto& wire, Is<ArchiveEntry> auto& it) { wire(it.type, it.name, it.size, it.isSparse); }

} // namespace helio
