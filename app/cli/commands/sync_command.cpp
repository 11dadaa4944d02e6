#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/timesync/sync_file.h"
#include "core/base/utf8.h"
#include "core/timesync/host_clocks.h"

namespace helio {
namespace {

struct SyncOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    FormatOptions format{"sync", {"text", "json"}};

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        reading.addTo(options);
        format.addTo(options);
    }
    std::string missing() const { return missingTrace(traces); }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); }, [&] { return format.read(); });
    }
};

int run(const SyncOptions& options)
{
    const auto opened = openExperiment(options.traces, options.reading, {}, {});
    if (!opened)
        return failWith(opened.error());
    const Timeline& timeline = *opened->timeline;
    Output output;
    if (options.format.output == OutputFormat::Json)
        output.write(syncDocument(timeline));
    else
        for (const HostClockFacts& clock : hostClocks(timeline)) {
            appendPrintable(output.buffer(), sentenceOf(timeline, clock));
            output.buffer() += '\n';
        }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command syncCommand;
const Command syncCommand{75, "sync", "Print how clocks were aligned, and how accurately", callOf<SyncOptions, run>,
                          R"(heliograph sync WEB DB
heliograph sync WEB DB --json > clocks.json
)"};

} // namespace helio
