#pragma once

#include "core/store/counters/counter_blocks.h"
#include "core/store/file/level_tree.h"
#include "core/store/file/verified_bytes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Bytes of the sections with a store's counters. Each section must begin at a multiple of 8.
struct CounterDirectoryBytes {
    std::span<const std::byte> series;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::shared_ptr<const void> owner; ///< Object that keeps the bytes alive.
};

/// Directory of all blocks of counter points, by series and time, with the levels above. A view: the bytes are read in place.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: read() makes one pass over the entries.
class CounterIndex {
public:
    using Tree = LevelTree<CounterEntry>;

    /// Returns the directory that the bytes contain; nullopt if they are not a valid directory, or if a series belongs to a track with an
    /// index of `tracks` or more.
    static std::optional<CounterIndex> read(const CounterDirectoryBytes& bytes, std::size_t tracks);

    const std::vector<CounterSeries>& series() const { return m_series; }
    /// Returns the tree of a series; an empty tree for an unknown series.
    const Tree& of(CounterSeriesId series) const;

private:
    std::shared_ptr<const void> m_owner;
    std::vector<CounterSeries> m_series;
    std::vector<Tree> m_trees; ///< Trees of entries, indexed by CounterSeriesId.
};

/// Makes a counter set from the blocks of a finished file, or from a snapshot of a file that is being written.
std::shared_ptr<const CounterSet> makeBlockCounters(CounterIndex index, VerifiedBytes bytes);

} // namespace helio
