#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace helio {

/// Copies a file into sealed memory, which no process can change, and returns the path by which this process can open the copy. So the
/// loaded bytes are the checked ones, and overwriting the file while it is loaded crashes no process. The copy exists until the process
/// ends.
/// Errors: NotFound or Unreadable if the file cannot be read, Unreadable if there is no such memory, Corrupt if the file's SHA-256 is not
/// `hash`.
Result<std::filesystem::path> makeSealedCopy(const std::filesystem::path& file, const std::string& hash);

} // namespace helio
