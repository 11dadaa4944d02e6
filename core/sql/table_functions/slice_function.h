#pragma once

#include "core/sql/engine/time_table.h"
#include "core/sql/tables/slice_columns.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::sql {

/// Base class of table-valued functions that return slices: one argument, and the columns of the table `slice`.
class SliceFunction : public TimeTable<SliceRow> {
public:
    SliceFunction(const Recording& recording, std::string_view argumentName)
        : m_recording(recording)
        , m_columns{argument(argumentName)}
    {
        m_columns.insert(m_columns.end(), sliceColumns().begin(), sliceColumns().end());
    }

    std::span<const Column> columns() const override { return m_columns; }
    double estimatedRows() const override { return 10; }

protected:
    const Recording& recording() const { return m_recording; }
    const Slices& slices() const { return *m_recording.slices; }

    /// Returns the value of the argument. Requires: `filter` is that of a call.
    static std::int64_t argumentIn(const Filter& filter) { return filter.equal(0).value_or(-1); }

    static constexpr int FirstColumn = 1; ///< Number of the first column of the table `slice`, after the argument.

    /// Returns rows that a call found at once, in time order.
    static Rows makeRows(std::vector<SliceRow> found, const Filter& filter)
    {
        if (found.empty())
            return {};
        const TimeRange range{found.front().ts, found.back().ts + Duration(1)};
        const auto collect = [found = std::move(found)](TimeRange part, std::vector<SliceRow>& out) {
            std::ranges::copy_if(found, std::back_inserter(out), [part](const SliceRow& slice) { return part.contains(slice.ts); });
        };
        return {range, range, 1, collect, filter.stop()};
    }

private:
    void write(const SliceRow& row, int column, ValueSink sink) const override { writeSlice(m_recording, row, column - FirstColumn, sink); }

    Recording m_recording;
    std::vector<Column> m_columns;
};

} // namespace helio::sql
