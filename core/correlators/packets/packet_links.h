#pragma once

#include "core/correlation/inter_trace_links.h"
#include "core/correlation/transmissions.h"

namespace helio {
struct Timeline;
}

namespace helio::packets {

/// Makes the arrows for packets. In views of threads, an arrow leads from the sending thread to the woken thread; if no thread was woken,
/// to the thread that uses the connection. In views of CPUs, an arrow leads from CPU to CPU. If the thread at an end is unknown, this end
/// is at the CPU in both views. Times follow the timeline's current clocks. The message index of each link refers to `messages`, which have
/// the details.
InterTraceLinks linksOf(const Timeline& timeline, const Transmissions& messages);

} // namespace helio::packets
