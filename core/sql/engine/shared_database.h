#pragma once

#include "core/base/result.h"
#include "core/sql/engine/filter.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace helio::sql {

/// A database file that several processes read and change at once. Statements are the program's own; values of users are parameters.
///
/// Threads: to be used by one thread.
/// Errors: Unreadable if the file cannot be read or written, or if another process holds it for a minute; Corrupt if it is no database;
/// Full if the disk is full. A transaction that was begun is then undone by the destructor.
class SharedDatabase {
public:
    enum class Access : std::uint8_t {
        Read, ///< The file must exist. What a killed process left unfinished is undone, if the file may be written to.
        Change, ///< The file is created if it does not exist.
    };

    /// `stop`: a request ends waits for other processes with the error Cancelled.
    static Result<std::unique_ptr<SharedDatabase>> open(const std::filesystem::path& path, Access access, const std::stop_token& stop = {});
    virtual ~SharedDatabase() = default;

    /// Runs statements without parameters, and drops their rows.
    virtual Status execute(const std::string& statements) = 0;

    using TakeRow = std::function<void(std::span<const Value>)>;
    /// Runs one statement, whose n-th parameter is `parameters[n - 1]`, and calls `take` for each row. The prepared statement is
    /// kept for further calls with that text.
    virtual Status run(const std::string& statement, std::span<const Value> parameters = {}, const TakeRow& take = {}) = 0;

    virtual std::int64_t lastRow() const = 0; ///< Returns the id of the row that was inserted last.
};

} // namespace helio::sql
