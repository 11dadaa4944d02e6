#pragma once

#include <string>
#include <vector>

namespace helio::bench {

/// What running a program once took.
struct ChildCost {
    bool isDone = false; ///< It could be started and ended with status 0.
    double seconds = 0; ///< On the wall.
    double cpuSeconds = 0; ///< User and system.
    // Looked at every few ms; 0 where nobody asked.
    double peakMiB = 0; ///< Resident, pages of mapped files included.
    double peakAnonymousMiB = 0; ///< Resident and not of a file.
    double lastAnonymousMiB = 0;
    double lastMiB = 0; ///< Resident.
    std::string output; ///< What it wrote to standard output, where it was asked for.
    std::string errors; ///< The end of what it wrote to standard error.
};

struct ChildWatch {
    bool samplesMemory = false;
    double endAfter = 0; ///< Seconds; 0: it ends by itself.
    bool keepsOutput = false;
};

/// Runs a program (found in PATH), its output thrown away unless asked for, and waits for it.
ChildCost runChild(const std::vector<std::string>& command, ChildWatch watch = {});

/// False where the program is missing or fails.
bool canRun(const std::vector<std::string>& command);

} // namespace helio::bench
