#pragma once

#include "core/export/perfetto/packet_writer.h"
#include "core/export/recording/recording_walk.h"

#include <memory>
#include <vector>

namespace helio {

/// Writes the samples of all counters and tracepoints, with their call stacks, as samples of Linux perf. Each kind of samples of each host
/// has a sequence of its own, whose defaults name the kind. `nextSequence` is the id of the first of them.
///
/// If the weights of samples vary, each sample has the sum of the weights of its CPU so far, as the value that a counter has. Viewers count
/// samples, so that the user is told.
///
/// Samples are limited to the selected threads and times. The stacks of times off the CPU and of recorded calls are not samples.
/// Memory: the frames of all stacks; the samples are kept in a temporary file until their functions are named.
Status writeSamples(const RecordingWalk& walk, const ExportRequest& request, PacketWriter& writer, std::uint32_t nextSequence);

} // namespace helio
