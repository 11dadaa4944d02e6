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

/// An allocated block of memory.
struct Block {
    HostTimestamp since;
    std::uint64_t bytes = 0; ///< Size of the block in bytes, at most INT64_MAX.
    StackId stack = NoStack; ///< Call stack of the allocation, on the thread `thread`.
    TrackId thread = NoTrack;
};

/// Limits for the data kept for one process. Each block or address needs about 60 bytes.
struct HeapLimits {
    std::size_t live = std::size_t(1) << 24; ///< Maximum number of blocks in use; further blocks are not tracked.
    /// Maximum number of addresses that were freed and not reused; when exceeded, all of them are dropped.
    std::size_t freed = std::size_t(1) << 22;
};

/// The blocks in use by one process.
///
/// Threads: used by one thread.
/// Cost: tens of ns for each call.
class HeapBlocks {
public:
    explicit HeapBlocks(HeapLimits limits = {})
        : m_limits(limits)
    {
    }

    enum class AllocateResult : std::uint8_t { Nothing, Block, TooMany };
    /// Adds a block. Returns Nothing if the address had no block, which is the normal case. Returns Block and sets `old` to the address's
    /// previous block if free() of that block was not recorded. Returns TooMany if the number of blocks exceeds the limit; the new block is
    /// not kept then.
    AllocateResult allocate(std::uint64_t address, const Block& block, Block& old);

    enum class FreeResult : std::uint8_t { Block, Again, Unknown };
    /// Removes the block at the address. Returns Block and sets `block` to the removed block, which is the normal case. Returns Again if
    /// the address was already freed. Returns Unknown if the allocation was not recorded, or if the block was not kept.
    FreeResult free(std::uint64_t address, Block& block);

    std::size_t count() const { return m_live.size(); }
    std::int64_t bytes() const { return m_bytes.value(); } ///< Returns the number of bytes in use, at most INT64_MAX.
    std::vector<Block> inUse() const; ///< Returns the blocks in use, ordered by time of allocation.

private:
    HeapLimits m_limits;
    std::unordered_map<std::uint64_t, Block> m_live; ///< Blocks in use, keyed by address.
    std::unordered_set<std::uint64_t> m_freed; ///< Addresses that were freed and are not in use.
    WideSum m_bytes;
};

} // namespace helio::heap
