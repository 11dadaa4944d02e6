#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/trace_options.h"

#include <filesystem>
#include <vector>

namespace helio {

/// Writes what is wrong with a file of analyses, a line a fault, or what is in it; and, where there are traces, how each of its rules fared
/// on them. Answers the exit status: ExitInput where the file is of no use, or a trace cannot be read.
int checkAnalysisFile(const std::filesystem::path& path, const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                      OutputFormat format);

} // namespace helio
