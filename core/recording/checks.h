#pragma once

#include "core/recording/plan.h"

#include <string>
#include <vector>

namespace helio {

/// Result of one check before a recording.
struct RecordingCheck {
    enum class Outcome : std::uint8_t {
        Passed,
        Warning, ///< The recording is possible, but lacks something.
        Failed, ///< The recording is not possible.
    };
    std::string id; ///< Stable word, e.g. "privileges".
    Outcome outcome = Outcome::Passed;
    std::string title; ///< Subject or result of the check, without a full stop, e.g. "perf is installed".
    std::string detail; ///< Finding of the check, and the requirement.
    std::string remedy{}; ///< Command that mends the problem; empty if there is none.
    bool needsRoot = false; ///< True if root privileges for this recording (Elevation) mend the problem, too.
};

/// Checks whether a recording is possible on a machine, in the order in which the window shows the results.
std::vector<RecordingCheck> checkRecording(const RecordingRequest& request, const MachineFacts& facts, const RecordingPlan& plan);

/// True if no check failed.
bool allowsRecording(const std::vector<RecordingCheck>& checks);

/// Returns the typical size of a recording in bytes per second, as the preset says for one busy CPU, times the number of CPUs; 0 if
/// unknown.
double expectedBytesPerSecond(const RecordingPreset& preset, const MachineFacts& facts);

/// Returns a number of bytes as text with a decimal unit, e.g. "41.2 GB", "8.6 MB" or "512 kB".
std::string bytesText(double bytes);

} // namespace helio
