#pragma once

#include "core/base/time.h"
#include "core/base/wide_sum.h"
#include "core/store/stacks.h"
#include "core/store/track.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio::heap {

/// A block of memory in use.
struct Block {
    HostTimestamp since;
    std::uint64_t bytes = 0; ///< Size, at most INT64_MAX.
    StackId stack = NoStack; ///< Stack of the allocation, on the thread of the track.
    TrackId thread = NoTrack;
};

/// Limits of what is remembered of a process; each block or address takes about 60 bytes.
struct HeapLimits {
    std::size_t live = std::size_t(1) << 24; ///< Blocks in use; further blocks are not tracked.
    std::size_t freed = std::size_t(1) << 22; ///< Addresses that were freed and not reused; when there are more, all of them are forgotten.
};

/// The blocks in use of a single process.
///
/// Threads: to be used by one thread.
/// Cost: tens of ns for each call.
class HeapBlocks {
public:
    explicit HeapBlocks(HeapLimits limits = {})
        : m_limits(limits)
    {
    }

    enum class AllocateResult : std::uint8_t { Nothing, Block, TooMany };
    /// Adds a block. Returns Block if a block at the address was never freed, and sets `old` to it; TooMany if the new block is not kept.
    AllocateResult allocate(std::uint64_t address, const Block& block, Block& old);

    enum class FreeResult : std::uint8_t { Block, Again, Unknown };
    /// Removes a block and sets `block` to it. Returns Again if the address was already freed; Unknown if its allocation was not recorded
    /// or was forgotten.
    FreeResult free(std::uint64_t address, Block& block);

    std::size_t count() const { return m_live.size(); }
    std::int64_t bytes() const { return m_bytes.value(); } ///< Bytes in use, at most INT64_MAX.
    std::vector<Block> inUse() const; ///< Blocks in use, by time of allocation.

private:
    HeapLimits m_limits;
    std::unordered_map<std::uint64_t, Block> m_live; ///< Blocks in use, by address.
    std::unordered_set<std::uint64_t> m_freed; ///< Addresses that were freed and are not in use.
    WideSum m_bytes;
};

} // namespace helio::heap
