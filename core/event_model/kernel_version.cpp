#include "core/event_model/kernel_version.h"

#include <charconv>

namespace helio {

int parseKernelVersion(std::string_view release)
{
    int major = 0;
    int minor = 0;
    const char* end = release.data() + release.size();
    const auto first = std::from_chars(release.data(), end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.')
        return 0;
    const auto second = std::from_chars(first.ptr + 1, end, minor);
    if (second.ec != std::errc() || major < 0 || major > 1000 || minor < 0 || minor > 999)
        return 0;
    return major * 1000 + minor;
}

std::string kernelRelease(const TraceInfo& info)
{
    const std::string release = info.text("kernel_release");
    return release.empty() ? info.text("release") : release;
}

} // namespace helio
