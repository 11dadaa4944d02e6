#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/fleet/trace_summary.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// A recording that is opened by itself.
struct FoundRecording {
    std::filesystem::path path; ///< Absolute path.
    std::string problem; ///< Reason why there is no recording at the path; empty if one may be there.
};

/// Finds the recordings at or below the paths, in the order of the paths. A file is one recording, even if it contains several traces; each
/// trace in a folder or an archive is a recording.
/// Cost: reads descriptions of traces only.
std::vector<FoundRecording> findRecordings(const std::vector<std::filesystem::path>& paths, const ReadingOptions& reading);

struct SummarizedRecording {
    fleet::TraceSummary summary;
    std::optional<OpenedExperiment> opened; ///< nullopt if the recording could not be opened.

    bool hasProblems() const { return !summary.error.empty(); }
};

/// Opens a recording by itself, indexes it, and summarizes it. Prints problems, with which the summary is incomplete, to standard error.
/// Errors: Usage if an option is wrong, and Cancelled. Other errors are in the summary.
Result<SummarizedRecording> summarizeRecording(const FoundRecording& recording, const ReadingOptions& reading);

/// Reads tags that the user gave as NAME=VALUE.
/// Errors: Usage for other texts.
Result<std::vector<fleet::SummaryTag>> readTags(const std::vector<std::string>& given);

} // namespace helio
