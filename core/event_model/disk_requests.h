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

} // namespace helio
