#pragma once

#include "core/store/file/file_bytes.h"
#include "core/store/links/link_encoder.h"
#include "core/store/links/link_index.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace helio {

/// Appends the record of a block of links that lies at `offset`: its entry, and the tracks it touches.
void putLinkRecord(const LinkEncoder::Encoded& block, std::uint64_t offset, std::vector<std::byte>& out);
/// The block lies at `offset`. Requires: putLinkRecord() made the record.
void placeLinkRecord(std::span<std::byte> record, std::uint64_t offset);

/// Makes the sections of a directory of links from records, in any order.
///
/// Records may lie in a file; in memory are 16 bytes a block.
class LinkDirectory {
public:
    using Out = std::function<void(std::span<const std::byte>)>;

    /// `records`: back to back, none across the border of file and memory; they outlive it.
    explicit LinkDirectory(const FileBytes& records);

    void writeBlocks(const Out& out) const;
    void writeTracks(const Out& out) const;

    /// All of them, in memory.
    LinkDirectoryBytes inMemory() const;

private:
    struct Place {
        std::int64_t firstFrom;
        std::uint64_t record;
    };

    LinkBlockEntry entryAt(std::uint64_t record) const;

    const FileBytes& m_records;
    std::vector<Place> m_order; ///< By firstFrom.
};

} // namespace helio
