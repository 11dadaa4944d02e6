#pragma once

#include "core/base/result.h"
#include "core/trace/stored/stored_trace.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::kutrace {

/// Content of a timeline file of KUtrace.
struct TimelineFile {
    std::unique_ptr<StoredRecording> recording; ///< Events and losses of the file; never nullptr.
    std::vector<std::pair<std::string, std::string>> header; ///< Names and values of the members of the JSON header, e.g. "hostName".
    bool hasIpc = false; ///< True if KUtrace recorded instructions per cycle for the CPU spans.
};

/// Returns true if a file looks like a timeline file of KUtrace. `head` is the beginning of the file; for an HTML page, it must be the
/// whole text.
bool isTimeline(std::string_view head);

/// Reads a timeline file of KUtrace. Each row becomes an event "kutrace:...". From the CPU spans, the reader also derives kernel events
/// with the names and fields of LTTng: context switches, and entries and exits of system calls, interrupts and page faults. If no span
/// covers a time of a CPU, this time becomes a loss. `file` is the name of the file in diagnostics. The result does not refer to `text`.
/// Errors: Cancelled soon after `stop` is requested; Corrupt if the text has no rows.
Result<TimelineFile> readTimeline(std::string_view text, const std::string& file, const std::stop_token& stop);

} // namespace helio::kutrace
