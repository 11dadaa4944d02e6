#pragma once

#include "core/correlation/thread_numbers.h"
#include "core/experiment/timeline.h"

namespace helio {

/// The threads of a trace that a kernel's trace of the same host has under another number, or does not have, although their numbers would
/// fit.
///
/// The kernel's trace says which thread a CPU had when one of the thread's events happened there; a state dump says which numbers threads
/// have in PID namespaces. A thread whose events lie on CPUs that had other threads is not the kernel's thread of its number: it is of a
/// container. A name that the kernel's thread never had shows the same, as the clocks of the traces may differ, so that a CPU seems to have
/// had another thread; but not where several events lie where the thread of the same number ran, nor where a state dump names the thread's
/// number in its namespace.
///
/// Requires: whole stores. Cost: some µs for each thread of the trace.
ThreadNumbers hostThreadsOf(const Timeline& timeline, std::uint32_t trace);

} // namespace helio
