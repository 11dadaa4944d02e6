#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

namespace helio::sql {
namespace {

struct ClockRow {
    std::int64_t id = 0;
    Timestamp ts;
    std::int64_t clock = -1; ///< Number of the clock; -1 if it has none.
    std::string name;
    std::int64_t value = 0; ///< Reading of the clock in ns.
    std::int64_t snapshot = 0;
    HostId host = 0;
    std::int64_t trace = 0;
};

/// A clock that the tables of the field name, with its number and the names that recordings give it.
struct KnownClock {
    std::int64_t number;
    std::string_view name;
    std::string_view recorded;
};
constexpr KnownClock Realtime{1, "REALTIME", "realtime"};
constexpr std::array KnownClocks{
    Realtime,
    KnownClock{3, "MONOTONIC", "monotonic"},
    KnownClock{3, "MONOTONIC", "mono"},
    KnownClock{5, "MONOTONIC_RAW", "monotonic_raw"},
    KnownClock{5, "MONOTONIC_RAW", "mono_raw"},
    KnownClock{6, "BOOTTIME", "boottime"},
    KnownClock{6, "BOOTTIME", "boot"},
};

std::string lowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
    return text;
}

/// Returns the readings of all clocks that are known at the first and the last event of each recording.
std::vector<ClockRow> snapshotsOf(const Timeline& timeline)
{
    std::vector<ClockRow> rows;
    std::int64_t snapshots = 0;
    for (std::size_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& trace = timeline.traces[i];
        const TraceInfo& info = trace.trace->info();
        if (!info.hasTimes || !trace.facts || trace.facts->summary().events == 0)
            continue;
        const std::string recorded = lowerCase(info.clock.name);
        const auto known = std::ranges::find(KnownClocks, recorded, &KnownClock::recorded);
        const HostRange range = trace.facts->summary().range;
        for (const HostTimestamp at : {range.begin, range.end}) {
            const auto add = [&](std::int64_t number, std::string_view name, std::int64_t value) {
                rows.push_back({static_cast<std::int64_t>(rows.size()), trace.clock(at), number, std::string(name), value, snapshots,
                                trace.host, static_cast<std::int64_t>(i)});
            };
            // Times of a recording are readings of its clock plus the clock's offset. If the offset leads to the epoch, the times are also
            // those of the wall clock.
            const bool isWallClock = known != KnownClocks.end() && known->number == Realtime.number;
            if (known != KnownClocks.end() && !isWallClock)
                add(known->number, known->name, nanoseconds(at) - info.clock.offset);
            else if (!isWallClock && !info.clock.name.empty())
                add(-1, {}, nanoseconds(at) - info.clock.offset);
            if (info.clock.isAbsolute || isWallClock)
                add(Realtime.number, Realtime.name, nanoseconds(at));
            ++snapshots;
        }
    }
    return rows;
}

std::unique_ptr<Table> makeClocks(const Recording& recording)
{
    using Row = ClockRow;
    std::vector<ListColumn<Row>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true},
                       [](const Row& row, ValueSink sink) { sink.integer(row.id); },
                       [](const Row& row) { return row.id; }});
    columns.push_back({{"ts"}, [](const Row& row, ValueSink sink) { sink.integer(nanoseconds(row.ts)); }});
    columns.push_back({{"clock_id"}, [](const Row& row, ValueSink sink) { sink.id(row.clock); }});
    columns.push_back({{"clock_name", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.textOrNull(row.name); }});
    columns.push_back({{"clock_value"}, [](const Row& row, ValueSink sink) { sink.integer(row.value); }});
    columns.push_back({{"snapshot_id"}, [](const Row& row, ValueSink sink) { sink.integer(row.snapshot); }});
    columns.push_back({{"machine_id"}, [](const Row& row, ValueSink sink) { sink.integer(row.host); }});
    columns.push_back({{"trace_id"}, [](const Row& row, ValueSink sink) { sink.integer(row.trace); }});
    return std::make_unique<ListTable<Row>>(std::move(columns), 10,
                                            [recording](const std::stop_token&) { return snapshotsOf(recording.timeline()); });
}

} // namespace

/// Readings of the recordings' clocks, by which times of the experiment are converted to times of a clock.
extern const TableFactory clockSnapshotTable;
const TableFactory clockSnapshotTable{"clock_snapshot", makeClocks};

} // namespace helio::sql
