#pragma once

#include "core/analysis/thread_ends.h"
#include "core/correlation/correlator.h"
#include "core/experiment/timeline.h"

#include <vector>

namespace helio {

/// Finds the threads of a trace that have another TID in a kernel trace of the same host. Also finds threads that are missing in the kernel
/// trace, although another thread there has their TID.
///
/// The kernel trace shows which thread ran on a CPU at the time of an event; its state dump lists the TIDs of threads in PID namespaces. If
/// a thread's events lie on CPUs that ran other threads, the thread is not the kernel's thread with its TID, but belongs to a container.
///
/// A name that the kernel's thread never had also indicates a container's thread. Names are needed because the clocks of the traces may
/// differ, so that a CPU seems to have run another thread. A name does not count if several events lie on CPUs that ran the thread with
/// this TID, or if a state dump lists the thread's TID in its namespace.
///
/// Requires: the stores are finished.
/// Cost: a few µs for each thread of the trace.
ThreadNumbers findHostThreads(const Timeline& timeline, std::uint32_t trace);

/// Returns the ends of the trace's threads that other traces of the same host show, on the trace's own clock; sorted. A thread ends at its
/// exit state or, without one, where its row ends if that is before the end of the store.
/// Cost: a few µs for each thread of the other traces.
std::vector<ThreadEnd> findThreadEnds(const Timeline& timeline, std::size_t trace);

} // namespace helio
