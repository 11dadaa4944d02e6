#pragma once

#include "core/store/file/level_tree.h"
#include "core/store/file/verified_bytes.h"
#include "core/store/segments/segment_blocks.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Bytes of the sections with a directory of segments. Each section must begin at a multiple of 8.
struct SegmentDirectoryBytes {
    std::span<const std::byte> kinds;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::shared_ptr<const void> owner; ///< Object that keeps the bytes alive.
};

/// Directory of all blocks of segments, by kind and first begin, with the levels above. A view: the bytes are read in place.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: read() makes one pass over the entries.
class SegmentIndex {
public:
    using Tree = LevelTree<SegmentEntry>;

    /// Returns the directory that the bytes contain; nullopt if they are not a valid directory.
    static std::optional<SegmentIndex> read(const SegmentDirectoryBytes& bytes);

    const std::vector<SegmentKind>& kinds() const { return m_kinds; }
    /// Returns the tree of a kind; an empty tree for an unknown kind.
    const Tree& of(SegmentKindId kind) const;

private:
    std::shared_ptr<const void> m_owner;
    std::vector<SegmentKind> m_kinds;
    std::vector<Tree> m_trees; ///< Trees of entries, indexed by SegmentKindId.
};

/// Makes a segment set from the blocks of a finished file, or from a snapshot of a file that is being written. A block is damaged if
/// it contains a track with an index of `tracks` or more.
std::shared_ptr<const SegmentSet> makeBlockSegments(SegmentIndex index, VerifiedBytes bytes, std::size_t tracks);

} // namespace helio
