#pragma once

#include "core/base/result.h"
#include "core/trace/stored/stored_trace.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio::chromejson {

constexpr std::size_t NameSize = 32; ///< Size in bytes of the name of a thread in the stream context; longer names are cut.
/// Size in bytes of the stream context of an event: i32 vpid, i32 vtid, u32 pid_ns, char procname[NameSize].
constexpr std::uint32_t ContextSize = 12 + NameSize;

/// True if a text that begins with `head` is a trace of this format. `head` may end within an event.
/// Cost: reads the text up to its first event, or the whole text if it has none.
bool isChromeJson(std::string_view head);

/// Reads a trace. `file` is its name in diagnostics.
///
/// Slices (B and E, X) become events span_begin and span_end that nest within each thread. A complete event (X) that overlaps another
/// one of its thread without nesting goes to a row of its own beside the thread. Other events become one event each, named by their phase.
///
/// Errors: Cancelled soon after `stop` is requested.
/// Cost: parses each event twice.
/// Memory: about 150 bytes for each slice and 40 for each other event, besides the stored events.
Result<std::unique_ptr<StoredRecording>> readChromeJson(std::string_view text, const std::string& file, const std::stop_token& stop);

} // namespace helio::chromejson
