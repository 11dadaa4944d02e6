#pragma once

#include "core/base/result.h"
#include "core/fleet/trace_summary.h"

#include <cstddef>
#include <string>
#include <string_view>

/// Lines of JSON with summaries of traces (resources/guide/fleet.md).
namespace helio::fleet {

constexpr std::int64_t LineVersion = 1; ///< Version of the line's format; lines of other versions are not read.
constexpr std::size_t MostLineBytes = 16u << 20; ///< Longest line that is read.

/// Returns a summary as one line of JSON, with the line's end.
std::string writeLine(const TraceSummary& summary);

/// Reads a line without its end. Members with unknown names are skipped.
/// Errors: Corrupt, with the name of the wrong member; Unsupported if the line has another version.
Result<TraceSummary> readLine(std::string_view line);

} // namespace helio::fleet
