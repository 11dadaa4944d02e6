#include "app/cli/output/table_writer.h"

#include "app/cli/output/redirection.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t HeldRows = 500;
constexpr std::int64_t Second = 1'000'000'000;

/// Returns the number of characters, an approximate width for aligning columns.
std::size_t width(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

} // namespace

void TimeStyle::append(std::string& out, std::int64_t ns) const
{
    const std::int64_t seconds = ns / Second - (ns % Second < 0);
    const std::int64_t rest = ns - seconds * Second;
    const std::time_t time = static_cast<std::time_t>(seconds);
    std::tm local{};
    if (m_hasEpoch && localtime_r(&time, &local))
        fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}.{:09}", local.tm_hour, local.tm_min, local.tm_sec, rest);
    else
        fmt::format_to(std::back_inserter(out), "{}.{:09}", seconds, rest);
}

void appendDuration(std::string& out, std::int64_t ns)
{
    const auto with = [&](std::int64_t unit, int digits, const char* name) {
        const auto whole = ns / unit;
        const auto rest = ns % unit < 0 ? -(ns % unit) : ns % unit;
        fmt::format_to(std::back_inserter(out), "{}{}.{:0{}} {}", whole == 0 && ns < 0 ? "-" : "", whole, rest, digits, name);
    };
    const std::int64_t size = ns < 0 ? -(ns + 1) : ns;
    if (size < 1'000)
        fmt::format_to(std::back_inserter(out), "{} ns", ns);
    else if (size < 1'000'000)
        with(1'000, 3, "us");
    else if (size < Second)
        with(1'000'000, 6, "ms");
    else
        with(Second, 9, "s");
}

TableWriter::TableWriter(Output& output, OutputFormat format, std::vector<std::string> columns, TimeStyle times, const Head& head)
    : m_output(output)
    , m_format(format)
    , m_columns(std::move(columns))
    , m_times(times)
    , m_isNumber(m_columns.size())
{
    m_isDocument = m_format == OutputFormat::Json && head;
    if (OutputReceiver* const receiver = outputReceiver()) {
        m_output.flush(); // The text above the table.
        const auto form = receiver->beginTable(m_columns, m_times, m_format == OutputFormat::Json && !m_isDocument);
        m_areArrays = form == OutputReceiver::RowForm::Arrays;
        if (form == OutputReceiver::RowForm::Cells) {
            m_cellReceiver = receiver;
            return;
        }
    }
    if (m_format == OutputFormat::Csv) {
        std::vector<Cell> names(m_columns.begin(), m_columns.end());
        csvRow(names);
    }
    if (m_isDocument) {
        JsonWriter json(m_output.buffer());
        json.beginObject();
        head(json);
        json.key("rows").beginArray(); // Keep the array and the object open for the rows. The destructor of TableWriter closes them.
    }
}

TableWriter::~TableWriter()
{
    if (m_cellReceiver) {
        m_cellReceiver->endTable();
        return;
    }
    if (m_format == OutputFormat::Text && !m_isStreaming)
        writeHeld();
    if (m_isDocument)
        m_output.buffer() += m_hasRows ? "\n]}\n" : "]}\n";
}

void TableWriter::row(const std::vector<Cell>& cells)
{
    if (m_cellReceiver) {
        m_hasRows = true;
        return m_cellReceiver->row(cells);
    }
    switch (m_format) {
    case OutputFormat::Json: jsonRow(cells); break;
    case OutputFormat::Csv: csvRow(cells); break;
    case OutputFormat::Text: textRow(cells); break;
    }
    m_hasRows = true;
    m_output.flushIfFull();
}

void TableWriter::jsonRow(const std::vector<Cell>& cells)
{
    if (m_isDocument)
        m_output.buffer() += m_hasRows ? ",\n" : "\n";
    JsonWriter json(m_output.buffer());
    m_areArrays ? json.beginArray() : json.beginObject();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (!m_areArrays)
            json.key(m_columns[i]);
        switch (cells[i].kind) {
        case Cell::Kind::None: json.null(); break;
        case Cell::Kind::Text: json.value(cells[i].text); break;
        case Cell::Kind::Real: json.value(cells[i].value); break;
        default: json.value(cells[i].number);
        }
    }
    m_areArrays ? json.endArray() : json.endObject();
    if (!m_isDocument)
        m_output.buffer() += '\n';
}

void TableWriter::csvRow(const std::vector<Cell>& cells)
{
    std::string& out = m_output.buffer();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (i > 0)
            out += ',';
        if (cells[i].kind == Cell::Kind::Text || cells[i].kind == Cell::Kind::Real)
            appendCsv(out, cells[i].text);
        else if (cells[i].kind != Cell::Kind::None)
            fmt::format_to(std::back_inserter(out), "{}", cells[i].number);
    }
    out += "\r\n";
}

std::string TableWriter::textOf(const Cell& cell) const { return helio::textOf(cell, m_times); }

std::string textOf(const Cell& cell, const TimeStyle& times)
{
    std::string out;
    switch (cell.kind) {
    case Cell::Kind::None: break;
    case Cell::Kind::Text:
    case Cell::Kind::Real: appendPrintable(out, cell.text); break;
    case Cell::Kind::Integer: out = std::to_string(cell.number); break;
    case Cell::Kind::Time: times.append(out, cell.number); break;
    case Cell::Kind::Length: appendDuration(out, cell.number); break;
    }
    return out;
}

void TableWriter::textRow(const std::vector<Cell>& cells)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        texts.push_back(textOf(cells[i]));
        using Kind = Cell::Kind;
        if (cells[i].kind == Kind::Integer || cells[i].kind == Kind::Real || cells[i].kind == Kind::Length)
            m_isNumber[i] = true;
    }
    if (m_isStreaming) {
        writeText(texts);
        return;
    }
    m_held.push_back(std::move(texts));
    if (m_held.size() == HeldRows)
        writeHeld();
}

void TableWriter::writeHeld()
{
    m_isStreaming = true;
    m_widths.assign(m_columns.size(), 0);
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        m_widths[i] = width(m_columns[i]);
        for (const auto& texts : m_held)
            m_widths[i] = std::max(m_widths[i], std::min<std::size_t>(width(texts[i]), 60));
    }
    writeText(m_columns);
    for (const auto& texts : m_held)
        writeText(texts);
    m_held.clear();
}

void TableWriter::writeText(const std::vector<std::string>& texts)
{
    std::string& out = m_output.buffer();
    const std::size_t begin = out.size();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0)
            out += "  ";
        const std::size_t own = width(texts[i]);
        const std::string padding(m_widths[i] > own ? m_widths[i] - own : 0, ' ');
        out += m_isNumber[i] ? padding + texts[i] : texts[i] + padding;
    }
    while (out.size() > begin && out.back() == ' ')
        out.pop_back();
    out += '\n';
}

std::string percentText(std::uint64_t part, std::uint64_t whole)
{
    return fmt::format("{:.2f}", whole ? 100.0 * double(part) / double(whole) : 0.0);
}

} // namespace helio
