#include "app/cli/command.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/serve/server.h"
#include "app/cli/tsp/trace_server.h"

namespace helio {
namespace {

struct ServeOptions {
    bool usesStandardStreams = false; ///< True to read requests from standard input.
    TraceServerOptions network; ///< Options of the server on a TCP port.

    void addTo(OptionList& options)
    {
        options.flag("--stdio", usesStandardStreams, "Read requests from standard input, answer on standard output");
        OptionList listening = options.group("Trace Server Protocol");
        listening.value("--listen", network.address, "HOST:PORT", "Answer HTTP requests on this address, e.g. 127.0.0.1:8080");
        listening.repeated("--root", network.folders, "DIR", "Open only traces below this folder (default: current folder)");
        listening.value("--token", network.tokenFile, "FILE", "Require the secret in this file (needed on a network)");
        listening.repeated("--allow-origin", network.origins, "ORIGIN", "Let web pages of this origin use the server");
        ExperimentOptions& opening = network.reading.experiment;
        OptionList names = options.group("Symbols"), work = options.group("Processing");
        names.repeated("--symbols", opening.symbols.directories, "PATH", "Also search this folder, or read this text of nm");
        work.value("--jobs", opening.jobs, "N", "Number of threads (default: 0, one for each core)");
        work.value("--store-dir", opening.storeDirectory, "DIR", "Folder for trace stores (default: $XDG_CACHE_HOME/heliograph)");
    }
    std::string missing() const { return usesStandardStreams || !network.address.empty() ? "" : "--stdio or --listen is missing"; }
    Status read()
    {
        network.reading.isQuiet = true; // Clients get the problems of traces as properties of the traces.
        if (!usesStandardStreams)
            return network.reading.read();
        const ExperimentOptions& opening = network.reading.experiment;
        const bool areOthersEmpty = network.address.empty() && network.folders.empty() && network.tokenFile.empty()
            && network.origins.empty() && opening.symbols.directories.empty() && opening.jobs == 0 && opening.storeDirectory.empty();
        return areOthersEmpty ? Status(Done{}) : Status(makeUsageError("--stdio", "cannot be combined with other options"));
    }
};

int run(const ServeOptions& options)
{
    if (options.usesStandardStreams)
        return serveStandardStreams();
    const Status done = serveTraces(options.network);
    return done ? ExitDone : failWith(done.error());
}

} // namespace

extern const Command serveCommand;
const Command serveCommand{115,
                           "serve",
                           "Answer requests of a program, with traces that stay open",
                           callOf<ServeOptions, run>,
                           R"(heliograph serve --stdio
heliograph serve --listen 127.0.0.1:8080 --root /var/traces
)",
                           R"(Requests and responses of --stdio are lines of JSON; the page serve.md of the guide describes them.
The Python package heliograph uses it. --listen speaks the Trace Server Protocol, for the trace viewers
of VS Code and Theia; see the page trace-server.md.
)"};

} // namespace helio
