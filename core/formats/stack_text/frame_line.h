#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::stacktext {

/// A frame that perf script printed: "\t  7f12 main+0x8f (/usr/bin/a.out)". Parts that -F left out are empty.
/// Ownership: the strings are views of the line.
struct ParsedFrame {
    std::optional<std::uint64_t> address;
    std::string_view function; ///< Empty for "[unknown]", or if not printed.
    std::optional<std::uint64_t> offset; ///< Bytes from the function's begin.
    std::string_view module; ///< Empty for "[unknown]" and "(inlined)", or if not printed.
    bool isInlined = false;
};

/// Parses a frame. Returns false if the line is not a frame. Cost: linear in the line.
bool parseFrame(std::string_view line, ParsedFrame& frame);

/// Returns the frame in the rest of a head line without a call chain: its last address, padded to 16 digits, with function and module. Data
/// addresses, sources and weights precede it; registers, branches and the target of a branch, "=> ...", follow it. Empty if there is none.
/// `isPadded`: the address must be padded and have a module, because the rest may be the fields of a tracepoint.
std::string_view frameInHead(std::string_view rest, bool isPadded);

} // namespace helio::stacktext
