#pragma once

#include <sys/resource.h>

namespace helio {

/// The calling thread has a CPU only where whoever paints, here or in the display's server, leaves one: for a thread that is begun for one
/// piece of work, beside another one that does it anyway. It cannot be taken back. (Of Linux: nice values are each thread's own.)
inline void giveWay() { ::setpriority(PRIO_PROCESS, 0, 10); }

} // namespace helio
