#pragma once

#include "core/event_model/segment_kinds.h"
#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Grouping of memory uses. Uses by different processes are always in different groups.
enum class HeapGrouping : std::uint8_t {
    Function, ///< Grouped by the innermost function with a recorded entry; if no entry was recorded, by the function that called malloc().
    Line, ///< Grouped by the line that called malloc(); if unknown, by the first line of the innermost function with a recorded entry.
    FunctionLine, ///< Grouped by function, module, file and line: a combination of Function and Line.
    Process, ///< Memory uses grouped by process alone.
};

/// Memory use of a process, or of a function or line of its code.
struct HeapUse {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::int32_t pid = -1; ///< PID; -1 if unknown.
    std::string process; ///< Name of the process; empty if unknown.
    std::string function; ///< Name of the function, else its address in its module; empty if unknown.
    std::string module;
    std::string file; ///< Full path of the source file; empty if unknown.
    std::uint32_t line = 0; ///< Number of the source line; 0 if unknown.
    std::uint64_t allocations = 0;
    std::int64_t bytes = 0; ///< Number of bytes that this code allocated; saturates at INT64_MAX.
    std::int64_t largest = 0; ///< Size in bytes of the largest block that this code allocated.
    std::int64_t peak = 0; ///< Maximum of the bytes that were in use at the same time.
    std::uint64_t frees = 0; ///< Number of blocks freed by this code, regardless of where they were allocated.
    std::uint64_t unfreed = 0; ///< Number of blocks allocated by this code and never freed.
    std::int64_t unfreedBytes = 0;
    TrackRef unfreedRow{}; ///< Row of the thread that allocated the first block that was never freed; invalid if all blocks were freed.
    Timestamp unfreedAt{}; ///< Time of the earliest allocation of a block that was never freed.
    std::uint64_t doubleFrees = 0; ///< Number of frees of blocks that had already been freed.
    std::uint64_t unknownFrees = 0; ///< Number of frees of blocks without a recorded allocation.
};

/// Selects the allocations and frees that are summed up: those in `window`. HeapUse::peak also includes the blocks that were allocated
/// before `window` and freed in it or later.
struct HeapFilter {
    TimeRange window{Timestamp::min(), Timestamp::max()};
    std::function<bool(const Segment&)> accepts; ///< Additional condition: true for allocations and frees to include. Empty to include all.
};

/// True if the timeline has heap segments.
bool hasHeap(const Timeline& timeline);

/// Returns one element for each process and group that allocated or freed memory, in no particular order. After a stop request, returns the
/// sums so far.
///
/// Threads: any but the UI thread, because symbols are read.
/// Cost: about 100 ns per allocation, plus naming each function or line once. Memory: proportional to the number of blocks in use at once.
std::vector<HeapUse> heapUses(const Timeline& timeline, HeapGrouping grouping, const HeapFilter& filter = {}, std::stop_token stop = {});

} // namespace helio
