#pragma once

#include <string_view>

namespace helio {

/// Kind of the segments of disk requests. A segment lasts from when the request was issued to the disk's driver until its last part was
/// completed; if the trace has no event for the issue, from when the request was inserted into the disk's queue. Its name is the operation:
/// `read`, `write`, `flush` or `other`. It lies on the row of the slot that the request had in its queue; the row's key begins with
/// "disk:MAJ,MIN/". A request without a recorded beginning or end has no segment.
///
/// The segments have these fields, in this order: `disk` (its name, else MAJ,MIN), `sector`, `nr_sector`, `bytes`, `queued_ns` (time in the
/// disk's queue before the issue; absent if the request was never queued), `tid` and `comm` of the thread that inserted the
/// request, else of the thread that issued it (absent if unknown), `cpu` of the completion, `error` if it is not 0.
constexpr std::string_view DiskRequests = "block";

// Kinds of segments of the heap analysis. Each segment is named by a stack: that of the thread that called malloc(), free()..., topped by
// the return address of that call if it was recorded. The segments lie on tracks of threads.

/// A block, from its allocation until it was freed or the trace ends. Value: bytes.
constexpr std::string_view AllocatedBlocks = "allocation";
constexpr std::string_view UnfreedBlocks = "unfreed"; ///< The blocks of AllocatedBlocks that were never freed.
constexpr std::string_view FreedBlocks = "free"; ///< The moment in which a block was freed, with the stack that freed it. Value: bytes.
constexpr std::string_view DoubleFrees = "double-free"; ///< The moment in which a freed block was freed again. Value: address.
/// The moment in which a block was freed whose allocation was not recorded. Value: address.
constexpr std::string_view UnknownFrees = "unknown-free";

} // namespace helio
