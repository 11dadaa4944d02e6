#pragma once

#include <string>
#include <string_view>

/// Names of folders in the layout of Apache Hive, which DuckDB, ClickHouse and Spark read: the values of some columns are in the path, e.g.
/// day=2026-11-28/host=web-1.
namespace helio::fleet {

/// Returns the name of the folder for a value of a column: COLUMN=VALUE. Characters that Hive escapes become %XX; bytes that are not UTF-8
/// become \xNN first, as in CSV. A value without content becomes Hive's word for NULL; a value that engines would take for NULL is escaped.
/// A value that is too long for a file system is cut, and gets a hash of the whole value: different values have different names.
std::string hiveFolder(std::string_view column, std::string_view value);

} // namespace helio::fleet
