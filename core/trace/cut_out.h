#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Summary of a cut-out that was written.
struct CutOut {
    std::uint64_t events = 0; ///< Number of events in the cut-out; 0 with `packets` 0 means that nothing was recorded in the range.
    std::uint64_t packets = 0; ///< Number of packets in the cut-out; if it is 0, no files were written.
    std::uint64_t bytes = 0; ///< Size of the stream files in bytes.
    std::vector<std::string> notes; ///< Sentences for the user about what the cut-out contains beyond the range.
};

/// A trace that can copy the part of a time range into a new trace of the same format. Traces with this ability implement this interface
/// in addition to Trace; find it by dynamic_cast.
class CuttableTrace {
public:
    virtual ~CuttableTrace() = default;

    /// Writes the events of the half-open `range`, in the trace's own time, as a trace in `folder`, which is created. The bits of the
    /// events and the metadata are copied exactly. Packets that are completely inside the range are copied byte by byte; of other packets,
    /// the header is adapted: times, sizes and the counter of lost events. Afterwards, the cut-out is opened and compared with the trace.
    ///
    /// Losses in the range stay visible: empty packets at the edges of the range carry the counters of lost events. Events without times
    /// are all copied.
    ///
    /// Threads: any.
    /// Cost: reads the packets in the range twice; packets outside of the range only if their headers are not reliable.
    /// Errors: Full or Unreadable if files cannot be written or read; Unsupported if the trace cannot be cut without changing the times of
    /// its events; Cancelled. The folder may then contain an incomplete cut-out, which the caller must remove.
    virtual Result<CutOut> writeCutOut(HostRange range, const std::filesystem::path& folder, std::stop_token stop) const = 0;
};

} // namespace helio
