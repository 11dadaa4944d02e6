#include "tests/bench/suite/hot_path_counts.h"

#include "tests/bench/amplifier/trace_amplifier.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/valgrind.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

/// Number of repetitions of the sample trace. Work that is done only once per trace then has a small share of the counts.
constexpr std::uint64_t Copies = 3;
constexpr std::array Paths{"decode", "fields", "merge", "analyse", "ingest", "spans", "paint", "search", "jump"};

/// Name of the hot path in a part of callgrind's output: "decode" for "desc: Trigger: --dump-after=hot_decode"; empty if the line is
/// missing.
std::string pathOf(std::istream& part)
{
    constexpr std::string_view Trigger = "desc: Trigger: --dump-after=hot_";
    for (std::string line; std::getline(part, line);)
        if (line.starts_with(Trigger))
            return line.substr(Trigger.size());
    return {};
}

Error failure(const std::string& what) { return {Error::Kind::Unreadable, what}; }

Status runUnderCallgrind(const std::vector<std::string>& program, const fs::path& out)
{
    std::vector<std::string> command{
        "valgrind",       "--tool=callgrind",      "--collect-atstart=no", "--toggle-collect=hot_*",
        "--dump-line=no", "--compress-strings=no", "--compress-pos=no",    "--callgrind-out-file=" + out.string()};
    for (const char* path : Paths)
        // List each function, because --dump-after accepts no pattern, unlike --toggle-collect.
        command.push_back(std::string("--dump-after=hot_") + path);
    command.insert(command.end(), program.begin(), program.end());
    const auto cost = runChild(command);
    return cost.isDone ? Status(Done{}) : failure("callgrind failed: " + cost.errors);
}

} // namespace

PathCount countIn(std::istream& part, std::string_view program)
{
    PathCount count;
    bool isOwn = false;
    bool isCall = false; // True if the following line is a call: its cost is also listed in the callee and must not count twice.
    for (std::string line; std::getline(part, line);) {
        if (line.starts_with("ob=")) {
            isOwn = line.ends_with(program);
        } else if (line.starts_with("calls=")) {
            isCall = true;
        } else if (!line.empty() && std::isdigit(static_cast<unsigned char>(line.front()))) {
            const auto space = line.rfind(' ');
            const std::uint64_t cost = space == std::string::npos ? 0 : std::strtoull(line.c_str() + space, nullptr, 10);
            count.all += isCall ? 0 : cost;
            count.own += isOwn && !isCall ? cost : 0;
            isCall = false;
        }
    }
    return count;
}

Result<PathCounts> countHotPaths(const fs::path& scratch)
{
    if (!hasValgrind())
        return failure("valgrind is missing");
    const fs::path trace = scratch / "counted";
    if (!fs::exists(trace))
        if (const auto made = amplify(SOURCE_DIR "/resources/samples/workers", trace, {0, Copies}); !made)
            return made.error();
    const std::vector<std::string> program{HELIOGRAPH_HOT_PATHS, trace.string(), (scratch / "stores").string()};
    // The first run does not count: it makes the store for the queries, so that every counted run starts with a store.
    if (const auto cost = runChild(program); !cost.isDone)
        return failure("heliograph_hot_paths failed: " + cost.errors);
    const fs::path out = scratch / "callgrind.out";
    if (const auto run = runUnderCallgrind(program, out); !run)
        return run.error();
    PathCounts counts;
    for (int i = 1;; ++i) {
        const fs::path name = out.string() + "." + std::to_string(i);
        std::ifstream part(name);
        if (!part)
            break;
        PathCount& sum = counts[pathOf(part)];
        const PathCount count = countIn(part, "/heliograph_hot_paths");
        sum.own += count.own;
        sum.all += count.all;
        fs::remove(name);
    }
    for (const char* path : Paths)
        if (counts[path].own == 0)
            return failure(std::string("callgrind counted nothing of hot_") + path);
    return counts;
}

bool areHotPathsOptimized()
{
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

} // namespace helio::bench
