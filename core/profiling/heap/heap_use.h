#pragma once

#include "core/event_model/segment_kinds.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// How uses of memory are grouped within each process.
enum class HeapGrouping : std::uint8_t {
    Function, ///< Grouped by the innermost function whose entry was recorded, else the function that called malloc().
    Line, ///< Grouped by the line that called malloc(); if its address is not recorded, the line where the innermost recorded function
          ///< begins.
    FunctionLine, ///< Grouped by function and module of Function, and file and line of Line.
    Process, ///< Grouped by process alone.
};

/// Memory use of a process, or of a function or line of its code.
struct HeapUse {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::int32_t pid = -1; ///< -1 if not known.
    std::string process; ///< Name of the process; empty if not known.
    std::string function; ///< Name of the function, else its address in its module; empty if not known.
    std::string module;
    std::string file; ///< Full path; empty if not known.
    std::uint32_t line = 0; ///< 0 if not known.
    std::uint64_t allocations = 0;
    std::int64_t bytes = 0; ///< Allocated bytes; saturates at INT64_MAX.
    std::int64_t largest = 0; ///< Bytes of the largest block.
    std::int64_t peak = 0; ///< Maximum of the bytes that were in use at once.
    std::uint64_t frees = 0; ///< Number of blocks freed here, wherever they were allocated.
    std::uint64_t unfreed = 0; ///< Number of blocks allocated here and never freed.
    std::int64_t unfreedBytes = 0;
    TrackRef unfreedRow{}; ///< Thread that allocated the first block that was never freed; invalid if there is none.
    Timestamp unfreedAt{}; ///< Time of the allocation of that block, the earliest among those never freed.
    std::uint64_t doubleFrees = 0; ///< Number of frees of blocks that were freed already.
    std::uint64_t unknownFrees = 0; ///< Number of frees of blocks without a recorded allocation.
};

/// Selects uses that began in the window; for `peak`, all blocks that were in use in the window.
struct HeapFilter {
    TimeRange window{Timestamp::min(), Timestamp::max()};
    std::function<bool(const Segment&)> accepts; ///< Further condition; empty: none.
};

/// True if the timeline has heap segments.
bool hasHeap(const Timeline& timeline);

/// Returns one element for each process and group that allocated or freed anything, in no order. If stopped, the sums up to then.
///
/// Threads: any but the UI thread: reads symbols.
/// Cost: about 100 ns per allocation, and naming each function or line once. Memory: for the blocks in use at a time.
std::vector<HeapUse> heapUses(const Timeline& timeline, HeapGrouping grouping, const HeapFilter& filter = {}, std::stop_token stop = {});

} // namespace helio
