#include "tests/bench/load/load.h"

#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/report.h"
#include "tests/bench/suite/scratch.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <vector>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t Growth = 4; ///< Ratio of the two sizes.

struct Step {
    const char* name;
    double cpuSeconds[2]{}; ///< CPU time of all threads at the small and at the full size: other programs hardly change it.
    double seconds[2]{}; ///< Elapsed time.
    double mebibytes[2]{}; ///< Peak of memory without pages of mapped files, in MiB, sampled every few ms.
    double resident[2]{}; ///< Peak of resident memory in MiB: with pages of mapped files, which the kernel takes back if it needs them.
    std::string problem = {}; ///< Reason for which the step failed; empty if it did not.
};

/// File in which the window reports its state.
fs::path reportOf(const fs::path& folder) { return folder / "report"; }

/// True if the window shows the whole recording.
bool isShown(const fs::path& report)
{
    std::ifstream file(report);
    std::string last;
    for (std::string line; std::getline(file, line);)
        last = line;
    return last.find("\"complete\":true") != std::string::npos && last.find("\"rows\":0,") == std::string::npos;
}

std::vector<std::string> commandOf(const Load& load, const Step& step, const std::string& trace, const fs::path& folder)
{
    const std::string stores = (folder / "stores").string(), name = step.name;
    std::vector<std::string> command{HELIOGRAPH_PROGRAM};
    if (name == "index")
        command.insert(command.end(), {"index", trace, "--force"});
    else if (name == "reopen")
        command.insert(command.end(), {"tracks", trace, "--view", load.view});
    else if (name == "picture")
        command.insert(command.end(),
                       {"render", trace, "--view", load.view, "--size", "1600x900", "-o", (folder / "picture.png").string()});
    else if (name == "search")
        command.insert(command.end(), {"events", trace, "--filter", load.search, "--count"});
    else if (name == "info")
        command.insert(command.end(), {"info", trace});
    else
        return {"env",
                "HELIOGRAPH_REPORT=" + reportOf(folder).string(),
                "XDG_CONFIG_HOME=" + (folder / "settings").string(),
                HELIOGRAPH_PROGRAM,
                trace,
                "--store-dir",
                stores};
    command.insert(command.end(), {"--quiet", "--store-dir", stores});
    return command;
}

std::string numberText(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

/// Makes the recording with both sizes and measures all steps.
std::vector<Step> measure(const Load& load, std::uint64_t size, const fs::path& scratch)
{
    std::vector<Step> steps{{"index"}, {"reopen"}, {"picture"}, {"search"}, {"info"}, {"window"}};
    for (const int run : {0, 1}) {
        const fs::path folder = scratch / load.name;
        fs::create_directories(folder);
        const std::uint64_t units = run == 0 ? size / Growth : size;
        fmt::print(stderr, "{}: {} {}\n", load.name, numberText(units), load.unit);
        const fs::path trace = load.make(folder, units);
        for (Step& step : steps) {
            if (trace.empty()) {
                step.problem = "the recording could not be written";
                continue;
            }
            ChildWatch watch{.samplesMemory = true};
            if (step.name == std::string_view("window"))
                watch.terminateWhen = [&] { return isShown(reportOf(folder)); };
            const ChildCost cost = runChild(commandOf(load, step, trace.string(), folder), watch);
            step.cpuSeconds[run] = cost.cpuSeconds;
            step.seconds[run] = cost.seconds;
            step.mebibytes[run] = cost.peakAnonymousMiB;
            step.resident[run] = cost.peakMiB;
            if (!cost.isDone)
                step.problem = cost.errors.empty() ? "the program ended without a message" : cost.errors.substr(0, cost.errors.find('\n'));
        }
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    return steps;
}

/// Prints rows of the table, which is aligned and Markdown.
void print(const Load& load, std::uint64_t size, const std::vector<Step>& steps)
{
    for (const Step& step : steps) {
        const std::string what = &step == &steps.front() ? numberText(size) + ' ' + load.unit : std::string();
        if (!step.problem.empty()) {
            fmt::print("| {:<24} | {:<8} | {}\n", what, step.name, step.problem);
            continue;
        }
        const double time = step.cpuSeconds[1] / std::max(step.cpuSeconds[0], 1e-2),
                     memory = step.mebibytes[1] / std::max(step.mebibytes[0], 1.0);
        // A quarter more is allowed: caches of the processor get too small, and trees deeper.
        const bool isSteep = std::max(time, memory) > 1.25 * double(Growth);
        fmt::print("| {:<24} | {:<8} | {:>10.2f} | {:>8.2f} | {:>5.1f} | {:>9.2f} | {:>12.0f} | {:>6.0f} | {:>5.1f} | {:>12.0f} |{}\n",
                   what, step.name, step.cpuSeconds[0], step.cpuSeconds[1], time, step.seconds[1], step.mebibytes[0], step.mebibytes[1],
                   memory, step.resident[1], isSteep ? " more than in proportion" : "");
    }
    std::fflush(stdout);
}

} // namespace

int measureLoads(const BenchOptions& options, const fs::path& scratch)
{
    fmt::print("{}\n\n| {:<24} | {:<8} | {:>10} | {:>8} | {:>5} | {:>9} | {:>12} | {:>6} | times | resident MiB |\n|-|-|-|-|-|-|-|-|-|-|\n",
               describeMachine(), "recording", "step", "1/4: CPU s", "CPU s", "times", "elapsed s", "1/4: MiB", "MiB");
    bool isGood = true;
    for (const Load& load : loads()) {
        if (!options.wants(load.name))
            continue;
        const std::uint64_t size = load.size ? load.size : options.events;
        // Bytes for each event, trace and index together, rounded up; the other recordings are below 1 GiB.
        if (const std::string missing =
                missingSpaceMessage(scratch, std::max<std::uint64_t>(std::uint64_t(1) << 30, load.size ? 0 : size * 40));
            !missing.empty()) {
            fmt::print(stderr, "heliograph_bench: {}: {}\n", load.name, missing);
            isGood = false;
            continue;
        }
        const std::vector<Step> steps = measure(load, size, scratch);
        print(load, size, steps);
        isGood = isGood && std::ranges::all_of(steps, [](const Step& step) { return step.problem.empty(); });
    }
    return isGood ? 0 : 1;
}

} // namespace helio::bench
