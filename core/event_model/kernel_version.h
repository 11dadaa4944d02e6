#pragma once

#include "core/trace/trace.h"

#include <string>
#include <string_view>

namespace helio {

/// 6001 of "6.1.0-50-amd64", as uname -r has it; 0 where the text is none.
int versionOf(std::string_view release);

/// The traced kernel's, as uname -r has it: what LTTng and perf.data call kernel_release; in perf's conversion to CTF it is "release".
/// Empty: not recorded.
std::string kernelRelease(const TraceInfo& info);

} // namespace helio
