#include "core/sql/engine/time_table.h"
#include "core/sql/tables/slice_columns.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <memory>

namespace helio::sql {
namespace {

/// Calls, system calls, interrupts, disk requests and all else that has a begin, an end and a name.
class SliceTable final : public TimeTable<SliceRow> {
public:
    explicit SliceTable(const Recording& recording)
        : m_recording(recording)
    {
    }

    std::span<const Column> columns() const override { return sliceColumns(); }
    double estimatedRows() const override { return static_cast<double>(m_recording.slices->total()); }

private:
    Rows rows(const Filter& filter) const override
    {
        const TimeRange all = rangeOfSlices(m_recording);
        TimeRange range = timesAllowed(filter, SliceBegin, all);
        IntegerRange tracks = filter.range(SliceTrackId);
        if (const auto id = filter.equal(SliceRowId)) {
            const auto slice = m_recording.slices->find(*id);
            if (!slice)
                return {};
            const std::int64_t track = m_recording.slices->trackIdOf(*slice);
            tracks = {std::max(tracks.lowest, track), std::min(tracks.highest, track)};
            range = range.clippedTo({slice->ts, slice->ts + Duration(1)});
        }
        const bool isNumbered = readsNumber(filter);
        return {range, all, m_recording.slices->total(), m_recording.slices->reader(tracks, isNumbered, filter.stop()), filter.stop()};
    }

    void write(const SliceRow& row, int column, ValueSink sink) const override { writeSlice(m_recording, row, column, sink); }

    Recording m_recording;
};

} // namespace

extern const TableFactory sliceTable;
const TableFactory sliceTable{"slice",
                              [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SliceTable>(recording); }};

} // namespace helio::sql
