#pragma once

#include <string>
#include <vector>

namespace helio::bench {

/// Cost of one run of a program.
struct ChildCost {
    bool isDone = false; ///< True if it could be started and ended with status 0.
    double seconds = 0; ///< Elapsed time.
    double cpuSeconds = 0; ///< User and system time.
    // Memory, sampled every few ms; 0 if it was not requested.
    double peakMiB = 0; ///< Resident, including pages of mapped files.
    double peakAnonymousMiB = 0; ///< Resident pages that belong to no file.
    double lastAnonymousMiB = 0;
    double lastMiB = 0; ///< Resident.
    std::string output; ///< Standard output, if it was requested.
    std::string errors; ///< The end of standard error.
};

struct ChildWatch {
    bool samplesMemory = false;
    double endAfter = 0; ///< In seconds; 0 to wait until it ends by itself.
    bool capturesOutput = false;
};

/// Runs a program (found in PATH) and waits for it. Its output is discarded unless requested.
ChildCost runChild(const std::vector<std::string>& command, ChildWatch watch = {});

/// Returns false if the program is missing or fails.
bool isRunnable(const std::vector<std::string>& command);

} // namespace helio::bench
