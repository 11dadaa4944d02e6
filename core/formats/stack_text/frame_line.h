#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::stacktext {

/// A frame as perf script prints it: "\t  7f12 main+0x8f (/usr/bin/a.out)". Parts that -F left out are empty. Views of the line.
struct FrameText {
    std::optional<std::uint64_t> address;
    std::string_view function; ///< Empty: "[unknown]", or not printed.
    std::optional<std::uint64_t> offset; ///< From the function's begin.
    std::string_view module; ///< Empty: "[unknown]", "(inlined)", or not printed.
    bool isInlined = false;
};

/// False: the line is no frame. Cost: a look at each byte.
bool parseFrame(std::string_view line, FrameText& frame);

} // namespace helio::stacktext
