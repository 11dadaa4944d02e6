#pragma once

#include <string_view>

namespace helio {

/// Kind of the segments of disk requests, one per request with a recorded start and end:
/// - Begin: the request was issued to the disk's driver; if the trace has no event for the issue, it was inserted into the disk's queue.
/// - End: the last part of the request was completed.
/// - Name: the operation, which is `read`, `write`, `flush` or `other`.
/// - Track: the slot that the request had in its queue. The track's key begins with "disk:MAJ,MIN/".
///
/// The segments have these fields, in this order: `disk` (its name, else MAJ,MIN), `sector`, `nr_sector`, `bytes`, `queued_ns` (time in the
/// disk's queue before the issue; absent if the request was never queued), `tid` and `comm` of the thread that inserted the
/// request, else of the thread that issued it (absent if unknown), `cpu` of the completion, `error` if it is not 0.
constexpr std::string_view DiskRequests = "block";

/// Recorded CPU times of calls: one segment for each call whose CPU time the application recorded, with the call's begin, end, track and
/// stack. Value: CPU time of the thread during the call, in ns. Lists of the user's interval kinds omit this kind.
constexpr std::string_view CallCpuTimes = "call-cpu-time";

// Kinds of segments of the heap analysis. The name of each segment is a stack: the stack of the thread that called malloc(), free() and so
// on, topped by the return address of that call if it was recorded. The segments are on tracks of threads.

/// A memory block, from its allocation until it was freed or until the end of the trace. Value: size in bytes.
constexpr std::string_view AllocatedBlocks = "allocation";
constexpr std::string_view UnfreedBlocks = "unfreed"; ///< The memory blocks of AllocatedBlocks that were never freed.
/// Frees of memory blocks: zero-length segments, each with the call stack that freed the block. Value: size of the block in bytes.
constexpr std::string_view FreedBlocks = "free";
/// Repeated frees of a block that was already freed: zero-length segments. Value: address of the block.
constexpr std::string_view DoubleFrees = "double-free";
/// The time at which a memory block without a recorded allocation was freed. Value: address.
constexpr std::string_view UnknownFrees = "unknown-free";

} // namespace helio
