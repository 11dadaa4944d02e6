#pragma once

#include "core/sql/engine/filter.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

struct sqlite3_context;

namespace helio::sql {

/// Type of a column's values as the schema declares it. NULL is allowed in each column.
enum class ColumnType : std::uint8_t { Integer, Real, Text };

/// Conditions on a column that a table evaluates itself, so that a query does not visit the other rows.
enum class Search : std::uint8_t {
    None, ///< The table returns all rows; the engine evaluates the conditions.
    Equal, ///< The table finds the rows with a value directly.
    Ordered, ///< The rows are sorted by the column: the table finds a value and a range of values directly.
};

/// Place of a column in a table.
enum class ColumnRole : std::uint8_t {
    Shown, ///< A column of `SELECT *`.
    Hidden, ///< A column that queries get only by its name.
    /// An argument of a table-valued function, e.g. `id` in `ancestor_slice(id)`. A query must give each argument: `FROM f(1)`, or
    /// `FROM f WHERE id = 1`.
    Argument,
    OptionalArgument, ///< An argument that a query may leave out, or give as NULL.
};

struct Column {
    std::string_view name;
    ColumnType type = ColumnType::Integer;
    Search search = Search::None;
    bool isUnique = false; ///< True if each value occurs in at most one row.
    ColumnRole role = ColumnRole::Shown;
};

/// Returns the column of an argument. Arguments precede all other columns, in the order in which a call gives them: SQLite assigns the
/// values of a call to the first hidden columns.
constexpr Column argument(std::string_view name, ColumnType type = ColumnType::Integer)
{
    return {name, type, Search::Equal, false, ColumnRole::Argument};
}
constexpr Column optionalArgument(std::string_view name, ColumnType type = ColumnType::Integer)
{
    return {name, type, Search::Equal, false, ColumnRole::OptionalArgument};
}

/// Receiver of one value of a row. Valid only during the call of Cursor::write().
class ValueSink {
public:
    explicit ValueSink(sqlite3_context* context)
        : m_context(context)
    {
    }
    void null(); ///< Sets the value to NULL, which is also the value if no function is called.
    void integer(std::int64_t value);
    void real(double value);
    void text(std::string_view value); ///< Copies the text.
    /// Sets a text that stays where it is as long as its table, or NULL if `value` is empty. Copies nothing.
    void lastingTextOrNull(std::string_view value);

    void value(const Value& value);

    /// Sets an id, or NULL if `value` is negative.
    void id(std::int64_t value) { value < 0 ? null() : integer(value); }
    /// Sets a text, or NULL if `value` is empty.
    void textOrNull(std::string_view value) { value.empty() ? null() : text(value); }

private:
    sqlite3_context* m_context;
};

/// Iterates over the rows of a table that may fulfil the conditions of a query. The engine evaluates all conditions again, so a cursor may
/// return more rows.
/// Threads: to be used by one thread.
class Cursor {
public:
    virtual ~Cursor() = default;

    /// Moves to the first row. May be called again with another filter.
    /// Errors: throws std::invalid_argument if an argument of a table-valued function has no meaning.
    virtual void start(const Filter& filter) = 0;
    virtual bool isAtEnd() const = 0;
    virtual void next() = 0;
    virtual void write(int column, ValueSink sink) = 0;
    virtual std::int64_t rowId() const = 0;
};

/// A table of a database: a view of the timeline's contents, from which nothing is copied. A table whose columns include arguments is a
/// table-valued function: its cursors find the arguments in the filter of Cursor::start(), and the engine writes them as columns. An
/// argument of type Integer or Real is a number; a call with NULL for an argument has no rows, and the cursor is not started.
/// Threads: all methods are called by one thread at a time.
class Table {
public:
    virtual ~Table() = default;

    virtual std::span<const Column> columns() const = 0;
    virtual double estimatedRows() const = 0; ///< Approximate number of rows, by which the engine plans joins.
    /// Returns the exact number of rows if it is known without reading them; the engine then answers `SELECT count(*)` with it.
    virtual std::optional<std::uint64_t> exactRows() const { return {}; }
    virtual std::unique_ptr<Cursor> open() const = 0;
};

} // namespace helio::sql
