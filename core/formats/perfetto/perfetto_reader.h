#pragma once

#include "core/base/result.h"
#include "core/trace/process/sample_view.h"
#include "core/trace/stored/stored_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::perfetto {

/// Content of a trace of Perfetto.
struct PerfettoRecording {
    std::unique_ptr<StoredRecording> recording; ///< Events, process records and losses of the trace; never nullptr.
    /// Facts about the traced machine for TraceInfo::environment.
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<std::uint32_t> payloadOffsets; ///< Size of the stream context in bytes, indexed by event type.
    std::vector<SampleEvent> samples; ///< Event types that are samples, in ascending order of SampleEvent::type.
    std::vector<Module> modules;
    std::vector<RecordedFrame> stacks; ///< Call tree of the samples; the first entry is the empty call stack.
    std::string uuid; ///< UUID of the trace; empty if not recorded.
    std::string clock; ///< Name of the primary clock, e.g. "boottime".
    std::optional<std::int64_t>
        wallClock; ///< Offset in ns that was added to all times to get the time since the Unix epoch; nullopt if not recorded.
};

/// Reads a trace of Perfetto. `trace` contains the bytes of the file; `file` is the name of the file in diagnostics.
///
/// Errors: Cancelled soon after `stop` is requested; Full if there is no room for decompressed packets.
/// Memory: 32 bytes for each packet and 24 for each event, and the names of threads.
Result<PerfettoRecording> readPerfetto(std::string_view trace, const std::string& file, const std::stop_token& stop);

} // namespace helio::perfetto
