// Recordings of the load benchmark. Sizes are chosen so that the number of events grows with the units: then twice the size is twice the
// work.

#include "tests/bench/load/load.h"
#include "tests/bench/make_trace.h"

#include <array>
#include <fmt/format.h>
#include <fstream>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

fs::path kernelTrace(const fs::path& folder, const MadeTrace& made)
{
    return makeTrace(made, folder / "trace") ? folder / "trace" : fs::path();
}

fs::path makeThreads(const fs::path& folder, std::uint64_t size)
{
    return kernelTrace(folder, {.threads = std::uint32_t(size), .cpus = 8, .events = size * 100});
}

fs::path makeStreams(const fs::path& folder, std::uint64_t size)
{
    return kernelTrace(folder, {.threads = std::uint32_t(size * 4), .cpus = std::uint32_t(size), .events = size * 2'000});
}

fs::path makeProcesses(const fs::path& folder, std::uint64_t size)
{
    return kernelTrace(folder, {.threads = std::uint32_t(size), .cpus = 8, .events = size * 20, .threadsPerProcess = 1});
}

fs::path makeEvents(const fs::path& folder, std::uint64_t size) { return kernelTrace(folder, {.events = size}); }

/// Writes `count` slices in Chrome's JSON format, of 16 threads. `name` appends the name of slice i.
template <typename Name> fs::path makeSlices(const fs::path& folder, std::uint64_t count, Name name)
{
    const fs::path path = folder / "slices.json";
    std::ofstream file(path, std::ios::binary);
    file << "[\n";
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
        text = R"({"ph":"X","cat":"load","pid":1,"name":")";
        name(i, text);
        text += fmt::format(R"(","tid":{},"ts":{},"dur":{}}})", 1 + i % 16, i * 10, 5 + i % 100);
        text += i + 1 < count ? ",\n" : "\n]\n";
        file.write(text.data(), std::streamsize(text.size()));
    }
    file.close();
    return file ? path : fs::path();
}

fs::path makeNames(const fs::path& folder, std::uint64_t size)
{
    return makeSlices(folder, size, [](std::uint64_t i, std::string& text) { text += fmt::format("function_{}", i); });
}

fs::path makeLongNames(const fs::path& folder, std::uint64_t size)
{
    return makeSlices(folder, size,
                      [](std::uint64_t i, std::string& text) { text.append(1 << 20, char('a' + i % 26)) += std::to_string(i); });
}

constexpr std::array All{
    Load{"threads", "threads", 10'000, makeThreads, "control-flow", R"(name == "sched_process_fork")"},
    Load{"streams", "streams", 1'000, makeStreams, "resources", R"(name == "sched_process_fork")"},
    Load{"processes", "processes", 100'000, makeProcesses, "control-flow", R"(name == "sched_process_fork")"},
    Load{"names", "names", 1'000'000, makeNames, "call-stack", R"(name == "function_17")"},
    Load{"long-names", "names of 1 MB", 64, makeLongNames, "call-stack", R"(name contains "aaa17")"},
    Load{"events", "events", 0, makeEvents, "control-flow", R"(name == "sched_process_fork")"},
};

} // namespace

std::span<const Load> loads() { return All; }

} // namespace helio::bench
