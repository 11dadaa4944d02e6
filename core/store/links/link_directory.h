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

/// Appends the directory record of a block of links at file offset `offset`: its entry and the tracks of its links.
void putLinkRecord(const LinkEncoder::Encoded& block, std::uint64_t offset, std::vector<std::byte>& out);
/// Sets the file offset in a record that putLinkRecord() made.
void placeLinkRecord(std::span<std::byte> record, std::uint64_t offset);

/// Builds the sections of a directory of links from the records of blocks. The records may be in any order, in memory or in a file.
///
/// Cost: 16 bytes of memory per block.
class LinkDirectory {
public:
    using Out = std::function<void(std::span<const std::byte>)>;

    /// `records` contains all records without gaps between them; each record lies completely in the mapped file or completely in memory.
    /// Ownership: `records` must outlive the directory.
    explicit LinkDirectory(const FileBytes& records);

    void writeBlocks(const Out& out) const;
    void writeTracks(const Out& out) const;

    /// Returns all sections of the directory, built in memory.
    LinkDirectoryBytes inMemory() const;

private:
    struct RecordPosition {
        std::int64_t firstFrom;
        std::uint64_t record;
    };

    LinkBlockEntry entryAt(std::uint64_t record) const;

    const FileBytes& m_records;
    std::vector<RecordPosition> m_order; ///< Positions of the records, sorted by firstFrom.
};

} // namespace helio
