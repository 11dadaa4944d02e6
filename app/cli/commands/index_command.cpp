#include "app/cli/command.h"
#include "app/cli/fleet/recordings.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/base/json.h"
#include "core/fleet/summary_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <sys/resource.h>

namespace helio {
namespace {

struct IndexOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    FormatOptions format{"index", {"text", "json"}};
    std::filesystem::path summaryFile; ///< File to which summaries are appended; empty for none.
    std::vector<fleet::SummaryTag> tags; ///< Tags of the summaries.
    std::optional<std::int64_t> niceness; ///< nullopt to keep that of the caller.

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        reading.addTo(options);
        options.flag("--force", reading.experiment.rebuild, "Rebuild stores that exist");
        options.value("--summary", summaryFile, "FILE", "Append facts, findings and latencies of each trace as a line of JSON");
        options.repeated("--tag", m_tags, "NAME=VALUE", "Tag of the traces in --summary");
        options.group("Processing").value("--nice", niceness, "N", "Run with this niceness, 0 to 19 (default: that of the caller)");
        format.addTo(options);
    }
    std::string missing() const { return missingTrace(traces); }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); }, [&] { return format.read(); },
                          [&] { return readOwn(); });
    }

private:
    Status readOwn()
    {
        if (niceness && (*niceness < 0 || *niceness > 19))
            return makeUsageError("--nice", std::to_string(*niceness) + " is not from 0 to 19");
        if (summaryFile.empty() && !m_tags.empty())
            return makeUsageError("--tag", "only valid with --summary");
        auto read = readTags(m_tags);
        if (!read)
            return read.error();
        tags = std::move(*read);
        return Done{};
    }

    std::vector<std::string> m_tags;
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

/// Prints the stores of the traces, and in text output the rate.
void writeStores(const OpenedExperiment& opened, const IndexOptions& options, Output& output)
{
    const Progress progress = opened.experiment->progress();
    const auto paths = opened.experiment->storePaths();
    const double seconds = double(progress.elapsed.count()) / 1e9;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const TimelineTrace& t = opened.timeline->traces[i];
        const StoresLine line{t.trace->info().path.string(), paths[i], t.facts->summary().events};
        options.format.output == OutputFormat::Json ? writeJson(line, output) : writeText(line, output);
    }
    if (options.format.output == OutputFormat::Text)
        fmt::format_to(std::back_inserter(output.buffer()), "{} {} events in {:.3f} s, {:.0f} events/s\n",
                       progress.wasReopened ? "reopened" : "indexed", progress.events, seconds,
                       seconds > 0 ? double(progress.events) / seconds : 0);
    output.flush();
}

/// Indexes all traces as one experiment.
int indexTogether(const IndexOptions& options)
{
    const auto opened = openExperiment(options.traces, options.reading);
    if (!opened)
        return failWith(opened.error());
    Output output;
    writeStores(*opened, options, output);
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

/// Indexes each recording by itself, and appends its summary to the file.
int indexAndSummarize(const IndexOptions& options)
{
    Output output;
    const auto recordings = findRecordings(options.traces, options.reading);
    std::size_t failed = 0;
    for (const FoundRecording& recording : recordings) {
        auto summarized = summarizeRecording(recording, options.reading);
        if (!summarized)
            return failWith(summarized.error());
        summarized->summary.tags = options.tags;
        if (const Status appended = fleet::appendSummary(options.summaryFile, summarized->summary); !appended)
            return failWith(appended.error());
        failed += summarized->hasProblems();
        if (summarized->opened)
            writeStores(*summarized->opened, options, output);
        if (output.hasFailed())
            return failWith({Error::Kind::Unreadable, output.problem()});
    }
    if (failed > 0 && recordings.size() > 1)
        warn(fmt::format("{} of {} recordings could not be read completely; {} has the reasons", failed, recordings.size(),
                         options.summaryFile.string()));
    return failed > 0 || recordings.empty() ? ExitInput : ExitDone;
}

int run(const IndexOptions& options)
{
    // The threads that index are started later and inherit the niceness.
    if (options.niceness && setpriority(PRIO_PROCESS, 0, static_cast<int>(*options.niceness)) != 0)
        warn(std::string("--nice: ") + std::strerror(errno) + "; the niceness stays as it is");
    return options.summaryFile.empty() ? indexTogether(options) : indexAndSummarize(options);
}

} // namespace

extern const Command indexCommand;
const Command indexCommand{20,
                           "index",
                           "Build trace stores in advance, and print their paths and rates",
                           callOf<IndexOptions, run>,
                           R"(heliograph index TRACE --jobs 2
heliograph index TRACE --force --store-dir /var/tmp/stores
heliograph index TRACE... --nice 19 --summary traces.jsonl --tag workload=checkout
)",
                           R"(With --summary, each trace is indexed by itself, and a line of JSON is appended to FILE: with facts,
findings and latencies, or with the reason why the trace could not be read. Several processes may
append to one file at the same time. heliograph fleet add reads the file.
)"};

} // namespace helio
