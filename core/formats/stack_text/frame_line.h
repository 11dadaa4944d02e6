#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::stacktext {

/// A frame as perf script prints it: "\t 7f12 main+0x8f (/usr/bin/a.out)". Parts that perf script -F omitted are empty.
/// Ownership: the strings are views of the line.
struct ParsedFrame {
    std::optional<std::uint64_t> address;
    std::string_view function; ///< Name of the function; empty for "[unknown]", or if not printed.
    std::optional<std::uint64_t> offset; ///< Offset in bytes from the start of the function.
    std::string_view module; ///< Path of the module; empty for "[unknown]" and "(inlined)", or if not printed.
    bool isInlined = false;
};

/// Parses a frame. Returns false if the line is not a frame.
/// Cost: linear in the length of the line.
bool parseFrame(std::string_view line, ParsedFrame& frame);

/// Returns the frame in the head line of a sample without a call chain; empty if the line has no frame. The frame is the last address in
/// the line, padded to 16 digits, followed by a function and a module. Data addresses, sources and weights may precede the frame.
/// Registers, branches and the target of a branch ("=> ...") may follow it. `isPadded` requires the padding and the module. It is set for
/// tracepoints, whose fields may contain numbers that look like addresses.
std::string_view frameInHead(std::string_view rest, bool isPadded);

} // namespace helio::stacktext
