// Benchmark of a trace on another machine, over a connection with a delay: opening it, and looking at parts of it that were not transferred
// yet. The other machine is this one, and a script with delays in both directions stands for ssh.

#include "core/base/deferred_fetches.h"
#include "tests/bench/sections/rows_shown.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "tests/bench/suite/windows.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace helio::bench {
namespace {

namespace fs = std::filesystem;

constexpr int Width = 1'920;
constexpr std::size_t Rows = 200;
constexpr int Views = 40;

void writeSshScript(const fs::path& folder, int delay)
{
    fs::create_directories(folder);
    const std::string copy = fmt::format("'{}' {}", HELIOGRAPH_DELAYED_COPY, delay);
    std::ofstream(folder / "ssh") << "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n" << copy << " | sh -c \"$3\" | " << copy << '\n';
    fs::permissions(folder / "ssh", fs::perms::owner_all);
}

/// Folder of the copies of indexes; empty at the begin.
fs::path emptyCache(Measuring& m)
{
    const fs::path folder = m.subject.scratch() / "mirror";
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return folder;
}

TimeRange clamped(TimeRange range, TimeRange whole)
{
    const Duration length = std::min(range.duration(), whole.duration());
    const Timestamp begin = std::clamp(range.begin, whole.begin, whole.end - length);
    return {begin, begin + length};
}

/// Steps of a user who looks around: from the whole range, 12 zooms in by a factor of 2 at random points, 6 pans by a quarter, and 12 zooms
/// out; four times.
std::vector<TimeRange> makeSteps(TimeRange whole)
{
    std::vector<TimeRange> steps;
    std::mt19937_64 random(7);
    for (int walk = 0; walk < 4; ++walk) {
        TimeRange shown = whole;
        const auto go = [&](Timestamp begin, Duration length) {
            shown = clamped({begin, begin + length}, whole);
            steps.push_back(shown);
        };
        for (int i = 0; i < 12; ++i)
            go(shown.begin + shown.duration() / 8 * int(random() % 5), shown.duration() / 2);
        for (int i = 0; i < 6; ++i)
            go(shown.begin + (i < 4 ? shown.duration() : -shown.duration()) / 4, shown.duration());
        for (int i = 0; i < 12; ++i)
            go(shown.begin - shown.duration() / 2, shown.duration() * 2);
    }
    return steps;
}

void measure(Measuring& m, int delay)
{
    writeSshScript(m.subject.scratch() / "bin", delay);
    const std::string address = "ssh://db1" + m.subject.trace().string();
    Samples opened, first, stepped, shown;
    std::size_t ready = 0;
    for (int run = 0; run < m.repeat; ++run) {
        const fs::path cache = emptyCache(m);
        std::unique_ptr<Experiment> experiment;
        opened.add(1e3 * secondsOf([&] { experiment = openExperiment(address, cache); }));
        auto timeline = experiment->timeline();
        const auto tracks = busiestTracks(*timeline, Rows);
        Spans answer;
        const auto show = [&](TimeRange window) {
            return secondsOf([&] {
                withFetchedBytes({}, [&] {
                    queryRows(*timeline, tracks, window, Width, answer);
                    return true;
                });
            });
        };
        first.add(1e3 * show(timeline->range));
        for (const TimeRange& window : makeSteps(timeline->range))
            stepped.add(1e3 * show(window));
        timeline.reset();
        experiment.reset();
        experiment = openExperiment(address, emptyCache(m));
        timeline = experiment->timeline();
        Windows windows(timeline->range, Width);
        for (int i = 0; i < Views; ++i) {
            const double seconds = show(windows.next());
            shown.add(1e3 * seconds);
            ready += seconds < 1e-3 * delay;
        }
    }
    const std::string id = fmt::format("remote_{}", 2 * delay);
    const std::string where = fmt::format("remote trace, round trip of {} ms", 2 * delay);
    m.figures.add({id + "_open", where + ": opened, nothing here yet", "ms", opened.best(), opened.median()});
    m.figures.add({id + "_first", where + ": then the whole range, 200 rows x 1920 px", "ms", first.best(), first.median()});
    m.figures.add({id + "_step_p50", where + ": then zooms by 2 and pans by a quarter without a pause: p50", "ms", stepped.median()});
    m.figures.add({id + "_step_p99", where + ": the same: p99", "ms", stepped.at(0.99), {}, {}, atMost(100)});
    m.figures.add({id + "_view_p50", where + ": jumps to any range right after opening: p50", "ms", shown.median()});
    m.figures.add({id + "_view_p99", where + ": the same: p99", "ms", shown.at(0.99)});
    m.figures.note(fmt::format("{}: {} of {} jumps needed nothing from there", where, ready, m.repeat * Views));
}

} // namespace

void measureRemote(Measuring& m)
{
    (void)m.subject.open(); // The other machine has the index.
    ::setenv("XDG_CACHE_HOME", m.subject.scratch().c_str(), 1);
    std::error_code error;
    fs::create_directory_symlink(m.subject.stores(), m.subject.scratch() / "heliograph", error);
    ::setenv("HELIOGRAPH_REMOTE", HELIOGRAPH_PROGRAM, 1);
    ::setenv("PATH", ((m.subject.scratch() / "bin").string() + ':' + std::getenv("PATH")).c_str(), 1);
    for (const int delay : {25, 50})
        measure(m, delay);
}

} // namespace helio::bench
