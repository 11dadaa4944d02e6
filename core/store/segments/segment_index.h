#pragma once

#include "core/store/file/level_tree.h"
#include "core/store/file/proven_bytes.h"
#include "core/store/segments/segment_blocks.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// The sections that make a directory of segments. Each at a multiple of 8.
struct SegmentDirectoryBytes {
    std::span<const std::byte> kinds;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::shared_ptr<const void> owner; ///< Of the bytes.
};

/// All blocks of segments by kind and first begin, and what stands above them. A view of a directory's bytes, read in place.
///
/// Threads: any at once. Cost: a pass over the entries when it is made.
class SegmentIndex {
public:
    using Tree = LevelTree<SegmentEntry>;

    /// Nothing where the bytes are no directory.
    static std::optional<SegmentIndex> read(const SegmentDirectoryBytes& bytes);

    const std::vector<SegmentKind>& kinds() const { return m_kinds; }
    /// Empty of a kind that is not there.
    const Tree& of(SegmentKindId kind) const;

private:
    std::shared_ptr<const void> m_owner;
    std::vector<SegmentKind> m_kinds;
    std::vector<Tree> m_trees; ///< By kind.
};

/// A set of segments in blocks: of a finished file, or a snapshot of one being written. Tracks are below `tracks`.
std::shared_ptr<const SegmentSet> makeBlockSegments(SegmentIndex index, ProvenBytes bytes, std::size_t tracks);

} // namespace helio
