// heliograph_bench TRACE [--json] [--repeat N]: what opening and showing a trace costs, against babeltrace2 on the same machine in the
// same run. Each figure is the best of N runs: what disturbs a run only ever makes it slower.

#include "app/cli/json_writer.h"
#include "core/experiment/experiment.h"
#include "core/query/rows.h"
#include "core/trace/merged_events.h"
#include "tests/bench/child_process.h"
#include "widgets/views/render.h"

#include <QGuiApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

using namespace helio;
using namespace helio::bench;
namespace fs = std::filesystem;

namespace {

struct Figure {
    std::string id;
    std::string what;
    double value;
    const char* unit;
};

class Figures {
public:
    void add(std::string id, std::string what, double value, const char* unit)
    {
        m_all.push_back({std::move(id), std::move(what), value, unit});
    }

    void print(bool asJson) const
    {
        if (!asJson) {
            for (const Figure& figure : m_all)
                fmt::print("{:<58} {:>14.3f} {}\n", figure.what, figure.value, figure.unit);
            return;
        }
        std::string out;
        JsonWriter json(out);
        json.beginObject();
        for (const Figure& figure : m_all)
            json.member(figure.id, figure.value);
        json.endObject();
        fmt::print("{}\n", out);
    }

private:
    std::vector<Figure> m_all;
};

double secondsOf(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double best(int repeat, const auto& measure)
{
    double least = measure();
    for (int i = 1; i < repeat; ++i)
        least = std::min(least, measure());
    return least;
}

[[noreturn]] void stop(const std::string& what)
{
    fmt::print(stderr, "heliograph_bench: {}\n", what);
    std::exit(1);
}

/// A folder for stores that goes with the program.
class StoreFolder {
public:
    StoreFolder()
    {
        std::string name = (fs::temp_directory_path() / "heliograph-bench-XXXXXX").string();
        if (!mkdtemp(name.data()))
            stop("no temporary folder can be made");
        m_path = name;
    }
    ~StoreFolder()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::unique_ptr<Experiment> openExperiment(const fs::path& trace, const fs::path& stores, bool rebuild)
{
    ExperimentOptions options;
    options.storeDirectory = stores;
    options.rebuild = rebuild;
    auto experiment = Experiment::open({trace}, options);
    if (!experiment)
        stop(experiment.error().what);
    (*experiment)->start();
    if (const auto done = (*experiment)->wait(); !done)
        stop(done.error().what);
    return std::move(*experiment);
}

struct Options {
    fs::path trace;
    bool asJson = false;
    int repeat = 3;
};

void measureDecoding(const Options& options, const Timeline& timeline, Figures& figures)
{
    std::uint64_t events = 0;
    const double streams = best(options.repeat, [&] {
        return secondsOf([&] {
            events = 0;
            EventBatch batch;
            for (const TimelineTrace& t : timeline.traces)
                for (std::uint32_t s = 0; s < t.trace->streams().size(); ++s)
                    for (const auto stream = t.trace->openStream(s); stream->next(batch);)
                        events += batch.records.size();
        });
    });
    const double merged = best(options.repeat, [&] {
        return secondsOf([&] {
            for (const TimelineTrace& t : timeline.traces)
                for (MergedEvents all(*t.trace); all.next();)
                    ;
        });
    });
    figures.add("decode_ns_per_event", "decode, one thread", streams * 1e9 / double(events), "ns/event");
    figures.add("merge_ns_per_event", "decode and merge, one thread", merged * 1e9 / double(events), "ns/event");
}

/// Whole programs, so that start-up, threads and memory count as a person meets them.
void measurePrograms(const Options& options, std::uint64_t events, Figures& figures)
{
    const StoreFolder stores;
    double peak = 0;
    double cpu = 0;
    const double own = best(options.repeat, [&] {
        const ChildCost cost =
            runChild({HELIOGRAPH_PROGRAM, "index", options.trace.string(), "--force", "--quiet", "--store-dir", stores.path().string()});
        if (!cost.isDone)
            stop("heliograph index failed");
        peak = std::max(peak, cost.peakMiB);
        cpu = cpu > 0 ? std::min(cpu, cost.cpuSeconds) : cost.cpuSeconds;
        return cost.seconds;
    });
    figures.add("index_events_per_s", "index: a ready store on disk", double(events) / own, "events/s");
    figures.add("index_cpu_s", "index: processor time", cpu, "s");
    figures.add("index_peak_mib", "index: peak memory", peak, "MiB");
    bool isThere = true;
    double theirCpu = 0;
    const double theirs = best(options.repeat, [&] {
        const ChildCost cost = runChild({"babeltrace2", "-o", "dummy", options.trace.string()});
        isThere = isThere && cost.isDone;
        theirCpu = theirCpu > 0 ? std::min(theirCpu, cost.cpuSeconds) : cost.cpuSeconds;
        return cost.seconds;
    });
    if (!isThere) {
        fmt::print(stderr, "heliograph_bench: babeltrace2 could not be run on this trace; no comparison\n");
        return;
    }
    figures.add("babeltrace2_events_per_s", "babeltrace2 -o dummy", double(events) / theirs, "events/s");
    figures.add("babeltrace2_cpu_s", "babeltrace2 -o dummy: processor time", theirCpu, "s");
    figures.add("index_to_babeltrace2", "index is faster than babeltrace2 -o dummy by", theirs / own, "times");
}

/// What a repaint of a full-HD Control flow view asks: every visible row at one pixel's resolution, at random places and zooms.
void measureQueries(const Timeline& timeline, Figures& figures)
{
    constexpr int Width = 1'920;
    constexpr std::size_t Rows = 1'080 / 22;
    constexpr int Frames = 200;
    const auto all = rows(timeline, "control-flow");
    if (all.empty())
        return;
    std::mt19937_64 random(1); // The same places in every run.
    std::vector<double> times;
    Spans answer;
    for (int frame = 0; frame < Frames; ++frame) {
        const auto whole = timeline.range.duration().count();
        const auto length = std::max<std::int64_t>(Width, whole >> (random() % 20));
        const auto begin = timeline.range.begin
            + Duration(static_cast<std::int64_t>(random() % std::uint64_t(std::max<std::int64_t>(1, whole - length + 1))));
        const TimeRange window{begin, begin + Duration(length)};
        const std::size_t first = all.size() > Rows ? random() % (all.size() - Rows) : 0;
        times.push_back(secondsOf([&] {
            for (std::size_t i = first; i < std::min(first + Rows, all.size()); ++i)
                spans(timeline, all[i].ref, window, std::max(Duration(1), window.duration() / Width), answer);
        }));
    }
    std::sort(times.begin(), times.end());
    figures.add("frame_query_median_ms", "Control flow frame, 1920 x 1080: query, median", times[times.size() / 2] * 1e3, "ms");
    figures.add("frame_query_p99_ms", "Control flow frame, 1920 x 1080: query, 99 %", times[times.size() * 99 / 100] * 1e3, "ms");
}

/// The same as a whole picture: rows, arrows and losses asked for, laid out and painted. A window keeps its rows, so it does less.
void measurePictures(const std::shared_ptr<const Timeline>& timeline, Figures& figures)
{
    int count = 1;
    char name[] = "heliograph_bench";
    char* arguments[] = {name, nullptr};
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    const QGuiApplication app(count, arguments);
    const Theme theme = Theme::make(Theme::Kind::Dark);
    RenderRequest request;
    request.timeline = timeline;
    request.size = QSize(1'920, 1'080);
    std::mt19937_64 random(1);
    std::vector<double> times;
    for (int frame = 0; frame < 60; ++frame) {
        const auto whole = timeline->range.duration().count();
        const auto length = std::max<std::int64_t>(1'920, whole >> (random() % 20));
        const auto begin =
            timeline->range.begin + Duration(std::int64_t(random() % std::uint64_t(std::max<std::int64_t>(1, whole - length + 1))));
        request.window = {begin, begin + Duration(length)};
        times.push_back(secondsOf([&] { renderView(request, theme); }));
    }
    std::sort(times.begin(), times.end());
    figures.add("picture_median_ms", "Control flow picture, 1920 x 1080: all of it, median", times[times.size() / 2] * 1e3, "ms");
    figures.add("picture_max_ms", "Control flow picture, 1920 x 1080: all of it, slowest", times.back() * 1e3, "ms");
}

void measure(const Options& options, Figures& figures)
{
    const StoreFolder stores;
    auto experiment = openExperiment(options.trace, stores.path(), true);
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    for (const auto& t : experiment->timeline()->traces)
        events += t.store->summary().events;
    for (const fs::path& path : experiment->storePaths()) {
        std::error_code error;
        const auto size = fs::file_size(path, error);
        bytes += error ? 0 : size;
    }
    if (events == 0)
        stop("the trace has no events");
    figures.add("events", "events", double(events), "");
    measurePrograms(options, events, figures);
    measureDecoding(options, *experiment->timeline(), figures);
    figures.add("store_bytes_per_event", "store", double(bytes) / double(events), "bytes/event");
    const double reopened = best(5, [&] {
        experiment.reset();
        return secondsOf([&] { experiment = openExperiment(options.trace, stores.path(), false); });
    });
    figures.add("reopen_ms", "reopen: trace and store", reopened * 1e3, "ms");
    measureQueries(*experiment->timeline(), figures);
    measurePictures(experiment->timeline(), figures);
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--json"))
            options.asJson = true;
        else if (!std::strcmp(argv[i], "--repeat") && i + 1 < argc)
            options.repeat = std::max(1, std::atoi(argv[++i]));
        else
            options.trace = argv[i];
    }
    if (options.trace.empty())
        stop("usage: heliograph_bench TRACE [--json] [--repeat N]");
    Figures figures;
    measure(options, figures);
    figures.print(options.asJson);
    return 0;
}
