#pragma once

#include <string>
#include <vector>

namespace helio::bench {

/// What running a program once took.
struct ChildCost {
    bool isDone = false; ///< It could be started and ended with status 0.
    double seconds = 0; ///< On the wall.
    double cpuSeconds = 0; ///< User and system.
    double peakMiB = 0; ///< Resident.
};

/// Runs a program (found in PATH), its output thrown away, and waits for it.
ChildCost runChild(const std::vector<std::string>& command);

} // namespace helio::bench
