#pragma once

#include "core/sql/engine/table.h"

#include <cstddef>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio::sql {

/// A column of a ListTable: its description, and how its value is read from a row.
template <typename Row> struct ListColumn {
    Column column;
    std::function<void(const Row&, ValueSink)> write;
    /// Integer by which rows with a value are found; required if Column::search is Equal. A negative key is never searched.
    std::function<std::int64_t(const Row&)> key{};
};

/// A table of rows in memory, for the few thousand things of a recording that have ids: threads, processes, CPUs, tracks.
///
/// Cost: a look-up in a hash table for each search; the tables of keys are made by the first search.
template <typename Row> class ListTable final : public Table {
public:
    /// Returns the rows of a table. May return other rows after a stop request.
    using MakeRows = std::function<std::vector<Row>(const std::stop_token& stop)>;

    /// Makes a table of the rows that `rows` returns, which is called by the first query, and again if that was stopped.
    ListTable(std::vector<ListColumn<Row>> columns, double estimatedRows, MakeRows rows)
        : m_columns(std::move(columns))
        , m_estimatedRows(estimatedRows)
        , m_makeRows(std::move(rows))
        , m_byKey(m_columns.size())
    {
        for (const ListColumn<Row>& it : m_columns)
            m_descriptions.push_back(it.column);
    }

    std::span<const Column> columns() const override { return m_descriptions; }
    double estimatedRows() const override { return m_estimatedRows; }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<ListCursor>(*this); }

private:
    using Index = std::unordered_map<std::int64_t, std::vector<std::size_t>>;

    class ListCursor final : public Cursor {
    public:
        explicit ListCursor(const ListTable& table)
            : m_table(table)
        {
        }

        void start(const Filter& filter) override
        {
            m_found = nullptr;
            m_at = m_size = 0;
            if (!m_table.makeRows(filter.stop()))
                return;
            m_size = m_table.m_rows.size();
            for (std::size_t i = 0; i < m_table.m_columns.size() && !m_found; ++i) {
                const auto key = filter.equal(static_cast<int>(i));
                if (m_table.m_columns[i].column.search != Search::Equal || !key)
                    continue;
                static const std::vector<std::size_t> None;
                const Index& index = m_table.index(i);
                const auto found = index.find(*key);
                m_found = found != index.end() ? &found->second : &None;
                m_size = m_found->size();
            }
        }
        bool isAtEnd() const override { return m_at >= m_size; }
        void next() override { ++m_at; }
        void write(int column, ValueSink sink) override
        {
            m_table.m_columns[static_cast<std::size_t>(column)].write(m_table.m_rows[row()], sink);
        }
        std::int64_t rowId() const override { return static_cast<std::int64_t>(row()); }

    private:
        std::size_t row() const { return m_found ? (*m_found)[m_at] : m_at; }

        const ListTable& m_table;
        const std::vector<std::size_t>* m_found = nullptr; ///< Numbers of the rows that were found by a key; nullptr for all rows.
        std::size_t m_at = 0;
        std::size_t m_size = 0;
    };

    /// Makes the rows if there are none yet. Returns false after a stop request.
    bool makeRows(const std::stop_token& stop) const
    {
        if (m_makeRows) {
            m_rows = m_makeRows(stop);
            if (stop.stop_requested())
                return false;
            m_makeRows = nullptr;
        }
        return true;
    }

    const Index& index(std::size_t column) const
    {
        Index& index = m_byKey[column];
        if (index.empty())
            for (std::size_t i = 0; i < m_rows.size(); ++i)
                if (const std::int64_t key = m_columns[column].key(m_rows[i]); key >= 0)
                    index[key].push_back(i);
        return index;
    }

    std::vector<ListColumn<Row>> m_columns;
    std::vector<Column> m_descriptions;
    double m_estimatedRows;
    mutable MakeRows m_makeRows; ///< Makes the rows; empty once `m_rows` has them.
    mutable std::vector<Row> m_rows;
    mutable std::vector<Index> m_byKey; ///< Numbers of rows by key, indexed by column; empty before the first search.
};

} // namespace helio::sql
