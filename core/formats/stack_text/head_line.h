#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::stacktext {

/// The head, that is, the first line of a sample, as perf script prints it:
/// "comm PID/TID [CPU] MISC DATE TIME SECONDS.FRACTION: PERIOD EVENT: FURTHER TEXT". Parts that perf script -F omitted are empty or -1.
/// Ownership: the strings are views of the line.
struct ParsedSampleHead {
    std::string_view comm;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::optional<std::int64_t> time; ///< Time in ns.
    std::optional<std::uint64_t> period;
    std::string_view event;
    /// Text after the event: a tracepoint's fields and other data, followed by the frame if the sample has no call chain.
    std::string_view rest;
};

/// Parses the head line of a sample. Returns false if the line contains none of these: a time, an event, a thread, a command followed by a
/// frame. A command may contain blanks, brackets and digits; it ends before the first time or, without a time, before the first event.
bool parseHead(std::string_view line, ParsedSampleHead& head);

} // namespace helio::stacktext
