#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::stacktext {

/// The first line of a sample, printed by perf script:
/// "comm  PID/TID [CPU] MISC DATE TIME SECONDS.FRACTION:  PERIOD EVENT: the rest". Parts that -F left out are empty or -1.
/// Ownership: the strings are views of the line.
struct ParsedSampleHead {
    std::string_view comm;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::optional<std::int64_t> time; ///< In ns.
    std::optional<std::uint64_t> period;
    std::string_view event;
    std::string_view rest; ///< A tracepoint's fields and other data, followed by the frame if there is no call chain.
};

/// Parses a head line. Returns false if the line has neither a time, nor an event, nor a thread, nor a command before a frame. A command's
/// name may contain blanks, brackets and digits; it ends before the first time or, if there is none, before the first event.
bool parseHead(std::string_view line, ParsedSampleHead& head);

} // namespace helio::stacktext
