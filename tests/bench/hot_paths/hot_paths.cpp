#include "tests/bench/hot_paths/hot_paths.h"

#include "core/experiment/trace_stores.h"
#include "core/query/events/events.h"
#include "tests/bench/sections/frame_maker.h"
#include "tests/bench/sections/rows_shown.h"

using namespace helio;
using namespace helio::bench;

void hot_decode(const Trace& trace) { decodeAll(trace); }
void hot_fields(const KernelFields& fields) { fields.decodeAll(); }
void hot_merge(const Trace& trace) { mergeAll(trace); }
void hot_analyse(const Trace& trace) { analyseAll(trace); }

bool hot_ingest(const Trace& trace, const std::filesystem::path& folder)
{
    TraceStores::Options options;
    options.directory = folder;
    options.rebuild = true;
    TraceStores stores(std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace), Analyses::builtin(), options);
    TraceProgress progress;
    return bool(stores.index(
        progress, [](const TraceStores::Snapshot&) {}, false));
}

void hot_spans(const Timeline& timeline, const std::vector<TrackRef>& tracks, const std::vector<TimeRange>& windows)
{
    constexpr int Width = 1'920;
    Spans answer;
    for (const TimeRange& window : windows)
        queryRows(timeline, tracks, window, Width, answer);
}

void hot_paint(FrameRenderer& maker) { maker.paintBars(); }

void hot_search(const std::shared_ptr<const Timeline>& timeline, const std::shared_ptr<const Expression>& expression)
{
    findEvents(timeline, expression, timeline->range, 0, [](const std::vector<EventHit>&, double) {});
}

void hot_jump(const std::shared_ptr<const Timeline>& timeline, const std::vector<std::uint64_t>& places)
{
    constexpr std::size_t RowsShown = 50;
    EventTable table(timeline);
    for (const std::uint64_t place : places)
        table.rows(place, RowsShown);
}
