// Benchmark of a view's queries while the user zooms and pans: the 200 busiest rows at a resolution of 1,920 pixels, at random positions
// and zooms. Hot queries are measured in the thread's CPU time, which other programs do not disturb; cold queries in elapsed time.

#include "core/query/rows/arrows.h"
#include "tests/bench/sections/rows_shown.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"
#include "tests/bench/suite/windows.h"

namespace helio::bench {
namespace {

constexpr int Width = 1'920;
constexpr std::size_t Rows = 200;
constexpr int HotFrames = 1'000;
constexpr int ColdFrames = 60;
constexpr int OneRowQueries = 20'000;

Samples queryHot(const Timeline& timeline, int times)
{
    const auto tracks = busiestTracks(timeline, Rows);
    Windows windows(timeline.range, Width);
    Samples samples;
    Spans answer;
    for (int i = 0; i < times; ++i) {
        const auto window = windows.next();
        samples.add(threadSecondsOf([&] { queryRows(timeline, tracks, window, Width, answer); }));
    }
    return samples;
}

/// Elapsed time of single-row queries. CPU time is not used, because reading the thread's clock takes about as long as the query.
Samples queryOneRow(const Timeline& timeline)
{
    const auto tracks = busiestTracks(timeline, Rows);
    Windows windows(timeline.range, Width);
    Samples samples;
    Spans answer;
    for (int i = 0; i < OneRowQueries; ++i) {
        const std::vector<TrackRef> one{tracks[windows.below(tracks.size())]};
        const auto window = windows.next();
        samples.add(secondsOf([&] { queryRows(timeline, one, window, Width, answer); }));
    }
    return samples;
}

/// Elapsed time of cold queries: before each query, the store is reopened and dropped from the page cache.
Samples queryCold(Subject& subject)
{
    auto experiment = subject.open();
    const auto paths = experiment->storePaths();
    const auto tracks = busiestTracks(*experiment->timeline(), Rows);
    Windows windows(experiment->timeline()->range, Width);
    Samples samples;
    Spans answer;
    for (int i = 0; i < ColdFrames; ++i) {
        experiment.reset();
        for (const auto& ofTrace : paths)
            for (const auto& path : ofTrace)
                dropFromMemory(path);
        experiment = subject.open();
        const auto timeline = experiment->timeline();
        const auto window = windows.next();
        samples.add(secondsOf([&] { queryRows(*timeline, tracks, window, Width, answer); }));
    }
    return samples;
}

Samples queryArrows(const Timeline& timeline)
{
    Windows windows(timeline.range, Width);
    Samples samples;
    for (int i = 0; i < HotFrames / 4; ++i) {
        const auto window = windows.next();
        std::uint64_t total = 0;
        samples.add(threadSecondsOf([&] { arrows(timeline, linkKindsInView(timeline, "control-flow"), window, 4'000, &total); }));
    }
    return samples;
}

} // namespace

void measureQueries(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    const auto tracks = busiestTracks(*timeline, Rows).size();
    if (tracks < Rows)
        m.figures.note("the trace has only " + std::to_string(tracks) + " rows where 200 are to be asked for");
    if (tracks == 0)
        return;
    queryHot(*timeline, 100); // Run the queries once without measuring, so that the caches are filled.
    const Samples hot = queryHot(*timeline, HotFrames);
    const Samples one = queryOneRow(*timeline);
    const Samples cold = queryCold(m.subject);
    const Samples links = queryArrows(*timeline);
    m.figures.add({"query_p50", "200 rows x 1920 px, hot: p50", "ms", hot.median() * 1e3, {}, {}, atMost(1)});
    m.figures.add({"query_p99", "200 rows x 1920 px, hot: p99", "ms", hot.at(0.99) * 1e3, {}, {}, atMost(16)});
    m.figures.add({"query_cold_p50", "200 rows x 1920 px, store not in memory: p50", "ms", cold.median() * 1e3});
    m.figures.add({"query_cold_p99", "200 rows x 1920 px, store not in memory: p99", "ms", cold.at(0.99) * 1e3});
    m.figures.add({"query_row_p50", "one row x 1920 px: p50", "us", one.median() * 1e6});
    m.figures.add({"query_row_p99", "one row x 1920 px: p99", "us", one.at(0.99) * 1e6});
    m.figures.add({"arrows_p50", "arrows of the Control flow view: p50", "ms", links.median() * 1e3});
    m.figures.add({"arrows_p99", "arrows of the Control flow view: p99", "ms", links.at(0.99) * 1e3});
}

} // namespace helio::bench
