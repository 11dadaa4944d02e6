#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Result of a statement over a trace.
struct TraceRun {
    int status = 0; ///< Exit status of `heliograph sql`; 128 + N if signal N ended the process.
    std::string errors; ///< Begin of its standard error output.
    std::filesystem::path responses; ///< File with lines of core/fleet/query_response.h, which is removed after the call of `take`.
    std::string problem; ///< Reason why no process could be started, or why its response could not be kept; else empty.
};

struct TraceRunRequest {
    std::vector<std::string> paths; ///< Paths of the traces.
    unsigned jobs = 0; ///< Number of processes at a time; 0 for one per core.
    std::function<std::string(const std::string& path)> requestFor; ///< Returns the request for a trace: a line of JSON.
    std::filesystem::path folder; ///< Folder for the rows and messages of the processes.
    std::stop_token stop{};
};

/// Asks for each trace in one of a few processes, and passes the results to `take` in the order of the traces, on the calling thread. A
/// process goes from trace to trace; if it dies, the result of its trace says so, and a new one goes on. Ends early if `take` returns false
/// or a stop is requested; processes that run then get SIGTERM, and are waited for.
void runOverTraces(const TraceRunRequest& request, const std::function<bool(std::size_t index, const TraceRun&)>& take);

} // namespace helio
