#pragma once

#include "core/correlation/inter_trace_links.h"
#include "core/correlation/transmissions.h"

namespace helio {
struct Timeline;
}

namespace helio::packets {

/// Makes the arrows of packets. For views of threads they go from the sending thread to the woken thread, or to the connection's thread;
/// for views of CPUs, between the CPUs. An end with an unknown thread is at its CPU in both. The timeline's clocks give the times, and the
/// links' messages have the details.
InterTraceLinks linksOf(const Timeline& timeline, const Transmissions& messages);

} // namespace helio::packets
