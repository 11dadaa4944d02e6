#pragma once

#include "core/base/time.h"
#include "core/sql/engine/filter.h"
#include "core/sql/row_locator.h"
#include "core/store/track_ref.h"
#include "widgets/workspace/sql_column_role.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;
struct TimeFormat;

/// Result of a query. Immutable after the query ended.
struct SqlResult {
    static constexpr std::size_t MostRows = 100'000;
    static constexpr std::size_t MostBytes = std::size_t{256} << 20; ///< Limit of the memory for the values of all rows, in bytes.

    QString query;
    std::vector<std::string> columns; ///< Names of the columns; empty if the last statement returns no rows.
    std::vector<sql::Value> values; ///< Values of all rows, row after row.
    bool isCut = false; ///< True if the query has more rows, which were not read.
    std::chrono::nanoseconds time{};
    std::shared_ptr<const Timeline> timeline; ///< Timeline that was queried; nullptr for a catalogue.
    std::shared_ptr<const sql::RowLocator> locator; ///< nullptr for a catalogue.
    bool hasLosses = false; ///< True if events were lost in the recording.

    /// Facts about all rows, which the thread of the query computes, because a large result takes longer than a frame.
    struct Facts {
        bool canBeBars = false; ///< See canBeBars().
        bool canBeCurves = false; ///< See canBeCurves().
        QStringList partitions; ///< See partitionColumns().
        std::size_t uncertain = 0; ///< Number of rows whose column `certain` is 0.
    };
    std::optional<Facts> facts;

    std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
    const sql::Value& value(std::size_t row, int column) const { return values[row * columns.size() + std::size_t(column)]; }
    /// Returns the first column with a name, whose case is ignored; -1 if there is none.
    int column(std::string_view name) const;
    /// Returns the integer in a column of a row; nullopt if the column is -1 or has another value.
    std::optional<std::int64_t> integer(std::size_t row, int column) const;
};

/// Returns a value as a program reads it: integers as digits, texts as they are; empty for NULL.
QString rawText(const sql::Value& value);
/// Returns a value as the table shows it, in one line. Long texts are cut.
QString shownText(const sql::Value& value, SqlColumnRole role, const TimeFormat& format);
/// Returns true if `a` comes before `b` as SQLite sorts them: NULL, numbers, texts.
bool isLess(const sql::Value& a, const sql::Value& b);
/// Returns a number as a double; nullopt for NULL and texts.
std::optional<double> numberOf(const sql::Value& value);

/// Range of a row of a result: from its `ts`, `dur` long. Empty at `ts` if there is no `dur`.
struct SqlRowPlace {
    TimeRange range;
    /// True if the end is unknown; the range then ends with the recording, or where it begins if the source is no recording.
    bool isOpen = false;
};
/// Returns nullopt if the row has no `ts`.
std::optional<SqlRowPlace> placeOf(const SqlResult& result, std::size_t row);
/// Returns the row of the timeline that a row of a result is about: that of its `track_id`, else of its `utid`, else of its CPU; not valid
/// if the result has none of them.
TrackRef trackOf(const SqlResult& result, std::size_t row);

/// Returns the listed rows in CSV (RFC 4180, with a header), or as JSON objects, one a line, as `heliograph sql` writes them.
QString sqlCsv(const SqlResult& result, const std::vector<std::size_t>& rows);
QByteArray sqlJson(const SqlResult& result, const std::vector<std::size_t>& rows);

/// Returns a short title of a query: its first comment, else its first line.
QString sqlTitle(const QString& query);

} // namespace helio
