#pragma once

#include "core/sql/engine/rows_by_time.h"
#include "core/sql/engine/table.h"

#include <memory>
#include <span>
#include <utility>

namespace helio::sql {

/// A table whose rows are read from the stores in time order while a query runs.
template <typename Row> class TimeTable : public Table {
public:
    using Rows = RowsByTime<Row>;

    std::unique_ptr<Cursor> open() const override { return std::make_unique<TimeCursor>(*this); }

protected:
    /// Returns the rows that may fulfil the filter's conditions.
    virtual Rows rows(const Filter& filter) const = 0;
    virtual void write(const Row& row, int column, ValueSink sink) const = 0;

private:
    class TimeCursor final : public Cursor {
    public:
        explicit TimeCursor(const TimeTable& table)
            : m_table(table)
        {
        }
        void start(const Filter& filter) override
        {
            m_rows = m_table.rows(filter);
            m_count = -1;
            next();
        }
        bool isAtEnd() const override { return m_isAtEnd; }
        void next() override
        {
            m_isAtEnd = !m_rows.next();
            ++m_count;
        }
        void write(int column, ValueSink sink) override { m_table.write(m_rows.row(), column, sink); }
        std::int64_t rowId() const override { return m_count; }

    private:
        const TimeTable& m_table;
        Rows m_rows;
        std::int64_t m_count = 0; ///< Number of rows before the current one.
        bool m_isAtEnd = true;
    };
};

/// Returns the part of `all` that a column of times allows, whose conditions are in `filter`.
inline TimeRange timesAllowed(const Filter& filter, int column, TimeRange all)
{
    const IntegerRange allowed = filter.range(column);
    if (allowed.isEmpty())
        return {all.begin, all.begin};
    const Timestamp last = timestamp(allowed.highest);
    return {std::max(all.begin, timestamp(allowed.lowest)), last < all.end ? last + Duration(1) : all.end};
}

} // namespace helio::sql
