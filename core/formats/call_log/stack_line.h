#pragma once

#include "core/trace/stored/text_stacks.h"

#include <string_view>

namespace helio::calllog {

/// True if the line is a stack frame, which strace -k (" > ...") and perf trace --call-graph (indented by at least 20 blanks) print. The
/// frames of a call are on the lines after the call, innermost first.
bool isFrameLine(std::string_view line);

/// Parses the text of a stack frame after the " > ": "/lib/x.so(function+0x1a) [0x1234]", "/lib/x.so() [0x1234]" or "[0x1234]"; or that of
/// perf trace: "function (/lib/x.so)". Returns false for other texts.
/// Cost: linear in the length of the text.
bool parseStackFrame(std::string_view text, ParsedFrame& frame, Module::Kind& kind);

} // namespace helio::calllog
