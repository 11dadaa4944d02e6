#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/intervals/block_summary.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace helio {

template <typename Visit> void forEachState(std::uint32_t mask, Visit visit)
{
    for (; mask != 0; mask &= mask - 1)
        visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// True if the block has a single state and no gap. The state's total time is then the node's length and is not stored.
inline bool hasSingleState(const LevelNode& node) { return (node.mask & (node.mask - 1)) == 0 && !node.hasGap; }

/// Appends the state times of a block.
void putTimes(const BlockSummary& facts, ByteWriter& out);

inline std::int64_t getLength(ByteReader& in, std::int64_t most, bool& isGood)
{
    const std::uint64_t value = in.get();
    isGood = isGood && value <= static_cast<std::uint64_t>(most);
    return isGood ? static_cast<std::int64_t>(value) : 0;
}

/// Calls visit(state, time) for each state of the node. Returns false if the stored times do not match the node.
template <typename Visit> bool readTimes(ByteReader& in, const LevelNode& node, Visit visit)
{
    bool isGood = true;
    if (hasSingleState(node)) {
        StateTime time{node.count, node.length(), node.longest, node.longest};
        if (node.count > 1)
            time.min = getLength(in, node.longest, isGood);
        visit(static_cast<std::size_t>(node.state), time);
        return isGood && !in.hasFailed();
    }
    std::int64_t left = node.length();
    std::uint64_t count = 0;
    forEachState(node.mask, [&](std::size_t state) {
        StateTime time;
        time.count = in.get();
        time.total = getLength(in, left, isGood);
        time.min = time.max = time.total;
        if (time.count > 1) {
            time.min = getLength(in, time.total, isGood);
            time.max = time.min + getLength(in, time.total - time.min, isGood);
        }
        isGood = isGood && time.count >= 1 && time.count <= node.count;
        left -= time.total;
        count += time.count;
        visit(state, time);
    });
    return isGood && count == node.count && !in.hasFailed();
}

} // namespace helio
