#pragma once

#include "core/base/diagnostic.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// What could be opened of the paths a person named, and what could not.
struct OpenedTraces {
    std::vector<std::shared_ptr<const Trace>> traces;
    std::vector<Diagnostic> problems; ///< One a path or trace that could not be read.
};

/// Opens every trace at or below the paths, in the order named; the same trace named twice is opened once. Archives are unpacked below
/// `unpackDirectory` first. Reads metadata and packet headers; slow on cold disks. Once `stop`
/// is requested, the rest of the paths is left out.
OpenedTraces openTraces(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& unpackDirectory,
                        std::stop_token stop = {});

} // namespace helio
