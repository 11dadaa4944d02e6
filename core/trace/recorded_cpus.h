#pragma once

#include <cstddef>

namespace helio {

class Trace;

/// Returns the number of CPUs on which the trace's streams and packets were recorded; 0 if these are not known.
/// Cost: proportional to the number of packets.
std::size_t countRecordedCpus(const Trace& trace);

} // namespace helio
