#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/call_table.h"
#include "core/sql/table_functions/path_thread.h"
#include "core/waits/path/path.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

/// A path and the timeline that it was computed for.
struct FoundPath {
    std::shared_ptr<const Timeline> timeline;
    CriticalPath path;
};

/// A segment of a path.
struct PathRow {
    std::shared_ptr<const FoundPath> found;
    const PathSegment* segment = nullptr;
};

using Columns = std::vector<ListColumn<PathRow>>;

std::unique_ptr<Table> makeCriticalPath(const Recording& recording)
{
    static constexpr std::array Arguments{argument("of_utid"), argument("from_ts"), argument("for_dur")};
    Columns columns;
    columns.push_back({{"ts"}, [](const PathRow& row, ValueSink sink) { sink.integer(nanoseconds(row.segment->range.begin)); }});
    columns.push_back({{"dur"}, [](const PathRow& row, ValueSink sink) { sink.integer(row.segment->range.duration().count()); }});
    columns.push_back({{"kind", ColumnType::Text}, [](const PathRow& row, ValueSink sink) { sink.text(wordOf(row.segment->kind)); }});
    columns.push_back({{"detail", ColumnType::Text},
                       [](const PathRow& row, ValueSink sink) { sink.textOrNull(row.found->path.detailOf(*row.segment)); }});
    columns.push_back({{"utid"}, [things = recording.things](const PathRow& row, ValueSink sink) {
                           if (const auto thread = things->threadOf(row.segment->row, row.segment->range.begin))
                               sink.integer(*thread);
                       }});
    columns.push_back({{"cpu"}, [](const PathRow& row, ValueSink sink) {
                           const Timeline& timeline = *row.found->timeline;
                           if (row.segment->row.isValid())
                               sink.id(cpuId(timeline.traces[traceOf(timeline, row.segment->row)].host, row.segment->cpu));
                       }});
    columns.push_back({{"depth"}, [](const PathRow& row, ValueSink sink) { sink.integer(row.segment->depth); }});
    columns.push_back({{"row", ColumnType::Text}, [](const PathRow& row, ValueSink sink) {
                           if (const Track* const track = trackOf(*row.found->timeline, row.segment->row))
                               sink.text(track->key);
                       }});
    columns.push_back({{"waker_utid"}, [things = recording.things](const PathRow& row, ValueSink sink) {
                           if (const auto thread = things->threadOf(row.segment->waker, row.segment->wokenAt))
                               sink.integer(*thread);
                       }});
    return std::make_unique<CallTable<PathRow>>(Arguments, std::move(columns), [recording](const Filter& filter) {
        std::vector<PathRow> rows;
        const auto thread = threadWithStates(recording, filter.equal(0).value_or(-1));
        if (!thread)
            return rows;
        TimeRange range = thread->life;
        const Timestamp begin = timestamp(filter.equal(1).value_or(0));
        const std::int64_t length = filter.equal(2).value_or(-1);
        const bool isOpen = length < 0 || begin > Timestamp::max() - Duration(length);
        range = range.clippedTo({begin, isOpen ? Timestamp::max() : begin + Duration(length)});
        if (range.begin >= range.end)
            return rows;
        const auto& timeline = recording.complete->get(filter.stop());
        const auto found =
            std::make_shared<const FoundPath>(FoundPath{timeline, criticalPath(*timeline, thread->row, range, filter.stop())});
        for (const PathSegment& segment : found->path.segments)
            rows.push_back({found, &segment});
        return rows;
    });
}

} // namespace

/// critical_path(utid, ts, dur): how the time of a thread was spent, on any thread, device or host.
extern const TableFactory criticalPathFunction;
const TableFactory criticalPathFunction{"critical_path", makeCriticalPath};

} // namespace helio::sql
