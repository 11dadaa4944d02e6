#pragma once

#include "core/correlation/cross_links.h"
#include "core/correlation/transmissions.h"

namespace helio {
struct Timeline;
}

namespace helio::packets {

/// The arrows of packets: for the panels of threads from who sent one to whom it woke, or whose connection it is; for those of CPUs between
/// the CPUs. An end of which nobody knows the thread is at its CPU for both. At the times that the timeline's clocks give both ends. Their
/// messages say what they are.
CrossLinks linksOf(const Timeline& timeline, const Transmissions& messages);

} // namespace helio::packets
