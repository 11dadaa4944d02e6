#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

namespace helio {

/// A trace whose index is packed.
struct PackedTrace {
    const Trace* trace = nullptr;
    std::vector<std::filesystem::path> stores; ///< Paths of its stores.
};

struct PackRequest {
    std::vector<PackedTrace> traces;
    std::filesystem::path output; ///< File to write; an existing file is replaced.
    std::stop_token stop{};
    std::function<void(double share)> progress{}; ///< Called now and then with the finished share, from 0 to 1; may be empty.
};

struct PackSummary {
    std::uint64_t storeBytes = 0; ///< Size of all stores in bytes.
    std::uint64_t bytes = 0; ///< Size of the file in bytes.
};

/// Writes the indexes of traces to one file: a tar archive, compressed with zstd, of a folder for each trace, with its description
/// (core/trace/packed/index_description.h) and its stores. The recordings are not in it. The file is written completely or not at all.
///
/// Threads: any.
/// Memory: a few MiB, and the descriptions.
/// Errors: Unreadable if a store is missing, because it could not be saved, or cannot be read; those of TemporaryFile; Cancelled.
Result<PackSummary> writeIndexPack(const PackRequest& request);

} // namespace helio
