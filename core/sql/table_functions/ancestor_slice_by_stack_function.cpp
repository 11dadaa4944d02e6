#include "core/sql/engine/rows_by_time.h"
#include "core/sql/tables/slice_columns.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace helio::sql {
namespace {

/// ancestor_slice_by_stack(start_stack_id): the calls that the slices with a stack id are part of, each once. Not sorted by time.
class AncestorSlicesByStack final : public Table {
public:
    explicit AncestorSlicesByStack(const Recording& recording)
        : m_recording(recording)
        , m_columns{argument("start_stack_id")}
    {
        for (Column column : sliceColumns()) {
            column.search = Search::None;
            m_columns.push_back(column);
        }
    }

    std::span<const Column> columns() const override { return m_columns; }
    double estimatedRows() const override { return 100; }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<AncestorRows>(m_recording); }

private:
    class AncestorRows final : public Cursor {
    public:
        explicit AncestorRows(const Recording& recording)
            : m_recording(recording)
        {
        }

        void start(const Filter& filter) override
        {
            const TimeRange all = rangeOfSlices(m_recording);
            const Slices& slices = *m_recording.slices;
            m_stack = filter.equal(0).value_or(-1);
            m_slices = RowsByTime<SliceRow>(all, all, slices.total(), slices.reader({}, true, filter.stop()), filter.stop());
            m_lastAncestors.clear();
            m_found.clear();
            m_at = 0;
            m_number = 0;
            findNext();
        }
        bool isAtEnd() const override { return m_at >= m_found.size(); }
        void next() override
        {
            ++m_at;
            ++m_number;
            findNext();
        }
        void write(int column, ValueSink sink) override { writeSlice(m_recording, m_found[m_at], column - 1, sink); }
        std::int64_t rowId() const override { return m_number; }

    private:
        /// Finds the ancestors of further slices with the stack id, if all found ones were returned.
        void findNext()
        {
            const Slices& slices = *m_recording.slices;
            while (isAtEnd() && m_slices.next()) {
                const SliceRow& slice = m_slices.row();
                if (slices.stackIdOf(slice) != m_stack)
                    continue;
                m_found = slices.ancestorsOf(slice);
                m_at = 0;
                // Slices with one stack id follow each other on a track, so that an ancestor of several was found for the last one, too.
                std::vector<std::int64_t> ids;
                for (const SliceRow& ancestor : m_found)
                    ids.push_back(slices.idOf(ancestor));
                std::vector<std::int64_t>& last = m_lastAncestors[slices.trackIdOf(slice)];
                std::erase_if(m_found, [&](const SliceRow& it) { return std::ranges::find(last, slices.idOf(it)) != last.end(); });
                last = std::move(ids);
            }
        }

        const Recording& m_recording;
        std::int64_t m_stack = 0;
        RowsByTime<SliceRow> m_slices;
        std::map<std::int64_t, std::vector<std::int64_t>> m_lastAncestors; ///< Ids of the ancestors found last, by track.
        std::vector<SliceRow> m_found;
        std::size_t m_at = 0;
        std::int64_t m_number = 0;
    };

    Recording m_recording;
    std::vector<Column> m_columns;
};

} // namespace

extern const TableFactory ancestorSliceByStackFunction;
const TableFactory ancestorSliceByStackFunction{"ancestor_slice_by_stack", [](const Recording& recording) -> std::unique_ptr<Table> {
                                                    return std::make_unique<AncestorSlicesByStack>(recording);
                                                }};

} // namespace helio::sql
