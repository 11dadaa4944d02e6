#include "core/query/rows/facts.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <memory>

namespace helio::sql {
namespace {

/// A point of a counter: the counter has the value from `ts` to its next point.
struct CounterRow {
    Timestamp ts;
    std::uint32_t track = 0; ///< Index into Recording::counters.
    std::uint64_t number = 0; ///< Number of the point in its series; only counted on request.
    CounterValue value;
};

enum CounterColumn : int { PointId, PointTs, PointTrack, PointValue };

constexpr std::array CounterColumns{
    Column{"id", ColumnType::Integer, Search::Equal, true},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"track_id", ColumnType::Integer, Search::Equal},
    Column{"value", ColumnType::Real},
    Column{"arg_set_id"},
};

class CounterPoints final : public TimeTable<CounterRow> {
public:
    explicit CounterPoints(const Recording& recording)
        : m_recording(recording)
    {
    }

    std::span<const Column> columns() const override { return CounterColumns; }
    double estimatedRows() const override { return static_cast<double>(total()); }

private:
    std::uint64_t total() const
    {
        const auto& counters = *m_recording.counters;
        return counters.empty() ? 0 : counters.back().firstPoint + counters.back().points;
    }

    Rows rows(const Filter& filter) const override
    {
        TimeRange all = rangeOf(m_recording.timeline());
        all.end += Duration(1); // A counter may change with the last event.
        const IntegerRange tracks = filter.range(PointTrack);
        const IntegerRange ids = filter.range(PointId);
        std::vector<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < m_recording.counters->size(); ++i) {
            const CounterTrack& track = (*m_recording.counters)[i];
            const auto first = static_cast<std::int64_t>(track.firstPoint);
            if (tracks.contains(track.id) && first <= ids.highest && first + static_cast<std::int64_t>(track.points) > ids.lowest)
                wanted.push_back(i);
        }
        const bool isNumbered = filter.reads(PointId);
        const auto collect = [this, wanted, isNumbered, stop = filter.stop()](TimeRange part, std::vector<CounterRow>& out) {
            for (const std::uint32_t track : wanted)
                append(track, part, isNumbered, out, stop);
        };
        return {timesAllowed(filter, PointTs, all), all, total(), collect, filter.stop()};
    }

    void append(std::uint32_t index, TimeRange part, bool isNumbered, std::vector<CounterRow>& out, const std::stop_token& stop) const
    {
        const Timeline& timeline = m_recording.timeline();
        const CounterRef series = (*m_recording.counters)[index].series;
        std::uint64_t number = isNumbered ? countBefore(series, part.begin) : 0;
        forEachPoint(
            timeline, series, part,
            [&](std::span<const SeriesPoint> points) {
                for (const SeriesPoint& point : points)
                    out.push_back({point.time, index, number++, point.value});
            },
            stop);
    }

    /// Returns the number of a series' points before a time. Cost: reads the directory, and a few blocks.
    std::uint64_t countBefore(CounterRef series, Timestamp at) const
    {
        const Timestamp begin = rangeOf(m_recording.timeline()).begin;
        if (at <= begin)
            return 0;
        std::uint64_t count = 0;
        for (const SeriesColumn& column : seriesColumns(m_recording.timeline(), series, {begin, at}, at - begin).columns)
            count += column.count;
        return count;
    }

    void write(const CounterRow& row, int column, ValueSink sink) const override
    {
        const CounterTrack& track = (*m_recording.counters)[row.track];
        switch (column) {
        case PointId: return sink.integer(static_cast<std::int64_t>(track.firstPoint + row.number));
        case PointTs: return sink.integer(nanoseconds(row.ts));
        case PointTrack: return sink.integer(track.id);
        case PointValue: return sink.real(row.value.number(track.number));
        default: return;
        }
    }

    Recording m_recording;
};

} // namespace

extern const TableFactory counterTable;
const TableFactory counterTable{
    "counter", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<CounterPoints>(recording); }};

} // namespace helio::sql
