#pragma once

#include "core/base/result.h"
#include "core/trace/stored/stored_trace.h"

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

/// A trace that was read.
struct ChromeTrace {
    std::unique_ptr<StoredRecording> recording; ///< Track events (core/trace/stored/track_events.h).
    /// Scalars of the trace's other members, e.g. "metadata.os-name" with its value.
    std::vector<std::pair<std::string, std::string>> facts;
};

/// Reads a trace. `file` is its name in diagnostics.
///
/// Slices (B and E, X) nest within each thread. A complete event (X) that overlaps another one of its thread without nesting gets its own
/// row beside the thread. Asynchronous operations (b, n, e; S, T, p, F) are slices and instants on a track for each process and
/// name; objects (N, O, D) are slices on a track for each process and class.
///
/// Errors: Cancelled soon after `stop` is requested.
/// Cost: parses each event twice.
/// Memory: 32 bytes for each event, and 24 bytes for each stored event, besides the bytes of the stored events.
Result<ChromeTrace> readChromeJson(std::string_view text, const std::string& file, const std::stop_token& stop);

} // namespace helio::chromejson
