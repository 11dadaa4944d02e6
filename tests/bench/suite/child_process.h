#pragma once

#include <functional>
#include <string>
#include <vector>

namespace helio::bench {

/// Cost of one run of a program.
struct ChildCost {
    bool isDone = false; ///< True if the program was started and exited with status 0, or was terminated by ChildWatch::terminateWhen.
    double seconds = 0; ///< Elapsed time in seconds.
    double cpuSeconds = 0; ///< User and system CPU time in seconds.
    // Memory in MiB, sampled every few ms; 0 if sampling was not requested.
    double peakMiB = 0; ///< Peak resident memory, including pages of mapped files.
    double peakAnonymousMiB = 0; ///< Peak resident memory without pages of files.
    double lastAnonymousMiB = 0;
    double lastMiB = 0; ///< Resident memory at the last sample.
    std::string output; ///< Standard output; empty if it was not requested.
    std::string errors; ///< Last part of standard error.
};

struct ChildWatch {
    bool samplesMemory = false;
    double terminateAfterSeconds = 0; ///< Time in seconds after which the child gets SIGTERM; 0 to wait until the child exits by itself.
    bool capturesOutput = false;
    std::function<bool()> terminateWhen = {}; ///< The child gets SIGTERM as soon as this returns true; it then counts as done.
};

/// Runs a program (found in PATH) and waits for it. Its output is discarded unless requested.
ChildCost runChild(const std::vector<std::string>& command, const ChildWatch& watch = {});

/// True if the program exists and exits with status 0.
bool isRunnable(const std::vector<std::string>& command);

} // namespace helio::bench
