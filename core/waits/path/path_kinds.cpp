#include "core/waits/path/path.h"

namespace helio {

std::string_view wordOf(PathKind kind)
{
    constexpr std::string_view Words[PathKinds] = {"running", "interrupted", "page-fault", "wait-cpu", "preempted", "stolen",
                                                   "disk",    "network",     "timer",      "lock",     "pipe",      "process",
                                                   "ipi",     "input",       "blocked",    "unknown"};
    return Words[static_cast<std::size_t>(kind)];
}

} // namespace helio
