#pragma once

#include "core/experiment/timeline.h"
#include "core/relation/thread_numbers.h"

namespace helio {

/// The threads of a trace that a kernel's trace of the same host has under another number, or does not have, although their numbers would
/// fit.
///
/// The kernel's trace says which thread a CPU had when one of the thread's events happened there; a state dump says which numbers threads
/// have in PID namespaces. A thread whose events lie on CPUs that had other threads is not the kernel's thread of its number: it is of a
/// container. Where no CPU is known, a name that the kernel's thread never had shows the same.
///
/// Requires: whole stores. Cost: some µs for each thread of the trace.
ThreadNumbers hostThreadsOf(const Timeline& timeline, std::uint32_t trace);

} // namespace helio
