#pragma once

#include "core/event_model/segment_fields.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/tables/certainty.h"
#include "core/sql/tables/slice_columns.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// Base class of tables of the segments of one kind, with columns for their fields. The first columns are `id`, which is also the id in the
/// table `slice`, `ts` and `dur`; the last one is `certain`.
class SlicesOfKind : public TimeTable<SliceRow> {
public:
    /// `own` are the columns after `dur`.
    SlicesOfKind(const Recording& recording, std::string_view kind, std::span<const Column> own)
        : m_recording(recording)
        , m_kind(kind)
        , m_columns{{"id"}, {"ts", ColumnType::Integer, Search::Ordered}, {"dur"}}
    {
        m_columns.insert(m_columns.end(), own.begin(), own.end());
        m_columns.push_back(CertainColumn);
    }

    std::span<const Column> columns() const override { return m_columns; }
    double estimatedRows() const override { return 1'000; }

protected:
    /// Writes a column of the constructor's `own`, counted from 0. `fields` are the fields of the segment, as fieldOf() reads them.
    virtual void writeOwn(const SliceRow& row, std::string_view fields, int column, ValueSink sink) const = 0;

    const Recording& recording() const { return m_recording; }

    static void writeText(std::string_view fields, std::string_view name, ValueSink sink)
    {
        if (const auto text = fieldOf(fields, name))
            sink.textOrNull(*text);
    }
    static void writeNumber(std::string_view fields, std::string_view name, ValueSink sink)
    {
        if (const auto number = numberOf(fields, name))
            sink.integer(*number);
    }
    /// Returns the value of a field; nullopt if the segment does not have the field or if its value is not an integer.
    static std::optional<std::int64_t> numberOf(std::string_view fields, std::string_view name)
    {
        const auto text = fieldOf(fields, name);
        std::int64_t number = 0;
        if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
            return {};
        return number;
    }

private:
    static constexpr int FirstOwn = 3;

    Rows rows(const Filter& filter) const override
    {
        const TimeRange all = rangeOfSlices(m_recording);
        return {timesAllowed(filter, 1, all), all, m_recording.slices->total(),
                m_recording.slices->reader({}, true, filter.stop(), {.only = m_kind}), filter.stop()};
    }

    void write(const SliceRow& row, int column, ValueSink sink) const override
    {
        if (column < FirstOwn)
            writeSlice(m_recording, row, column == 0 ? SliceRowId : column == 1 ? SliceBegin : SliceLength, sink);
        else if (column == static_cast<int>(m_columns.size()) - 1)
            writeSlice(m_recording, row, SliceCertain, sink);
        else
            writeOwn(row, m_recording.slices->fieldsOf(row), column - FirstOwn, sink);
    }

    Recording m_recording;
    std::string_view m_kind;
    std::vector<Column> m_columns;
};

} // namespace helio::sql
