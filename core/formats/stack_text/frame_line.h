#pragma once

#include "core/trace/stored/text_stacks.h"

#include <string_view>

namespace helio::stacktext {

/// Parses a frame as perf script prints it: "\t 7f12 main+0x8f (/usr/bin/a.out)". Returns false if the line is not a frame.
/// Cost: linear in the length of the line.
bool parseFrame(std::string_view line, ParsedFrame& frame);

/// Returns the frame in the head line of a sample without a call chain; empty if the line has no frame. The frame is the last address in
/// the line, padded to 16 digits, followed by a function and a module. Data addresses, sources and weights may precede the frame.
/// Registers, branches and the target of a branch ("=> ...") may follow it. `isPadded` requires the padding and the module. It is set for
/// tracepoints, whose fields may contain numbers that look like addresses.
std::string_view frameInHead(std::string_view rest, bool isPadded);

} // namespace helio::stacktext
