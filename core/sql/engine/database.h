#pragma once

#include "core/base/result.h"
#include "core/sql/dialect/modules.h"
#include "core/sql/dialect/sums.h"
#include "core/sql/engine/filter.h"
#include "core/sql/engine/table.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// Receives the result of a query, row by row.
class RowReceiver {
public:
    virtual ~RowReceiver() = default;

    /// Called once, before the first row, also if there are no rows.
    virtual void columns(std::span<const std::string> names) = 0;
    /// Called for each row; `values` is valid only during the call. Returning false ends the query.
    virtual bool row(std::span<const Value> values) = 0;
};

/// A scalar function of SQL: computes a value from the values of its arguments.
struct Function {
    std::string name;
    int arguments = 0; ///< Number of arguments; -1 for any number.
    std::function<Result<Value>(std::span<const Value>)> compute;
};

/// Values of the rows of one group, from which an aggregate function computes its result.
class GroupState {
public:
    virtual ~GroupState() = default;

    /// Adds a row. Errors: end the query with the message.
    virtual Status add(std::span<const Value> arguments) = 0;
    virtual Value result() const = 0;
};

/// An aggregate function of SQL, like sum().
struct AggregateFunction {
    std::string name;
    int arguments = 0;
    std::function<std::unique_ptr<GroupState>()> begin; ///< Called for each group of rows.
    Value ofNoRows{}; ///< Result for a group without rows.
};

/// Limits of one call of Database::run().
struct RunLimits {
    std::stop_token stop{}; ///< A request ends the statement that runs with the error Cancelled.
    std::optional<std::chrono::milliseconds> time{}; ///< Longest time of all statements together; nullopt for no limit.
};

/// A private database, in which tables are added that read something else. The only code that calls SQLite.
///
/// Statements may create, fill and drop tables and views of their own, which are kept in a temporary file until the database is destroyed.
/// They cannot open other databases or files, load code, or change tables that addTable() added: these fail with the error Usage.
/// Threads: to be used by one thread at a time.
class Database {
public:
    /// Errors: Full or Unreadable if the temporary database cannot be made.
    static Result<std::unique_ptr<Database>> create();
    virtual ~Database() = default;

    virtual Status addTable(const std::string& name, std::unique_ptr<Table> table) = 0;
    virtual Status addFunction(Function function) = 0;
    virtual Status addAggregate(AggregateFunction function) = 0;
    /// Makes the tables and views of a database file readable; statements of users cannot change them. Another process may change the file
    /// at the same time: each statement then reads it as it is when the statement begins. `name`: the schema's name, a word.
    /// Errors: NotFound or Unreadable if the file cannot be read; Corrupt if it is no database.
    virtual Status attach(const std::filesystem::path& file, const std::string& name) = 0;
    /// Sets the table whose rows may be replaced by sums in queries that only need these. The first of SumTable::summed must have been
    /// added; its columns that are not in SumTable::groups are added to SumTable::others.
    virtual void setSums(SumTable table) = 0;
    /// Runs statements of the program itself, which may do what addTable() and queries of users may not, e.g. create protected views.
    virtual Status addViews(std::string_view statements) = 0;

    /// Sets the modules that INCLUDE PERFETTO MODULE finds; without a call, those of the program.
    virtual void setModules(ModuleLibrary modules) = 0;
    virtual const ModuleLibrary& modules() const = 0;

    /// Runs the statements in `sql`, which may be written in Perfetto's dialect, and passes the rows of the last one to `receiver`. A last
    /// statement without rows passes no columns. Errors: Usage for wrong or forbidden statements, with line and column where known;
    /// Cancelled; Full if a result or the temporary file becomes too large.
    virtual Status run(std::string_view sql, RowReceiver& receiver, const RunLimits& limits = {}) = 0;

    /// Returns true if the text ends with a complete statement, so that a prompt need not wait for more lines.
    static bool isComplete(const std::string& sql);
};

/// Position in the text of statements; both numbers begin with 1. Columns count bytes.
struct TextPosition {
    std::int64_t line = 1;
    std::int64_t column = 1;
};
/// Returns the position that the message of an error of Database::run() names; nullopt if it names none.
std::optional<TextPosition> positionIn(std::string_view message);

/// Returns a text as a literal of SQL, in quotes.
std::string quoted(std::string_view text);

} // namespace helio::sql
