#pragma once

#include "core/store/counters/counter_blocks.h"
#include "core/store/file/level_tree.h"
#include "core/store/file/proven_bytes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// The sections that make a directory of counters. Each at a multiple of 8.
struct CounterDirectoryBytes {
    std::span<const std::byte> series;
    std::span<const std::byte> blocks;
    std::span<const std::byte> levels;
    std::shared_ptr<const void> owner; ///< Of the bytes.
};

/// All blocks of points by series and time, and what stands above them. A view of a directory's bytes, read in place.
///
/// Threads: any at once. Cost: a pass over the entries when it is made.
class CounterIndex {
public:
    using Tree = LevelTree<CounterEntry>;

    /// Nothing where the bytes are no directory. Tracks are below `tracks`.
    static std::optional<CounterIndex> read(const CounterDirectoryBytes& bytes, std::size_t tracks);

    const std::vector<CounterSeries>& series() const { return m_series; }
    /// Empty of a series that is not there.
    const Tree& of(CounterSeriesId series) const;

private:
    std::shared_ptr<const void> m_owner;
    std::vector<CounterSeries> m_series;
    std::vector<Tree> m_trees; ///< By series.
};

/// A set of counters in blocks: of a finished file, or a snapshot of one being written.
std::shared_ptr<const CounterSet> makeBlockCounters(CounterIndex index, ProvenBytes bytes);

} // namespace helio
