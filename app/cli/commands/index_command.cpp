#include "app/cli/command.h"
#include "app/cli/output/json_writer.h"
#include "app/cli/selection/open_experiment.h"

#include <fmt/format.h>
#include <iterator>

namespace helio {
namespace {

int run(const CommandOptions& options)
{
    const auto opened = openExperiment(options);
    if (!opened)
        return failWith(opened.error());
    const Progress progress = opened->experiment->progress();
    const auto paths = opened->experiment->storePaths();
    const double seconds = double(progress.elapsed.count()) / 1e9;
    Output output;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const TimelineTrace& t = opened->timeline->traces[i];
        std::error_code error;
        const auto size = std::filesystem::file_size(paths[i], error);
        const std::uint64_t events = t.store->summary().events;
        const std::uint64_t bytes = error ? 0 : size;
        const double perEvent = events ? double(bytes) / double(events) : 0;
        if (options.format == OutputFormat::Json) {
            JsonWriter json(output.buffer());
            json.beginObject();
            json.member("trace", t.trace->info().path.string());
            json.member("store", paths[i].string());
            json.member("events", events);
            json.member("store_bytes", bytes);
            json.member("bytes_per_event", perEvent);
            json.endObject();
            output.buffer() += '\n';
        } else {
            fmt::format_to(std::back_inserter(output.buffer()), "{}\n  store {}\n  {} events, {} bytes, {:.2f} bytes/event\n",
                           t.trace->info().path.string(), paths[i].string(), events, bytes, perEvent);
        }
    }
    if (options.format == OutputFormat::Text)
        fmt::format_to(std::back_inserter(output.buffer()), "{} {} events in {:.3f} s, {:.0f} events/s\n",
                       progress.wasReopened ? "reopened" : "indexed", progress.events, seconds,
                       seconds > 0 ? double(progress.events) / seconds : 0);
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

std::vector<std::string_view> formats(const OptionTexts&) { return {"text", "json"}; }

void addOptions(OptionList& options, OptionTexts& texts)
{
    addTraces(options, texts);
    addReading(options, texts);
    options.flag("--force", texts.force, "Build them again");
}

} // namespace

extern const Command indexCommand;
const Command indexCommand{20, "index", "Build the stores and exit; prints store paths and rates", addOptions, formats, missingTrace, run};

} // namespace helio
