#pragma once

#include <sys/resource.h>

namespace helio {

/// Lowers the priority of the calling thread to nice value 10, so that threads that paint, here or in the display server, get the CPU
/// first. For a thread that was started for one task which another thread works on as well. An unprivileged thread cannot raise its
/// priority again. On Linux each thread has its own nice value.
inline void lowerThreadPriority() { ::setpriority(PRIO_PROCESS, 0, 10); }

} // namespace helio
