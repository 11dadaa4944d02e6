#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace helio {

/// Copies a file into memory that nobody can change any more, and answers the path by which this process may open the copy. So what is
/// loaded is what was looked at, and a file that is written anew while it is loaded ends nobody. It is there until the process ends.
/// Errors: NotFound, Unreadable: the file, or there is no such memory; Corrupt: its SHA-256 is not `hash`.
Result<std::filesystem::path> frozenCopy(const std::filesystem::path& file, const std::string& hash);

} // namespace helio
