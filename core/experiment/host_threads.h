#pragma once

#include "core/analysis/thread_ends.h"
#include "core/correlation/correlator.h"
#include "core/experiment/timeline.h"

#include <vector>

namespace helio {

/// Finds the threads of a trace that a kernel trace of the same host has under another TID, or does not have although another thread there
/// has their TID.
///
/// The kernel trace says which thread a CPU ran when one of the thread's events happened there; a state dump says which TIDs threads have
/// in PID namespaces. If a thread's events lie on CPUs that ran other threads, the thread is not the kernel's thread with its TID: it
/// belongs to a container. A name that the kernel's thread never had is also a sign of a container's thread. It does not count if several
/// events lie where the thread with this TID ran, or if a state dump has the thread's TID in its namespace. Names are needed because the
/// clocks of the traces may differ, so that a CPU seems to have run another thread.
///
/// Requires: finished stores.
/// Cost: a few µs for each thread of the trace.
ThreadNumbers findHostThreads(const Timeline& timeline, std::uint32_t trace);

/// Returns the ends of the trace's threads as other traces of the same host show them, on the trace's own clock; sorted. A thread ended at
/// its exit state, or, without one, where its row ends before the store does.
/// Cost: a few µs for each thread of those other traces.
std::vector<ThreadEnd> findThreadEnds(const Timeline& timeline, std::size_t trace);

} // namespace helio
