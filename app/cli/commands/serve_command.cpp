#include "app/cli/command.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/serve/server.h"

namespace helio {
namespace {

struct ServeOptions {
    bool usesStandardStreams = false; ///< True to read requests from standard input.

    void addTo(OptionList& options)
    {
        options.flag("--stdio", usesStandardStreams, "Read requests from standard input, answer on standard output");
    }
    std::string missing() const { return usesStandardStreams ? "" : "--stdio is missing"; }
    Status read() { return Done{}; }
};

int run(const ServeOptions&) { return serveStandardStreams(); }

} // namespace

extern const Command serveCommand;
const Command serveCommand{115,
                           "serve",
                           "Answer requests of a program, with traces that stay open",
                           callOf<ServeOptions, run>,
                           R"(heliograph serve --stdio
heliograph serve --stdio < requests.json > responses.json
)",
                           R"(Requests and responses are lines of JSON; the page serve.md of the guide describes them.
The Python package heliograph uses this command.
)"};

} // namespace helio
