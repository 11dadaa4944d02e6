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

constexpr std::uint32_t ContextSize = 4; ///< Size of an event's stream context in bytes: tid.

/// Content of a timeline file.
struct TimelineFile {
    std::unique_ptr<StoredRecording> recording; ///< Never nullptr.
    std::vector<std::pair<std::string, std::string>> header; ///< Names and values of the header's members.
    bool hasIpc = false; ///< True if the spans of CPUs have codes for instructions per cycle.
};

/// Returns true if a text looks like a timeline file of KUtrace. `head` is its beginning, or the whole text if that is a page.
bool isTimeline(std::string_view head);

/// Reads a timeline file. Each row becomes an event "kutrace:...". Where spans of a CPU tell it, events of the kernel are added, with names
/// and fields of LTTng: switches, entries and exits of system calls, interrupts and page faults. Times that the spans of a CPU do not cover
/// become losses. `file` names the file in diagnostics. Views of `text` are not kept.
/// Errors: Cancelled soon after `stop` is requested; Corrupt if the text has no rows.
Result<TimelineFile> readTimeline(std::string_view text, const std::string& file, const std::stop_token& stop);

} // namespace helio::kutrace
