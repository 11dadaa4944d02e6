#pragma once

#include "core/base/result.h"
#include "core/sql/engine/database.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio::fleet {

/// Numbers of what was written of a table.
struct ExportedTable {
    std::string name;
    std::uint64_t rows = 0;
    std::uint64_t files = 0;
};

bool isExportedTable(std::string_view name); ///< True for the tables that exportTables() writes.

/// Writes the tables trace, finding, digest, quality and tag of a catalogue as files of PartitionedFiles, each below a folder with its name
/// in `folder`. A column `host` is named `host_name` there, because `host` is a column of the partitions. All tables are of one moment,
/// also if other processes add to the catalogue.
/// `condition`: expression of SQL over the table `trace`, which selects the traces; empty for all.
/// Memory: bounded; rows are sorted in temporary files.
/// Errors: Usage if the condition is wrong; those of PartitionedFiles.
Result<std::vector<ExportedTable>> exportTables(sql::Database& catalogue, const std::string& condition, const std::filesystem::path& folder,
                                                const std::stop_token& stop);

} // namespace helio::fleet
