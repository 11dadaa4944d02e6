#pragma once

#include "core/store/store_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace helio {

/// Tree of blocks and the levels above them. Entry i of a level summarizes the entries 16 i to 16 i + 15 of the level below; the top level
/// has one entry. A single block has no levels above it.
/// Ownership: a view; the entries must outlive it.
template <typename Entry> class LevelTree {
public:
    /// Position of an entry in the tree. Level 0 contains the blocks.
    struct TreePosition {
        std::size_t level = 0;
        std::size_t index = 0;
    };

    /// Returns the total number of entries in the levels above `blocks` blocks.
    static std::size_t entriesAbove(std::size_t blocks)
    {
        std::size_t all = 0;
        while (blocks > 1)
            all += blocks = parents(blocks);
        return all;
    }

    LevelTree() = default;
    /// `levels` are the entries of all levels from level 1 up. Requires: `levels` has entriesAbove(blocks.size()) entries.
    LevelTree(std::span<const Entry> blocks, std::span<const Entry> levels)
        : m_levels{blocks}
    {
        while (m_levels.back().size() > 1) {
            const std::size_t count = parents(m_levels.back().size());
            m_levels.push_back(levels.first(count));
            levels = levels.subspan(count);
        }
    }

    std::span<const Entry> blocks() const { return m_levels.empty() ? std::span<const Entry>() : m_levels.front(); }
    bool isEmpty() const { return blocks().empty(); }
    /// Position of the only entry of the top level. Requires: the tree is not empty.
    TreePosition top() const { return {m_levels.size() - 1, 0}; }
    const Entry& at(TreePosition place) const { return m_levels[place.level][place.index]; }

    /// Calls take(position) with the position of each entry that is summarized by the entry at `place`. Requires: place.level > 0.
    template <typename Take> void forEachBelow(TreePosition place, Take take) const
    {
        const auto [first, end] = below(place);
        for (std::size_t i = first; i < end; ++i)
            take(TreePosition{place.level - 1, i});
    }

    /// Calls visit(entry, isBlock) for entries from the top down, in order. Entries below an entry are visited only if visit() returns true
    /// for it.
    template <typename Visit> void walk(Visit&& visit) const
    {
        if (!isEmpty())
            walk(top(), visit);
    }
    /// Calls visit() like walk(), but from the last entry to the first.
    template <typename Visit> void walkBack(Visit&& visit) const
    {
        if (!isEmpty())
            walkBack(top(), visit);
    }

private:
    static std::size_t parents(std::size_t entries) { return (entries - 1) / format::LevelFanOut + 1; }

    std::pair<std::size_t, std::size_t> below(TreePosition place) const
    {
        const std::size_t first = place.index * format::LevelFanOut;
        return {first, std::min(first + format::LevelFanOut, m_levels[place.level - 1].size())};
    }
    template <typename Visit> void walk(TreePosition place, Visit& visit) const
    {
        if (visit(at(place), place.level == 0) && place.level > 0)
            forEachBelow(place, [&](TreePosition child) { walk(child, visit); });
    }
    template <typename Visit> void walkBack(TreePosition place, Visit& visit) const
    {
        if (!visit(at(place), place.level == 0) || place.level == 0)
            return;
        const auto [first, end] = below(place);
        for (std::size_t i = end; i > first; --i)
            walkBack({place.level - 1, i - 1}, visit);
    }

    std::vector<std::span<const Entry>> m_levels; ///< Entries by level; level 0 contains the blocks.
};

/// Splits entries, which are stored one after the other, into trees. `counts` has the number of blocks of each tree. Returns false if the
/// number of entries is wrong, or if isSound(i, blocks, levels) returns false for a tree.
template <typename Entry, typename IsSound>
bool splitIntoTrees(std::span<const std::uint64_t> counts, std::span<const Entry> blocks, std::span<const Entry> levels, IsSound isSound,
                    std::vector<LevelTree<Entry>>& trees)
{
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::size_t count = counts[i];
        if (count > blocks.size() || LevelTree<Entry>::entriesAbove(count) > levels.size())
            return false;
        const auto own = blocks.first(count);
        const auto above = levels.first(LevelTree<Entry>::entriesAbove(count));
        if (!isSound(i, own, above))
            return false;
        trees.emplace_back(own, above);
        blocks = blocks.subspan(own.size());
        levels = levels.subspan(above.size());
    }
    return blocks.empty() && levels.empty();
}

/// Builds the levels above the blocks, from the lowest level up. Calls sum(children) for each group of up to LevelFanOut entries. Returns
/// the entries of all levels in the order of the file.
template <typename Entry, typename Sum> std::vector<Entry> makeLevelsAbove(std::span<const Entry> blocks, Sum sum)
{
    std::vector<Entry> all;
    all.reserve(LevelTree<Entry>::entriesAbove(blocks.size()));
    std::span<const Entry> below = blocks;
    while (below.size() > 1) {
        const std::size_t first = all.size();
        for (std::size_t i = 0; i < below.size(); i += format::LevelFanOut)
            all.push_back(sum(below.subspan(i, std::min(format::LevelFanOut, below.size() - i))));
        below = std::span<const Entry>(all).subspan(first); // Enough memory was reserved, so the entries do not move.
    }
    return all;
}

} // namespace helio
