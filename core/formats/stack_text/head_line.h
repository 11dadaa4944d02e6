#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::stacktext {

/// The first line of a sample as perf script prints it:
/// "comm  PID/TID [CPU] MISC DATE TIME SECONDS.FRACTION:  PERIOD EVENT: the rest". Parts that -F left out are empty. Views of the line.
struct HeadText {
    std::string_view comm;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::optional<std::int64_t> time; ///< ns.
    std::optional<std::uint64_t> period;
    std::string_view event;
    std::string_view rest; ///< A tracepoint's fields and other data; then the address and function where there is no call chain.
};

/// False: it is none, as it has neither a time, nor an event, nor a thread, nor a command before a frame. A command's name may hold blanks,
/// brackets and digits: the first time, or else the first event, parts it from the rest.
bool parseHead(std::string_view line, HeadText& head);

} // namespace helio::stacktext
