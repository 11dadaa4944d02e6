#pragma once

#include "core/base/result.h"
#include "core/trace/stored/stored_trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::ftracetext {

/// Content of a text.
struct FtraceText {
    std::unique_ptr<StoredRecording> recording;
    /// Time of the wall clock at time 0 in ns, from the marker trace_event_clock_sync, which has ms; nullopt if the text has no marker.
    std::optional<std::int64_t> wallClock;
    /// Difference in ns between CLOCK_MONOTONIC and the printed times, from the marker trace_event_clock_sync; nullopt without a marker.
    /// The recording's times are wall-clock times if `wallClock` is set, else times of CLOCK_MONOTONIC if `monotonic` is set.
    std::optional<std::int64_t> monotonic;
    bool measuresTime = true; ///< False if the clock counts something else than ns.
    bool isRelative = false; ///< True if the times count from the start of the latency that a latency tracer measured.
    /// Facts in the head of the text: "tracer" and, for latency tracers, "max_latency", "latency_task", "latency_started_at" and
    /// "latency_ended_at".
    std::vector<std::pair<std::string, std::string>> facts;
};

/// Returns the trace in a text: the text itself or, for a page of systrace, the contents of its elements with trace data.
std::string_view traceIn(std::string_view text);

/// True if a text that begins with `head` is a trace of this format. `head` may end within a line unless `isWhole`.
bool isFtraceText(std::string_view head, bool isWhole);

/// Reads a trace. `file` is its name in diagnostics.
/// Errors: Cancelled soon after `stop` is requested.
Result<FtraceText> readFtraceText(std::string_view text, const std::string& file, const std::stop_token& stop);

} // namespace helio::ftracetext
