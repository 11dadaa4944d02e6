#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/trace_options.h"

#include <filesystem>
#include <vector>

namespace helio {

/// Writes the faults of an XML analysis file, one per line, or its contents if it has none; with traces, also how often each rule matched
/// on them. Returns the exit status: ExitInput if the file cannot be used or a trace cannot be read.
int checkAnalysisFile(const std::filesystem::path& path, const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                      OutputFormat format);

} // namespace helio
