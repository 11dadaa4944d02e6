#pragma once

#include "core/base/result.h"
#include "core/formats/call_log/call_line.h"
#include "core/formats/call_log/call_tool.h"
#include "core/trace/stored/stored_trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio::calllog {

/// One of the texts of a log; strace -ff writes one for each thread.
struct LogText {
    std::string_view text;
    std::int32_t tid = -1; ///< Thread of all lines that print none; -1 if unknown.
    std::string file; ///< Name for diagnostics.
};

/// Content of a log.
struct CallLog {
    std::unique_ptr<StoredRecording> recording;
    TimeKind timeKind = TimeKind::None;
};

/// Reads a log. Each call becomes an event at its begin and one at its end: "syscall_entry_read" and "syscall_exit_read", as LTTng names
/// them, or "span_begin" and "span_end" for functions of libraries. A call without duration becomes one event "syscall_read" or "function".
/// Errors: Cancelled soon after `stop` is requested.
Result<CallLog> readCallLog(std::span<const LogText> texts, Tool tool, const std::stop_token& stop);

} // namespace helio::calllog
