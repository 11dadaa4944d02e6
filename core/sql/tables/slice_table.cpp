#include "core/query/rows/facts.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/model/argument_sets.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum SliceColumn : int {
    SliceRowId,
    SliceBegin,
    SliceLength,
    SliceTrackId,
    SliceCategory,
    SliceText,
    SliceDepth,
    SliceParent,
    SliceArguments,
    SliceThreadTs,
    SliceThreadDur
};

constexpr std::array SliceColumns{
    Column{"id", ColumnType::Integer, Search::Equal, true},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"track_id", ColumnType::Integer, Search::Equal},
    Column{"category", ColumnType::Text},
    Column{"name", ColumnType::Text},
    Column{"depth"},
    Column{"parent_id"},
    Column{"arg_set_id"},
    Column{"thread_ts"},
    Column{"thread_dur"},
    Column{"thread_instruction_count"},
    Column{"thread_instruction_delta"},
};

/// Calls, system calls, interrupts, disk requests and all else that has a begin, an end and a name.
class SliceTable final : public TimeTable<SliceRow> {
public:
    explicit SliceTable(const Recording& recording)
        : m_recording(recording)
    {
    }

    std::span<const Column> columns() const override { return SliceColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.slices->total()); }

private:
    Rows rows(const Filter& filter) const override
    {
        TimeRange range = timesAllowed(filter, SliceBegin, allTimes());
        IntegerRange tracks = filter.range(SliceTrackId);
        if (const auto id = filter.equal(SliceRowId)) {
            const auto slice = m_recording.slices->find(*id);
            if (!slice)
                return {};
            const std::int64_t track = m_recording.slices->trackIdOf(*slice);
            tracks = {std::max(tracks.lowest, track), std::min(tracks.highest, track)};
            range = range.clippedTo({slice->ts, slice->ts + Duration(1)});
        }
        const bool isNumbered = filter.reads(SliceRowId) || filter.reads(SliceArguments);
        return {range, allTimes(), m_recording.slices->total(), m_recording.slices->reader(tracks, isNumbered, filter.stop()),
                filter.stop()};
    }

    /// Returns the range of all slices. A slice may begin at the time of the last event, at which TimeRange::end lies.
    TimeRange allTimes() const
    {
        TimeRange range = rangeOf(m_recording.timeline());
        range.end += Duration(1);
        return range;
    }

    void write(const SliceRow& row, int column, ValueSink sink) const override
    {
        const Slices& slices = *m_recording.slices;
        switch (column) {
        case SliceRowId: return sink.integer(slices.idOf(row));
        case SliceBegin: return sink.integer(nanoseconds(row.ts));
        case SliceLength: return sink.integer(row.end ? (*row.end - row.ts).count() : -1);
        case SliceTrackId: return sink.integer(slices.trackIdOf(row));
        case SliceCategory: return writeCategory(row, sink);
        case SliceText: return sink.textOrNull(slices.nameOf(row));
        case SliceDepth: return sink.integer(slices.depthOf(row));
        case SliceParent:
            if (const auto parent = slices.parentOf(row))
                sink.integer(slices.idOf(*parent));
            return;
        case SliceArguments:
            if (slices.mayHaveArguments(row))
                sink.integer(argumentSetOf(ArgumentOwner::Slice, slices.idOf(row)));
            return;
        case SliceThreadDur:
            if (const auto time = slices.cpuTimeOf(row))
                sink.integer(time->count());
            return;
        default: return; // CPU clock at the begin, and instructions: not kept by any format that is read.
        }
    }

    void writeCategory(const SliceRow& row, ValueSink sink) const
    {
        for (const Slices::Argument& argument : m_recording.slices->argumentsOf(row))
            if (argument.key == "cat")
                return sink.text(argument.value);
    }

    Recording m_recording;
};

} // namespace

extern const TableFactory sliceTable;
const TableFactory sliceTable{"slice",
                              [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SliceTable>(recording); }};

} // namespace helio::sql
