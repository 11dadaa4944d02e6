#pragma once

#include "core/base/result.h"
#include "core/sql/engine/filter.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class ExportFile;

} // namespace helio

namespace helio::fleet {

constexpr std::string_view PartitionFile = "part.csv"; ///< Name of the file with the rows of a partition.

/// Folder of the rows of a trace below the folder of a table: day=DAY/host=HOST.
/// `day`: day of the trace's begin in UTC, as YYYY-MM-DD; empty if it is unknown. `host`: name of the host; empty if it is unknown.
std::string partitionOf(std::string_view day, std::string_view host);

/// A table in CSV files (RFC 4180, UTF-8, with a line of names): FOLDER/PARTITION/part.csv, with the rows of that partition. NULL is an
/// empty field, and a text without characters is "".
/// Threads: to be used by one thread.
/// Errors: Full or Unreadable if a file cannot be written; Cancelled after a stop request. The files are then incomplete.
class PartitionedFiles {
public:
    PartitionedFiles(std::filesystem::path folder, std::span<const std::string> columns, std::stop_token stop);
    ~PartitionedFiles();
    PartitionedFiles(const PartitionedFiles&) = delete;
    PartitionedFiles& operator=(const PartitionedFiles&) = delete;

    /// Appends a row. Requires: the rows of one partition come one after the other.
    Status addRow(std::string_view partition, std::span<const sql::Value> values);
    /// Completes the last file. A table without rows has a file with the names of the columns, because engines need one.
    Status finish();

    std::uint64_t rows() const { return m_rows; }
    std::uint64_t files() const { return m_files; }

private:
    Status beginFile(std::string_view partition);
    Status closeFile();

    std::filesystem::path m_folder;
    std::string m_header; ///< Line with the names of the columns.
    std::stop_token m_stop;
    std::string m_partition; ///< Partition of the open file.
    std::unique_ptr<ExportFile> m_file; ///< nullptr before the first row.
    std::uint64_t m_rows = 0;
    std::uint64_t m_files = 0;
};

} // namespace helio::fleet
