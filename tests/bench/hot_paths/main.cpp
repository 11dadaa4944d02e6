// heliograph_hot_paths TRACE FOLDER: runs every hot path once, for callgrind (tests/bench/tst_instruction_counts.cpp). Stores are kept in
// FOLDER, and a second run finds the store that the queries need. Two runs execute the same work, because nothing depends on the clock.

#include "tests/bench/hot_paths/hot_paths.h"
#include "tests/bench/sections/frame_maker.h"
#include "tests/bench/sections/rows_shown.h"
#include "tests/bench/suite/subject.h"
#include "tests/bench/suite/windows.h"

#include <QGuiApplication>

#include <cstdio>
#include <random>

using namespace helio;
using namespace helio::bench;
namespace fs = std::filesystem;

namespace {

constexpr int Width = 1'920;
constexpr int Frames = 24;

void runReading(const Trace& trace, const fs::path& folder)
{
    const KernelFields fields(trace);
    hot_decode(trace);
    hot_fields(fields);
    hot_merge(trace);
    hot_analyse(trace);
    if (!hot_ingest(trace, folder / "counted"))
        stop("the stores could not be written");
}

void runQueries(const std::shared_ptr<const Timeline>& timeline)
{
    Windows windows(timeline->range, Width);
    std::vector<TimeRange> some;
    for (int i = 0; i < 4 * Frames; ++i)
        some.push_back(windows.next());
    hot_spans(*timeline, busiestTracks(*timeline, 200), some);
    FrameRenderer maker(timeline, QSize(Width, 1'080));
    for (int i = 0; i < Frames; ++i) {
        maker.queryVisibleRows(some[std::size_t(i)], int(windows.below(200)), false);
        hot_paint(maker);
    }
}

void runEvents(const std::shared_ptr<const Timeline>& timeline)
{
    for (const char* text : {"ret < 0", "next_comm contains \"zz\" || tid == 1"}) {
        const auto expression = Expression::parse(text);
        if (!expression)
            stop(expression.error().what);
        hot_search(timeline, *expression);
    }
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> places;
    for (int i = 0; i < 8; ++i)
        places.push_back(random() % timeline->traces.front().facts->summary().events);
    hot_jump(timeline, places);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fputs("usage: heliograph_hot_paths TRACE FOLDER\n", stderr);
        return 2;
    }
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    setenv("QT_HASH_SEED", "0", 1);
    int count = 1;
    const QGuiApplication application(count, argv);
    const auto experiment = openExperiment(argv[1], argv[2], 1);
    const auto timeline = experiment->timeline();
    runReading(*timeline->traces.front().trace, argv[2]);
    runQueries(timeline);
    runEvents(timeline);
    return 0;
}
