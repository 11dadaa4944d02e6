#pragma once

#include "core/trace/trace.h"

#include <string>
#include <string_view>

namespace helio {

/// Returns major * 1000 + minor of a release as uname -r prints it, e.g. 6001 for "6.1.0-50-amd64"; 0 if the text is no release.
int parseKernelVersion(std::string_view release);

/// Returns the release of the traced kernel as uname -r prints it; empty if not recorded. LTTng and perf.data call it kernel_release;
/// perf's conversion to CTF calls it "release".
std::string kernelRelease(const TraceInfo& info);

} // namespace helio
