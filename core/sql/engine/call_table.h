#pragma once

#include "core/sql/engine/list_table.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace helio::sql {

/// A table-valued function whose calls have few rows each, which are made in memory.
template <typename Row> class CallTable final : public Table {
public:
    /// Returns the rows of a call, whose arguments are in the filter. May end early after a stop request.
    using Compute = std::function<std::vector<Row>(const Filter& filter)>;

    /// The arguments are the first columns, so that the filter has the first argument as column 0.
    CallTable(std::span<const Column> arguments, std::vector<ListColumn<Row>> columns, Compute compute)
        : m_arguments(arguments.size())
        , m_columns(std::move(columns))
        , m_descriptions(arguments.begin(), arguments.end())
        , m_compute(std::move(compute))
    {
        for (const ListColumn<Row>& it : m_columns)
            m_descriptions.push_back(it.column);
    }

    std::span<const Column> columns() const override { return m_descriptions; }
    double estimatedRows() const override { return 10; }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<CallCursor>(*this); }

private:
    class CallCursor final : public Cursor {
    public:
        explicit CallCursor(const CallTable& table)
            : m_table(table)
        {
        }

        void start(const Filter& filter) override
        {
            m_rows = m_table.m_compute(filter);
            m_at = 0;
        }
        bool isAtEnd() const override { return m_at >= m_rows.size(); }
        void next() override { ++m_at; }
        void write(int column, ValueSink sink) override
        {
            m_table.m_columns[static_cast<std::size_t>(column) - m_table.m_arguments].write(m_rows[m_at], sink);
        }
        std::int64_t rowId() const override { return static_cast<std::int64_t>(m_at); }

    private:
        const CallTable& m_table;
        std::vector<Row> m_rows;
        std::size_t m_at = 0;
    };

    std::size_t m_arguments;
    std::vector<ListColumn<Row>> m_columns;
    std::vector<Column> m_descriptions;
    Compute m_compute;
};

} // namespace helio::sql
