#pragma once

#include "core/correlation/inter_trace_links.h"
#include "core/correlation/transmissions.h"

namespace helio {
struct Timeline;
}

namespace helio::packets {

/// Makes the arrows for packets. In views of threads, an arrow leads from the sending thread to the woken thread, or else to the
/// thread that uses the connection. In views of CPUs, it connects the CPUs. If a thread is unknown, the arrow ends at the CPU in both.
/// Times follow the timeline's current clocks. The message index of each link refers to `messages`, which have the details.
InterTraceLinks linksOf(const Timeline& timeline, const Transmissions& messages);

} // namespace helio::packets
