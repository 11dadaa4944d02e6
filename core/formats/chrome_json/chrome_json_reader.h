#pragma once

#include "core/base/result.h"
#include "core/trace/stored/stored_trace.h"
#include "core/trace/trace.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// True if a text that begins with `head` is a trace of this format. `head` may end within an event.
/// Cost: reads the text up to its first event, or the whole text if it has none.
bool isChromeJson(std::string_view head);

/// Result of readChromeJson().
struct ChromeTrace {
    std::unique_ptr<StoredRecording> recording; ///< Recording with the trace's events as track events (core/trace/stored/track_events.h).
    /// Names and values of the strings, numbers and booleans in the trace's other members, e.g. "metadata.os-name"; see addFacts().
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<EmbeddedText> embedded; ///< Text of the member "systemTraceEvents", usually of ftrace; empty if the trace has none.
};

/// Reads a trace. `file` is its name in diagnostics.
///
/// The letters are the phases ("ph") of events. Slices (B and E, or X) nest within each thread. A complete event (X) that partly overlaps
/// another slice of its thread gets an additional row of the thread. Asynchronous operations (b, n, e; S, T, p, F) become slices and
/// instants on tracks, one track for each process and operation name. Objects (N, O, D) become slices on tracks, one track for each process
/// and class of objects.
///
/// Errors: Cancelled soon after `stop` is requested.
/// Cost: parses each event twice.
/// Memory: 32 bytes for each event of the text, 24 bytes for each stored event, and the content of the stored events.
Result<ChromeTrace> readChromeJson(std::string_view text, const std::string& file, const std::stop_token& stop);

} // namespace helio::chromejson
