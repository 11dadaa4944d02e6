#pragma once

#include "app/cli/output/output.h"
#include "core/base/csv.h"
#include "core/base/time.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace helio {

class OutputReceiver;

class JsonWriter;

enum class OutputFormat : std::uint8_t { Text, Csv, Json };

/// Format of times in text output: local time of day, or seconds if the clock has no epoch.
class TimeStyle {
public:
    explicit TimeStyle(bool hasEpoch = true)
        : m_hasEpoch(hasEpoch)
    {
    }
    void append(std::string& out, std::int64_t ns) const;

private:
    bool m_hasEpoch;
};

/// Appends a duration with a readable unit, exact to the nanosecond, for example "1.234567 ms".
void appendDuration(std::string& out, std::int64_t ns);

/// A value of a table. CSV and JSON show times and durations as integer ns, text shows them in readable form.
struct Cell {
    enum class Kind : std::uint8_t { None, Text, Integer, Real, Time, Length };
    Kind kind = Kind::None;
    std::int64_t number = 0;
    double value = 0;
    std::string text;

    Cell() = default;
    Cell(std::string_view t)
        : kind(Kind::Text)
        , text(t)
    {
    }
    Cell(const char* t)
        : Cell(std::string_view(t))
    {
    }
    Cell(const std::string& t)
        : Cell(std::string_view(t))
    {
    }
    Cell(Timestamp t)
        : kind(Kind::Time)
        , number(nanoseconds(t))
    {
    }
    Cell(Duration d)
        : kind(Kind::Length)
        , number(d.count())
    {
    }
    static Cell integer(std::int64_t n) { return Cell(Kind::Integer, n); }
    static Cell count(std::uint64_t n) { return integer(static_cast<std::int64_t>(std::min<std::uint64_t>(n, INT64_MAX))); }
    /// Returns a cell with a real number: `text` in text and CSV, `value` with all digits in JSON.
    static Cell real(double value, const std::string& text)
    {
        Cell cell(text);
        cell.kind = Kind::Real;
        cell.value = value;
        return cell;
    }
    /// Returns a cell with an id; an empty cell if `n` is negative, i.e. unknown.
    static Cell id(std::int64_t n) { return n < 0 ? Cell() : integer(n); }

private:
    Cell(Kind k, std::int64_t n)
        : kind(k)
        , number(n)
    {
    }
};

/// Returns a cell as text output prints it; times as `times` prints them.
std::string textOf(const Cell& cell, const TimeStyle& times);

/// Returns `part` in percent of `whole`, for example "12.50"; 0 if `whole` is 0.
std::string percentText(std::uint64_t part, std::uint64_t whole);

/// Writes the rows of a table as they arrive: CSV with a header line, one JSON object per line keyed by column, or columns of text, aligned
/// to the first few hundred rows.
///
/// If the command passes a function `head`, the JSON output is one object: it has the members that `head` writes, and the rows as the array
/// "rows".
///
/// Threads: to be used by one thread at a time.
/// Memory: bounded; only the first rows of text output are kept.
class TableWriter {
public:
    using Head = std::function<void(JsonWriter&)>;

    TableWriter(Output& output, OutputFormat format, std::vector<std::string> columns, TimeStyle times, const Head& head = {});
    ~TableWriter();

    void row(const std::vector<Cell>& cells);
    bool hasRows() const { return m_hasRows; }

private:
    void jsonRow(const std::vector<Cell>& cells);
    void csvRow(const std::vector<Cell>& cells);
    void textRow(const std::vector<Cell>& cells);
    void writeHeld();
    void writeText(const std::vector<std::string>& texts);
    std::string textOf(const Cell& cell) const;

    Output& m_output;
    OutputFormat m_format;
    std::vector<std::string> m_columns;
    TimeStyle m_times;
    std::vector<std::vector<std::string>> m_held; ///< First rows of text output, kept until the column widths are known.
    std::vector<std::size_t> m_widths;
    std::vector<bool> m_isNumber;
    bool m_isStreaming = false;
    /// True if the JSON output is an object with further members before the rows, instead of an array of rows.
    bool m_isDocument = false;
    OutputReceiver* m_cellReceiver = nullptr; ///< Receiver that takes the rows as cells; nullptr if the rows are printed.
    bool m_areArrays = false; ///< True if JSON rows are arrays of values, for the receiver of a redirected output.
    bool m_hasRows = false;
};

} // namespace helio
