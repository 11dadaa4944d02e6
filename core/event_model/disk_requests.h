#pragma once

#include <string_view>

namespace helio {

/// The kind of segments that requests of disks are, from when a request was given to the disk's driver until the last of it was completed
/// (where no trace event says when requests are given to drivers: from when it was put into the disk's queue). They are named by what is
/// done, `read`, `write`, `flush` or `other`, and lie on the row of the place that the request had in its queue, whose id begins with
/// "disk:MAJ,MIN/". A request whose begin or end was not seen is none.
///
/// They have these fields, in this order: `disk` (its name, else MAJ,MIN), `sector`, `nr_sector`, `bytes`, `queued_ns` (how long the
/// request was in the disk's queue before; absent where it was never put there), `tid` and `comm` of the thread that put it there, else of
/// the one that gave it to the driver (absent where nobody knows), `cpu` that the completion came on, `error` where it is not 0.
constexpr std::string_view DiskRequests = "block";

} // namespace helio
