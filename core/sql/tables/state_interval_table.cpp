#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/tables/certainty.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio::sql {
namespace {

/// A row of a view, with the id of the view.
struct ViewRow {
    const std::string* view = nullptr;
    Row row;
};

/// The rows of a view. Other objects point to them.
struct CachedView {
    std::deque<ViewRow> rows;
    bool hasNames = false; ///< True if the symbols of the frames in the rows were read.
};

struct StateIntervalRow {
    Timestamp ts;
    const ViewRow* on = nullptr;
    Interval interval;
};

enum StateIntervalColumn : int {
    IntervalView,
    IntervalRow,
    IntervalTs,
    IntervalDur,
    IntervalState,
    IntervalDetail,
    IntervalTrace,
    IntervalUtid,
    IntervalCpu,
    IntervalCertain,
    IntervalHost
};

constexpr std::array StateIntervalColumns{
    Column{"view", ColumnType::Text, Search::Equal},
    Column{"row", ColumnType::Text, Search::Equal},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"state", ColumnType::Text},
    Column{"detail", ColumnType::Text},
    Column{"trace_id"},
    Column{"utid", ColumnType::Integer, Search::Equal},
    Column{"cpu"},
    CertainColumn,
    Column{"host_id"},
};

/// The intervals of all rows with states of all views.
class StateIntervalTable final : public TimeTable<StateIntervalRow> {
public:
    explicit StateIntervalTable(const Recording& recording)
        : m_recording(recording)
        , m_views(viewsOfStates(recording.timeline()))
    {
        forEachStore(recording.timeline(), [this](StoreIndex, const Store& store, const TimelineTrace&) {
            for (const Track& track : store.tracks())
                m_intervals += track.intervals;
        });
    }

    std::span<const Column> columns() const override { return StateIntervalColumns; }
    double estimatedRows() const override { return static_cast<double>(m_intervals); }

private:
    Rows rows(const Filter& filter) const override
    {
        const std::shared_ptr<const Timeline>& timeline = m_recording.complete->get(filter.stop());
        if (m_timeline != timeline) // The first query may have been cancelled before it had all rows.
            m_rows.clear();
        m_timeline = timeline;
        TimeRange all = rangeOf(*timeline);
        all.end += Duration(1);
        const Value* const view = filter.equalValue(IntervalView);
        const Value* const row = filter.equalValue(IntervalRow);
        const auto utid = filter.equal(IntervalUtid);
        std::vector<const ViewRow*> wanted;
        std::uint64_t expected = 0;
        for (const std::string& id : m_views) {
            if (view && *view != Value(id))
                continue;
            for (const ViewRow& it : rowsIn(*timeline, id, filter.stop()))
                if ((!row || *row == Value(it.row.id)) && (!utid || m_recording.things->mayShow(it.row.ref, *utid))) {
                    wanted.push_back(&it);
                    expected += it.row.intervals;
                }
        }
        const auto collect = [timeline, wanted, stop = filter.stop()](TimeRange part, std::vector<StateIntervalRow>& out) {
            for (const ViewRow* it : wanted) {
                if (!it->row.life.overlaps(part))
                    continue;
                for (const Interval& interval : intervals(*timeline, it->row.ref, part, stop))
                    if (interval.range.begin >= part.begin)
                        out.push_back({interval.range.begin, it, interval});
            }
        };
        return {timesAllowed(filter, IntervalTs, all), all, expected, collect, filter.stop()};
    }

    /// Returns the rows of a view that show states. Valid as long as the table.
    const std::deque<ViewRow>& rowsIn(const Timeline& timeline, const std::string& view, const std::stop_token& stop) const
    {
        const auto [it, isNew] = m_rows.try_emplace(&view);
        CachedView& cached = it->second;
        if (!cached.hasNames) {
            readFrameNames(timeline, view, stop);
            cached.hasNames = !stop.stop_requested();
        }
        if (isNew)
            for (Row& row : helio::rows(timeline, view))
                if (row.ref.isValid())
                    cached.rows.push_back({&view, std::move(row)});
        return cached.rows;
    }

    void write(const StateIntervalRow& row, int column, ValueSink sink) const override
    {
        const Timeline& timeline = *m_timeline;
        const Row& shown = row.on->row;
        const TimeRange range = row.interval.range;
        switch (column) {
        case IntervalView: return sink.text(*row.on->view);
        case IntervalRow: return sink.text(shown.id);
        case IntervalTs: return sink.integer(nanoseconds(row.ts));
        case IntervalDur: return sink.integer(isOpen(timeline, row) ? -1 : range.duration().count());
        case IntervalState: return sink.textOrNull(stateText(timeline, shown.ref, row.interval).state);
        case IntervalDetail: return sink.textOrNull(stateText(timeline, shown.ref, row.interval).detail);
        case IntervalTrace:
            if (!isOfAllTraces(timeline, shown.ref.store))
                sink.integer(shown.trace);
            return;
        case IntervalUtid: return sink.id(threadOf(shown, row.ts));
        case IntervalCpu: return sink.id(cpuId(shown.host, shown.cpu));
        case IntervalHost: return sink.integer(shown.host);
        case IntervalCertain:
            return writeCertain(m_recording, shown.host, cpuOfRow(timeline, shown.ref), row.ts,
                                isOpen(timeline, row) ? std::nullopt : std::optional(range.end), sink);
        default: return;
        }
    }

    /// True if the interval lasts to the end of the recording of its row, so that its end is unknown.
    static bool isOpen(const Timeline& timeline, const StateIntervalRow& row)
    {
        const bool isOfAll = isOfAllTraces(timeline, row.on->row.ref.store);
        return row.interval.range.end >= (isOfAll ? rangeOf(timeline) : coveredRange(timeline, row.on->row.trace)).end;
    }

    /// Returns the thread that a row belongs to at a time; -1 if it belongs to none.
    std::int64_t threadOf(const Row& row, Timestamp at) const
    {
        const auto thread = m_recording.things->threadOf(row.ref, at);
        return thread ? std::int64_t{*thread} : -1;
    }

    Recording m_recording;
    const std::vector<std::string> m_views;
    std::uint64_t m_intervals = 0; ///< Approximate number of intervals.
    mutable std::shared_ptr<const Timeline> m_timeline; ///< Timeline of m_rows; null before the first query.
    mutable std::map<const std::string*, CachedView> m_rows; ///< Rows by view, an element of m_views.
};

} // namespace

/// States of all rows of all views, e.g. of threads, CPUs, interrupts, disks, locks and virtual machines.
extern const TableFactory stateIntervalTable;
const TableFactory stateIntervalTable{
    "state_interval", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<StateIntervalTable>(recording); }};

} // namespace helio::sql
