#pragma once

#include "core/base/result.h"
#include "core/fleet/trace_summary.h"

#include <filesystem>
#include <functional>

namespace helio::fleet {

/// Appends a line to a file of summaries, which is created if it does not exist. Lines of several processes never mix: a lock (flock) is
/// held during the write. A begun line that a killed process left is ended first. The line is on the disk when the function returns.
/// Errors: Full if the disk is full, and Unreadable if the file cannot be written; the file then has no part of the line.
Status appendSummary(const std::filesystem::path& file, const TraceSummary& summary);

/// Reads all lines of a file of summaries, and calls `take` with each summary. Wrong lines are passed to `reject`, with an error that names
/// the file and the number of the line; empty lines are skipped. Ends early if `take` returns false.
/// Memory: the longest line, at most MostLineBytes.
/// Errors: NotFound or Unreadable if the file cannot be read.
Status readSummaries(const std::filesystem::path& file, const std::function<bool(TraceSummary&&)>& take,
                     const std::function<void(const Error&)>& reject);

} // namespace helio::fleet
