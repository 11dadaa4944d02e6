#include "core/query/rows/facts.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/model/flows.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

struct FlowRow {
    Timestamp ts; ///< Begin of the arrow.
    std::int64_t number = 0; ///< Number of the flow in the order of time, from 0.
    Arrow arrow;
};

enum FlowColumn : int { FlowId, FlowOut, FlowIn, FlowTrace, FlowArguments, FlowOutTime, FlowInTime };

constexpr std::array FlowColumns{
    Column{"id"},
    Column{"slice_out"},
    Column{"slice_in"},
    Column{"trace_id"},
    Column{"arg_set_id"},
    Column{"out_ts", ColumnType::Integer, Search::None, false, ColumnRole::Hidden},
    Column{"in_ts", ColumnType::Integer, Search::None, false, ColumnRole::Hidden},
};

class FlowTable final : public TimeTable<FlowRow> {
public:
    explicit FlowTable(const Recording& recording)
        : m_recording(recording)
        , m_flows(recording.slices)
    {
    }

    std::span<const Column> columns() const override { return FlowColumns; }
    double estimatedRows() const override { return 1'000; }

private:
    Rows rows(const Filter& filter) const override
    {
        TimeRange all = rangeOf(m_recording.timeline());
        all.end += Duration(1);
        const auto collect = [this, stop = filter.stop(), count = std::make_shared<std::int64_t>(0)](TimeRange part,
                                                                                                     std::vector<FlowRow>& out) {
            const auto take = [&](const Arrow& arrow) {
                if (part.contains(arrow.fromTime))
                    out.push_back({arrow.fromTime, (*count)++, arrow});
            };
            m_flows.forEach(part, take, stop);
        };
        return {all, all, m_recording.slices->total(), collect, filter.stop()};
    }

    void write(const FlowRow& row, int column, ValueSink sink) const override
    {
        switch (column) {
        case FlowId: return sink.integer(row.number);
        case FlowOut: return writeId(m_flows.sliceAt(row.arrow.from, row.arrow.fromTime), sink);
        case FlowIn: return writeId(m_flows.sliceAt(row.arrow.to, row.arrow.toTime), sink);
        case FlowOutTime: return sink.integer(nanoseconds(row.arrow.fromTime));
        case FlowInTime: return sink.integer(nanoseconds(row.arrow.toTime));
        default: return; // The id that the application gave the flow is not kept.
        }
    }

    static void writeId(std::optional<std::int64_t> id, ValueSink sink)
    {
        if (id)
            sink.integer(*id);
    }

    Recording m_recording;
    Flows m_flows;
};

} // namespace

extern const TableFactory flowTable;
const TableFactory flowTable{"flow",
                             [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<FlowTable>(recording); }};

} // namespace helio::sql
