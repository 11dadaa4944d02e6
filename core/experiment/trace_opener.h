#pragma once

#include "core/base/diagnostic.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// The traces found at the paths a person named, and what could not be opened.
struct BegunTraces {
    std::vector<std::unique_ptr<TraceOpening>> traces;
    std::vector<Diagnostic> problems; ///< One a path or trace that could not be read.
};

/// Begins with every trace at or below the paths, in the order named; the same trace named twice is opened once. Archives are unpacked
/// below `unpackDirectory` first. Reads metadata. Once `stop` is requested, the rest of the paths is left out.
BegunTraces beginTraces(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& unpackDirectory,
                        std::stop_token stop = {});

} // namespace helio
