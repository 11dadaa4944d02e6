#pragma once

#include "core/sql/engine/table.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

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
    /// Returns the numbers of the rows that fulfil a condition of the query, ascending; nullopt if wantedRows() tells them.
    virtual std::optional<std::vector<std::uint64_t>> listRows(const Filter&) const { return {}; }
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
            m_at = m_end = 0;
            const std::uint64_t rows = m_table.countRows(filter);
            if (m_stop.stop_requested())
                return;
            m_listed = m_table.listRows(filter);
            if (m_listed) {
                m_end = m_listed->size();
                return;
            }
            const IntegerRange wanted = m_table.wantedRows(filter);
            if (wanted.isEmpty() || wanted.highest < 0)
                return;
            m_at = static_cast<std::uint64_t>(std::max<std::int64_t>(0, wanted.lowest));
            m_end = std::min(rows, static_cast<std::uint64_t>(wanted.highest) + 1);
            skipMissing();
        }
        bool isAtEnd() const override { return m_at >= m_end; }
        void next() override
        {
            ++m_at;
            skipMissing();
        }
        void write(int column, ValueSink sink) override { m_table.write(row(), column, sink); }
        std::int64_t rowId() const override { return static_cast<std::int64_t>(row()); }

    private:
        std::uint64_t row() const { return m_listed ? (*m_listed)[m_at] : m_at; }

        void skipMissing()
        {
            while (!m_listed && m_at < m_end && !m_table.exists(m_at))
                ++m_at;
        }

        const NumberedTable& m_table;
        std::stop_token m_stop;
        std::optional<std::vector<std::uint64_t>> m_listed; ///< Numbers of the rows; nullopt for the rows from m_at to m_end.
        std::uint64_t m_at = 0; ///< Number of the row, or its index in m_listed.
        std::uint64_t m_end = 0;
    };
};

} // namespace helio::sql
