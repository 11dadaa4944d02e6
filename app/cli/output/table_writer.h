#pragma once

#include "app/cli/output/output.h"
#include "core/base/time.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace helio {

class JsonWriter;

enum class OutputFormat : std::uint8_t { Text, Csv, Json };

/// How moments are shown to people: local time of day, or seconds of a clock without an epoch.
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

/// "1.234567 ms": a length as people read it, exact to the nanosecond.
void appendDuration(std::string& out, std::int64_t ns);

/// RFC 4180: quoted where it must be; what is not UTF-8 appears as \xNN.
void appendCsv(std::string& out, std::string_view text);

/// One value of a table; csv and json show times and lengths as integer ns, text as people read them.
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
    /// Shown as `text`; json has all its digits.
    static Cell real(double value, const std::string& text)
    {
        Cell cell(text);
        cell.kind = Kind::Real;
        cell.value = value;
        return cell;
    }
    static Cell id(std::int64_t n) { return n < 0 ? Cell() : integer(n); } ///< Nothing for "not known".

private:
    Cell(Kind k, std::int64_t n)
        : kind(k)
        , number(n)
    {
    }
};

/// "12.50": the part of the whole in percent; of nothing 0.
std::string percentText(std::uint64_t part, std::uint64_t whole);

/// Writes rows as they come: csv with a header line, one JSON object a line keyed by the columns, or columns of text (aligned by the first
/// few hundred rows, then streaming). Memory stays bounded. One thread.
///
/// With a head JSON is one document: an object of the members that the head writes, and of the rows as the array "rows".
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
    std::vector<std::vector<std::string>> m_held; ///< Text rows until the widths are known.
    std::vector<std::size_t> m_widths;
    std::vector<bool> m_isNumber;
    bool m_isStreaming = false;
    bool m_isDocument = false; ///< JSON with a head.
    bool m_hasRows = false;
};

} // namespace helio
