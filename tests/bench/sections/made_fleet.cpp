// Benchmark of a fleet of 1,000 small traces, of which those of one host suffer: indexing, adding, a statement over each trace, and the
// question for the sick host.

#include "tests/bench/sections/made_fleet.h"

#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"
#include "tests/support/made_fleet.h"

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace helio::bench {
namespace {

constexpr quint64 Traces = 1'000;
constexpr quint64 Hosts = 100;
constexpr quint64 SickHost = 17;

std::filesystem::path pathOf(const std::filesystem::path& folder, quint64 number)
{
    return folder / "traces" / fmt::format("{:04}", number);
}

/// Writes the traces into a folder.
void writeTraces(const std::filesystem::path& folder)
{
    for (quint64 number = 0; number < Traces; ++number) {
        const quint64 host = number % Hosts;
        const auto cause = host == SickHost ? test::MadeFleetTrace::Cause::Quota : test::MadeFleetTrace::Cause::None;
        const test::MadeFleetTrace trace{QStringLiteral("host-%1").arg(host), number, cause, number % 3 == 0};
        if (!test::writeFleetTrace(QString::fromStdString(pathOf(folder, number)), trace))
            stop("fleet: cannot write the traces");
    }
}

/// Runs the program. Returns its cost.
ChildCost runProgram(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), HELIOGRAPH_PROGRAM);
    ChildWatch watch;
    watch.capturesOutput = true;
    ChildCost cost = runChild(arguments, watch);
    if (!cost.isDone)
        stop("fleet: " + arguments[1] + ": " + cost.errors);
    return cost;
}

} // namespace

void measureMadeFleet(Measuring& m)
{
    const std::filesystem::path folder = m.subject.scratch() / "fleet";
    const std::string stores = (folder / "stores").string(), summaries = (folder / "traces.jsonl").string(),
                      catalogue = (folder / "fleet.db").string();
    writeTraces(folder);
    const ChildCost indexed = runProgram({"index", (folder / "traces").string(), "--summary", summaries, "--quiet", "--store-dir", stores});
    m.figures.add({"fleet_made_index", fmt::format("{} traces of 2 s and about 1,200 events indexed and summarized, each", Traces), "ms",
                   1e3 * indexed.seconds / double(Traces)});
    const ChildCost added = runProgram({"fleet", "add", catalogue, summaries});
    m.figures.add({"fleet_made_add", "their summaries added to a catalogue, all", "s", added.seconds});
    const auto run = [&](const char* jobs) {
        return runProgram({"fleet", "run", catalogue, "SELECT count(*) AS n FROM thread_state", "--store-dir", stores, "--jobs", jobs});
    };
    Samples one, all;
    for (int i = 0; i < m.repeat; ++i) {
        const ChildCost alone = run("1");
        if (std::ranges::count(alone.output, '\n') != Traces + 1)
            stop("fleet: not a row for each trace");
        one.add(1e3 * alone.seconds / double(Traces));
        all.add(double(Traces) / run("0").seconds);
    }
    Samples opened;
    for (quint64 number = 0; number < Traces; number += 5)
        opened.add(1e3 * secondsOf([&] { openExperiment(pathOf(folder, number), stores, 1); }));
    m.figures.add({"fleet_open", "each opened with its store", "ms", opened.best(), opened.median(), {}, atMost(5)});
    m.figures.add(
        {"fleet_run_one", "a statement over each: opened, asked and closed by one process, each", "ms", one.best(), one.median()});
    Figure rate{"fleet_run_rate", "the same by a process for each core", "traces/s", all.at(1), all.median()};
    rate.isHigherBetter = true;
    m.figures.add(rate);
    Samples worst;
    for (int i = 0; i < m.repeat; ++i) {
        const ChildCost asked =
            runProgram({"fleet", "sql", catalogue, "SELECT host FROM worst_finding ORDER BY share DESC LIMIT 1", "--format", "csv"});
        if (asked.output.find(fmt::format("host-{}\r\n", SickHost)) == std::string::npos)
            stop("fleet: the sick host is not the first: " + asked.output);
        worst.add(1e3 * asked.seconds);
    }
    m.figures.add({"fleet_made_worst", "the sick host found, with the start of the program", "ms", worst.best(), worst.median()});
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

} // namespace helio::bench
