#pragma once

#include "core/event_model/heap_segments.h" // The kinds of segments, for callers that may not include the analysis.
#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// What the uses of memory are added up by, in each process.
enum class HeapGrouping : std::uint8_t {
    Function, ///< The innermost one whose entry was recorded, else the one that malloc() was called from.
    Line, ///< Where malloc() was called from; without its address where the innermost recorded function begins.
    FunctionLine, ///< Function and module as Function has them, file and line as Line does.
    Process, ///< Nothing else.
};

/// What a process, or a place in its code, did with memory.
struct HeapUse {
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::int32_t pid = -1; ///< -1: not known.
    std::string process; ///< Its name. Empty: not known.
    std::string function; ///< Its name, else its place. Empty: not known, as the next ones.
    std::string module;
    std::string file; ///< The whole path.
    std::uint32_t line = 0; ///< 0: not known.
    std::uint64_t allocations = 0;
    std::int64_t bytes = 0; ///< Allocated. Sums stay at INT64_MAX where there is more.
    std::int64_t largest = 0; ///< Bytes of its largest block.
    std::int64_t peak = 0; ///< Bytes of its blocks that were in use at once, at most.
    std::uint64_t frees = 0; ///< Blocks that it freed, whoever allocated them.
    std::uint64_t unfreed = 0; ///< Blocks that it allocated and nobody freed.
    std::int64_t unfreedBytes = 0;
    TrackRef unfreedRow{}; ///< Thread that allocated the first block that was never freed; invalid if there is none.
    Timestamp unfreedAt{}; ///< Time of the allocation of that block, the earliest among those never freed.
    std::uint64_t doubleFrees = 0; ///< It freed what had been freed before.
    std::uint64_t unknownFrees = 0; ///< It freed what was not seen allocated.
};

/// Which uses: those that began in the window (of `peak`: all blocks that were in use in it).
struct HeapFilter {
    TimeRange window{Timestamp::min(), Timestamp::max()};
    std::function<bool(const Segment&)> accepts; ///< What else is asked; empty: nothing.
};

/// Whether anything says how memory was used.
bool hasHeap(const Timeline& timeline);

/// One for each process and place that allocated or freed anything, in no order.
///
/// Threads: any but the UI's: reads symbols. Stopped: what was added up until then.
/// Cost: some 100 ns an allocation, and of naming each place once; memory for what is in use at a time.
std::vector<HeapUse> heapUses(const Timeline& timeline, HeapGrouping grouping, const HeapFilter& filter = {}, std::stop_token stop = {});

} // namespace helio
