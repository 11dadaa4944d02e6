#include "core/base/csv.h"
#include "core/export/export_file.h"
#include "core/export/export_format.h"
#include "core/export/tables/exported_tables.h"

#include <array>
#include <charconv>

namespace helio {
namespace {

/// Appends a number with all its digits.
template <typename Number> void appendNumber(std::string& out, Number number)
{
    std::array<char, 40> digits;
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    out.append(digits.data(), end);
}

/// Writes the rows of a query as CSV (RFC 4180). NULL is an empty field; an empty text is a pair of quotes.
class CsvRows final : public sql::RowReceiver {
public:
    explicit CsvRows(ExportFile& file)
        : m_file(file)
    {
    }

    void columns(std::span<const std::string> names) override
    {
        for (const std::string& name : names) {
            separate(&name == names.data());
            appendCsv(m_file.buffer(), name);
        }
        m_file.write("\r\n");
    }
    bool row(std::span<const sql::Value> values) override
    {
        for (const sql::Value& value : values) {
            separate(&value == values.data());
            append(value);
        }
        m_file.write("\r\n");
        return m_file.isWritable();
    }

private:
    void separate(bool isFirst)
    {
        if (!isFirst)
            m_file.buffer() += ',';
    }
    void append(const sql::Value& value)
    {
        std::string& out = m_file.buffer();
        if (const auto* integer = std::get_if<std::int64_t>(&value))
            appendNumber(out, *integer);
        else if (const auto* real = std::get_if<double>(&value))
            appendNumber(out, *real);
        else if (const auto* text = std::get_if<std::string>(&value))
            text->empty() ? void(out += "\"\"") : appendCsv(out, *text);
    }

    ExportFile& m_file;
};

Status writeCsv(const ExportRequest& request, const std::filesystem::path& path)
{
    const auto tables = ExportedTables::open(request);
    if (!tables)
        return tables.error();
    std::size_t done = 0;
    for (const ExportedTable& table : tables->tables()) {
        request.report(double(done++) / double(tables->tables().size()));
        if (table.isView())
            continue;
        ExportFile file(path / (table.name + ".csv"), request.stop);
        CsvRows rows(file);
        const Status read = tables->query(table.select, rows);
        if (const Status closed = file.close(); !closed)
            return closed;
        if (!read)
            return read;
    }
    return Done{};
}

} // namespace

extern const ExportFormat csvExport;
const ExportFormat csvExport{30, "csv", "CSV tables",          "Folder with a CSV file for each table of SQL; for pandas and DuckDB",
                             "", true,  {.selectsView = true}, writeCsv};

} // namespace helio
