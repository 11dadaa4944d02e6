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

/// A block of memory that is in use.
struct Block {
    HostTimestamp since;
    std::uint64_t bytes = 0; ///< At most INT64_MAX.
    StackId stack = NoStack; ///< Of whoever allocated it, on the thread of the track.
    TrackId thread = NoTrack;
};

/// How much of a process's memory is remembered: some 60 bytes each.
struct HeapLimits {
    std::size_t live = std::size_t(1) << 24; ///< Blocks in use. Those beyond are not known of.
    std::size_t freed = std::size_t(1) << 22; ///< Addresses that were freed and not used since. Where there are more, all are forgotten.
};

/// The blocks that one process has in use. One thread. Cost: some tens of ns a call.
class HeapBlocks {
public:
    explicit HeapBlocks(HeapLimits limits = {})
        : m_limits(limits)
    {
    }

    enum class Had : std::uint8_t { Nothing, Block, TooMany };
    /// `old` gets the block that was there before and that nobody freed (Block). TooMany: the new one is not kept.
    Had allocate(std::uint64_t address, const Block& block, Block& old);

    enum class Freed : std::uint8_t { Block, Again, Unknown };
    /// `block` gets what was freed. Again: it had been freed before; Unknown: it was never seen allocated, or that was forgotten.
    Freed free(std::uint64_t address, Block& block);

    std::size_t count() const { return m_live.size(); }
    std::int64_t bytes() const { return m_bytes.value(); } ///< At most INT64_MAX.
    std::vector<Block> inUse() const; ///< By when they were allocated.

private:
    HeapLimits m_limits;
    std::unordered_map<std::uint64_t, Block> m_live; ///< By address.
    std::unordered_set<std::uint64_t> m_freed; ///< Addresses that have no block now.
    WideSum m_bytes;
};

} // namespace helio::heap
