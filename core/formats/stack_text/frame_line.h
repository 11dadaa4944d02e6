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
    std::optional<std::uint64_t> offset; ///< Offset in bytes from the begin of the function.
    std::string_view module; ///< Path of the module; empty for "[unknown]" and "(inlined)", or if not printed.
    bool isInlined = false;
};

/// Parses a frame. Returns false if the line is not a frame.
/// Cost: linear in the length of the line.
bool parseFrame(std::string_view line, ParsedFrame& frame);

/// Returns the frame at the end of a sample's head line, for samples without a call chain: the last address, padded to 16 digits, with
/// function and module. Data addresses, sources and weights precede the frame; registers, branches and the target of a branch, "=> ...",
/// follow it. Empty if the line has no frame. `isPadded` means that the address must be padded and have a module, because the text may be
/// the fields of a tracepoint.
std::string_view frameInHead(std::string_view rest, bool isPadded);

} // namespace helio::stacktext
