#pragma once

#include "core/base/diagnostic.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Traces found at the paths that the user named, and the problems of opening them.
struct BegunOpenings {
    std::vector<std::unique_ptr<TraceOpening>> traces;
    std::vector<Diagnostic> problems; ///< One diagnostic for each path or trace that could not be read.
};

/// Begins to open every trace at or below the paths, in the order of the paths. A trace that is named twice is opened once. Archives are
/// first unpacked below `unpackDirectory`; a path may also name a folder or file in an archive, as in "traces.tar.gz/kernel". Reads
/// metadata only. After a stop request, the remaining paths are skipped. If `format` is set, every file is read in this format, even if its
/// content is not recognized, and no other format is tried.
BegunOpenings beginTraces(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& unpackDirectory,
                          const std::stop_token& stop = {}, const TraceFormat* format = nullptr);

/// Returns the name of a format as a word of the command line, in lower case and without blanks: "ftrace-text".
std::string wordOf(const TraceFormat& format);

} // namespace helio
