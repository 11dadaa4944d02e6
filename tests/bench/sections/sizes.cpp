// Benchmark with traces of different sizes: time per event, memory, size of the store and time of the overview. Goals limit how much the
// time per event and the time of the overview grow with the trace.

#include "tests/bench/sections/overview.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

std::uint64_t sizeOf(const fs::path& folder)
{
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        bytes += entry.is_regular_file() ? entry.file_size() : 0;
    return bytes;
}

std::string lengthText(std::uint64_t events)
{
    return events < 10'000'000 ? fmt::format("{:.1f} M", double(events) / 1e6) : fmt::format("{:.0f} M", double(events) / 1e6);
}

struct Measured {
    double cpuNs = 0; ///< CPU time per event in ns.
    double overviewMs = 0;
};

Measured measureSize(Measuring& m, std::uint64_t events)
{
    const fs::path folder = m.subject.scratch() / "sized";
    const std::string trace = m.subject.trace(events).string();
    const double count = double(m.subject.eventsOf(events));
    Samples cpu, anonymous, resident;
    for (int i = 0; i < std::min(m.repeat, 2); ++i) {
        const auto cost = runChild({HELIOGRAPH_PROGRAM, "index", trace, "--force", "--quiet", "--store-dir", folder.string()}, {true, 0});
        if (!cost.isDone)
            stop("heliograph index failed: " + cost.errors);
        cpu.add(cost.cpuSeconds * 1e9 / count);
        anonymous.add(cost.peakAnonymousMiB);
        resident.add(cost.peakMiB);
    }
    const double store = double(sizeOf(folder));
    const auto experiment = openExperiment(trace, folder);
    const Samples overview = overviewTimes(*experiment->timeline(), 5);
    const std::string id = std::to_string(events / 100'000);
    const std::string length = lengthText(m.subject.eventsOf(events)) + " events: ";
    const bool isLong = events >= 1'000'000;
    m.figures.add({"size_cpu_" + id, length + "processor time of indexing", "ns/event", cpu.best(), cpu.median()});
    m.figures.add({"size_anonymous_" + id, length + "peak anonymous memory while indexing", "MiB", anonymous.worst(), {}, {}, atMost(256)});
    m.figures.add(
        {"size_resident_" + id, length + "peak resident memory while indexing, the files' pages included", "MiB", resident.worst()});
    m.figures.add({"size_store_" + id, length + "store", "bytes/event", store / count, {}, {}, atMost(isLong ? 11 : 18)});
    m.figures.add({"size_share_" + id,
                   length + "store as a share of the trace",
                   "",
                   store / double(m.subject.bytesOf(events)),
                   {},
                   {},
                   isLong ? std::optional<Goal>(atMost(0.4)) : std::nullopt});
    const auto window = runChild({HELIOGRAPH_PROGRAM, trace, "--store-dir", folder.string()}, {true, 4});
    m.figures.add({"size_window_" + id, length + "resident memory of the open window", "MiB", window.lastMiB, {}, {}, atMost(300)});
    m.figures.add({"size_window_anonymous_" + id, length + "of that not files' pages", "MiB", window.lastAnonymousMiB});
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return {cpu.best(), overview.best() * 1e3};
}

} // namespace

void measureSizes(Measuring& m)
{
    std::vector<std::uint64_t> lengths{300'000, 5'000'000};
    std::erase_if(lengths, [&](std::uint64_t events) { return events >= m.subject.requestedEvents(); });
    lengths.push_back(m.subject.requestedEvents());
    std::vector<Measured> all;
    for (const std::uint64_t events : lengths)
        all.push_back(measureSize(m, events));
    const double times = double(m.subject.eventsOf(lengths.back())) / double(m.subject.eventsOf(lengths.front()));
    const std::string growth = fmt::format("{:.0f} times the events: ", times);
    m.figures.add(
        {"growth_cpu", growth + "processor time an event grows by", "times", all.back().cpuNs / all.front().cpuNs, {}, {}, atMost(1.25)});
    m.figures.add({"growth_overview",
                   growth + "the overview's time grows by",
                   "times",
                   all.back().overviewMs / all.front().overviewMs,
                   {},
                   {},
                   atMost(20)});
}

} // namespace helio::bench
