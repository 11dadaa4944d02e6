#include "core/fleet/partitioned_files.h"

#include "core/base/csv.h"
#include "core/export/export_file.h"
#include "core/fleet/hive_folder.h"

#include <charconv>
#include <system_error>
#include <variant>

namespace helio::fleet {
namespace {

template <typename T> void appendNumber(std::string& out, T number)
{
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void appendValue(std::string& out, const sql::Value& value)
{
    if (const auto* const integer = std::get_if<std::int64_t>(&value))
        appendNumber(out, *integer);
    else if (const auto* const real = std::get_if<double>(&value))
        appendNumber(out, *real);
    else if (const auto* const text = std::get_if<std::string>(&value); text && text->empty())
        out += "\"\"";
    else if (text)
        appendCsv(out, *text);
}

} // namespace

std::string partitionOf(std::string_view day, std::string_view host) { return hiveFolder("day", day) + '/' + hiveFolder("host", host); }

PartitionedFiles::PartitionedFiles(std::filesystem::path folder, std::span<const std::string> columns, std::stop_token stop)
    : m_folder(std::move(folder))
    , m_stop(std::move(stop))
{
    for (const std::string& name : columns) {
        m_header += m_header.empty() ? "" : ",";
        appendCsv(m_header, name);
    }
    m_header += "\r\n";
}

PartitionedFiles::~PartitionedFiles() = default;

Status PartitionedFiles::addRow(std::string_view partition, std::span<const sql::Value> values)
{
    if (!m_file || partition != m_partition)
        if (Status begun = beginFile(partition); !begun)
            return begun;
    std::string& out = m_file->buffer();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0)
            out += ',';
        appendValue(out, values[i]);
    }
    out += "\r\n";
    m_file->flushIfFull();
    ++m_rows;
    return m_file->isWritable() ? Status(Done{}) : closeFile();
}

Status PartitionedFiles::beginFile(std::string_view partition)
{
    if (Status closed = closeFile(); !closed)
        return closed;
    const std::filesystem::path folder = m_folder / partition;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return cannotWrite(folder, error.value());
    m_partition = partition;
    m_file = std::make_unique<ExportFile>(folder / PartitionFile, m_stop);
    m_file->write(m_header);
    ++m_files;
    return Done{};
}

Status PartitionedFiles::finish()
{
    if (m_files == 0)
        if (Status begun = beginFile(partitionOf({}, {})); !begun)
            return begun;
    return closeFile();
}

Status PartitionedFiles::closeFile()
{
    if (!m_file)
        return Done{};
    Status closed = m_file->close(ExportFile::Sync::Later);
    m_file.reset();
    return closed;
}

} // namespace helio::fleet
