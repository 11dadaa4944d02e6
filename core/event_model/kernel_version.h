#pragma once

#include "core/trace/trace.h"

#include <string>
#include <string_view>

namespace helio {

/// Returns major * 1000 + minor of a kernel release as uname -r prints it, for example 6001 for "6.1.0-50-amd64"; 0 if the text is not a
/// release.
int parseKernelVersion(std::string_view release);

/// Returns the release of the traced kernel as uname -r prints it; empty if not recorded. Its key is "kernel_release" in LTTng and
/// perf.data, and "release" in perf's conversion to CTF.
std::string kernelRelease(const TraceInfo& info);

} // namespace helio
