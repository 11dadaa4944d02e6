#pragma once

#include "core/sql/engine/table.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace helio::sql {

/// A table whose first column `id` numbers the rows from 0, and whose rows are found by their numbers.
class NumberedTable : public Table {
public:
    std::unique_ptr<Cursor> open() const override { return std::make_unique<NumberedCursor>(*this); }

protected:
    /// Returns the number of rows. Called at the begin of each query: may prepare the rows. The result is ignored after a stop request.
    virtual std::uint64_t countRows(const Filter& filter) const = 0;
    /// Returns the rows among which those are that a query wants.
    virtual IntegerRange wantedRows(const Filter& filter) const { return filter.range(0); }
    /// Returns false if there is no row with this number.
    virtual bool exists(std::uint64_t) const { return true; }
    virtual void write(std::uint64_t row, int column, ValueSink sink) const = 0;

private:
    class NumberedCursor final : public Cursor {
    public:
        explicit NumberedCursor(const NumberedTable& table)
            : m_table(table)
        {
        }

        void start(const Filter& filter) override
        {
            m_stop = filter.stop();
            m_row = m_end = 0;
            const std::uint64_t rows = m_table.countRows(filter);
            const IntegerRange wanted = m_table.wantedRows(filter);
            if (m_stop.stop_requested() || wanted.isEmpty() || wanted.highest < 0)
                return;
            m_row = static_cast<std::uint64_t>(std::max<std::int64_t>(0, wanted.lowest));
            m_end = std::min(rows, static_cast<std::uint64_t>(wanted.highest) + 1);
            skipMissing();
        }
        bool isAtEnd() const override { return m_row >= m_end; }
        void next() override
        {
            ++m_row;
            skipMissing();
        }
        void write(int column, ValueSink sink) override { m_table.write(m_row, column, sink); }
        std::int64_t rowId() const override { return static_cast<std::int64_t>(m_row); }

    private:
        void skipMissing()
        {
            while (m_row < m_end && !m_table.exists(m_row))
                ++m_row;
        }

        const NumberedTable& m_table;
        std::stop_token m_stop;
        std::uint64_t m_row = 0;
        std::uint64_t m_end = 0;
    };
};

} // namespace helio::sql
