#include "core/query/rows/timeline_access.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/model/argument_sets.h"
#include "core/sql/tables/certainty.h"
#include "core/sql/tables/slice_columns.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum SegmentColumn : int {
    SegmentKindText,
    SegmentName,
    SegmentTs,
    SegmentDur,
    SegmentRow,
    SegmentUtid,
    SegmentArguments,
    SegmentId,
    SegmentCertain,
    SegmentHost
};

constexpr std::array SegmentColumns{
    Column{"kind", ColumnType::Text, Search::Equal},
    Column{"name", ColumnType::Text},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"row", ColumnType::Text},
    Column{"utid"},
    Column{"arg_set_id"},
    Column{"id"},
    CertainColumn,
    Column{"host_id"},
};

/// The slices with the kinds, names and rows that Heliograph's own queries of durations have.
class SegmentTable final : public TimeTable<SliceRow> {
public:
    explicit SegmentTable(const Recording& recording)
        : m_recording(recording)
    {
    }

    std::span<const Column> columns() const override { return SegmentColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.slices->total()); }

private:
    Rows rows(const Filter& filter) const override
    {
        std::string_view kind;
        if (const Value* const wanted = filter.equalValue(SegmentKindText)) {
            const auto* const text = std::get_if<std::string>(wanted);
            if (!text || text->empty())
                return {};
            kind = *text;
        }
        const TimeRange all = rangeOfSlices(m_recording);
        const bool isNumbered = filter.reads(SegmentArguments) || filter.reads(SegmentId);
        return {timesAllowed(filter, SegmentTs, all), all, m_recording.slices->total(),
                m_recording.slices->reader({}, isNumbered, filter.stop(), {.only = kind, .includesPreemptions = true}), filter.stop()};
    }

    void write(const SliceRow& row, int column, ValueSink sink) const override
    {
        const Slices& slices = *m_recording.slices;
        switch (column) {
        case SegmentKindText: return sink.text(slices.kindOf(row));
        case SegmentName: return sink.textOrNull(slices.plainNameOf(row));
        case SegmentTs: return writeSlice(m_recording, row, SliceBegin, sink);
        case SegmentDur: return writeSlice(m_recording, row, SliceLength, sink);
        case SegmentRow:
            if (const Track* const track = trackOf(m_recording.timeline(), slices.rowOf(row)))
                sink.text(track->key);
            return;
        case SegmentUtid:
            if (const auto thread = m_recording.things->threadOf(slices.rowOf(row), row.ts))
                sink.integer(*thread);
            return;
        case SegmentArguments: return writeSlice(m_recording, row, SliceArguments, sink);
        case SegmentId: return writeSlice(m_recording, row, SliceRowId, sink);
        case SegmentHost: return sink.integer(slices.hostOf(row));
        case SegmentCertain: return writeSlice(m_recording, row, SliceCertain, sink);
        default: return;
        }
    }

    Recording m_recording;
};

} // namespace

extern const TableFactory segmentTable;
const TableFactory segmentTable{
    "segment", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SegmentTable>(recording); }};

} // namespace helio::sql
