#pragma once

#include "app/cli/selection/trace_options.h"
#include "app/cli/tsp/chart_styles.h"
#include "app/cli/tsp/http/http_message.h"
#include "app/cli/tsp/outputs.h"
#include "app/cli/tsp/served_traces.h"
#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct OutputRequest;
class ModelText;

/// Answers the requests of the Trace Server Protocol, whose paths begin with /tsp/api.
/// Threads: any.
class TraceServer {
public:
    TraceServer(ServedFolders folders, ServedTraces::OpenExperiment open)
        : m_traces(std::move(folders), std::move(open))
    {
    }

    HttpResponse answer(const HttpRequest& request, const std::stop_token& stop);

private:
    using Path = std::span<const std::string>;

    HttpResponse answerTraces(const HttpRequest& request, Path path, const std::stop_token& stop);
    HttpResponse answerExperiments(const HttpRequest& request, Path path, const std::stop_token& stop);
    HttpResponse answerOutputs(const HttpRequest& request, Path path, ServedExperiment& experiment, const std::stop_token& stop);
    HttpResponse answerOutput(const HttpRequest& request, const std::string& kind, const std::string& action, OutputRequest& asked);

    ServedTraces m_traces;
    ChartStyles m_styles;
};

/// Options of the command `serve --listen`.
struct TraceServerOptions {
    std::string address; ///< HOST:PORT.
    std::vector<std::filesystem::path> folders; ///< Folders below which traces are opened; empty for the current folder.
    std::filesystem::path tokenFile; ///< File with the secret that requests must have; empty if none.
    std::vector<std::string> origins; ///< Origins of web pages that may use the server.
    ReadingOptions reading; ///< Options with which traces are opened.
};

/// Answers requests on a TCP port until the program is asked to end. Prints the address to standard output. Requires:
/// options.reading.read() succeeded.
/// Errors: Usage if the options are wrong, e.g. an address of a network without a token; Unreadable if the address cannot be used.
Status serveTraces(const TraceServerOptions& options);

} // namespace helio
