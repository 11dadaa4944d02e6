#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Result of a process that ran this program.
struct ChildRun {
    int status = 0; ///< Exit status; 128 + N if signal N ended the process.
    std::string errors; ///< First 4 KiB of its standard error output.
    std::filesystem::path output; ///< File with its standard output, which is removed after the call of `take`.
    std::string problem; ///< Reason why the process could not be started; empty if it was.
};

struct ChildRunRequest {
    std::size_t count = 0; ///< Number of processes.
    unsigned jobs = 0; ///< Number of processes at a time; 0 for one per core.
    std::function<std::vector<std::string>(std::size_t index)> argumentsOf; ///< Returns the arguments of a process, the command first.
    std::filesystem::path folder; ///< Folder for the output of the processes.
    std::stop_token stop{};
};

/// Runs this program `count` times, and passes the results to `take` in the order of their indices, on the calling thread. Ends early if
/// `take` returns false or a stop is requested; processes that run then get SIGTERM, and are waited for.
void runChildren(const ChildRunRequest& request, const std::function<bool(std::size_t index, const ChildRun&)>& take);

} // namespace helio
