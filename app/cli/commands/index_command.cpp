#include "app/cli/command.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/base/json.h"

#include <fmt/format.h>
#include <iterator>

namespace helio {
namespace {

struct IndexOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    FormatOptions format{"index", {"text", "json"}};

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        reading.addTo(options);
        options.flag("--force", reading.experiment.rebuild, "Rebuild stores that exist");
        format.addTo(options);
    }
    std::string missing() const { return missingTrace(traces); }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); }, [&] { return format.read(); });
    }
};

/// One line of the output: the stores that were made for one trace.
struct StoresLine {
    std::string trace;
    std::vector<std::filesystem::path> files;
    std::uint64_t events = 0;

    std::uint64_t bytes() const
    {
        std::uint64_t sum = 0;
        for (const std::filesystem::path& file : files) {
            std::error_code error;
            const auto size = std::filesystem::file_size(file, error);
            sum += error ? 0 : size;
        }
        return sum;
    }
    double bytesPerEvent() const { return events ? double(bytes()) / double(events) : 0; }
};

void writeJson(const StoresLine& line, Output& output)
{
    JsonWriter json(output.buffer());
    json.beginObject();
    json.member("trace", line.trace);
    // Print the first store also as the member "store": it contains the trace's facts (event counts, losses) in addition to an analysis's
    // results.
    json.member("store", line.files.front().string());
    json.key("stores");
    json.beginArray();
    for (const std::filesystem::path& file : line.files)
        json.value(file.string());
    json.endArray();
    json.member("events", line.events);
    json.member("store_bytes", line.bytes());
    json.member("bytes_per_event", line.bytesPerEvent());
    json.endObject();
    output.buffer() += '\n';
}

void writeText(const StoresLine& line, Output& output)
{
    const auto out = std::back_inserter(output.buffer());
    fmt::format_to(out, "{}\n", line.trace);
    for (const std::filesystem::path& file : line.files)
        fmt::format_to(out, "  store {}\n", file.string());
    fmt::format_to(out, "  {} events, {} bytes, {:.2f} bytes/event\n", line.events, line.bytes(), line.bytesPerEvent());
}

int run(const IndexOptions& options)
{
    const auto opened = openExperiment(options.traces, options.reading);
    if (!opened)
        return failWith(opened.error());
    const Progress progress = opened->experiment->progress();
    const auto paths = opened->experiment->storePaths();
    const double seconds = double(progress.elapsed.count()) / 1e9;
    Output output;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const TimelineTrace& t = opened->timeline->traces[i];
        const StoresLine line{t.trace->info().path.string(), paths[i], t.facts->summary().events};
        options.format.output == OutputFormat::Json ? writeJson(line, output) : writeText(line, output);
    }
    if (options.format.output == OutputFormat::Text)
        fmt::format_to(std::back_inserter(output.buffer()), "{} {} events in {:.3f} s, {:.0f} events/s\n",
                       progress.wasReopened ? "reopened" : "indexed", progress.events, seconds,
                       seconds > 0 ? double(progress.events) / seconds : 0);
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command indexCommand;
const Command indexCommand{20, "index", "Build trace stores in advance, and print their paths and rates", callOf<IndexOptions, run>,
                           R"(heliograph index TRACE --jobs 2
heliograph index TRACE --force --store-dir /var/tmp/stores
)"};

} // namespace helio
