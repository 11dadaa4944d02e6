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

/// The frame in the rest of a head's line that no call chain follows: its last address, padded to 16 digits, with function and module. Data
/// addresses, sources and weights stand before it, registers and branches after it; the target of a branch, "=> ...", too. Empty: there is
/// none. `isPadded`: only an address that is padded and has a module counts, as in the fields of a tracepoint.
std::string_view frameInHead(std::string_view rest, bool isPadded);

} // namespace helio::stacktext
