#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <string_view>

namespace helio::bench {

/// Instructions that a hot path executes.
struct PathCount {
    std::uint64_t own = 0; ///< Instructions in the program's own code, without the shared objects of the standard library and Qt.
    std::uint64_t all = 0;
};

/// Counts by name of the hot path: "decode", "merge"... (hot_paths/hot_paths.h).
using PathCounts = std::map<std::string, PathCount>;

/// Adds up one part of callgrind's output (uncompressed): all costs, and those in objects whose path ends with `program`.
PathCount countIn(std::istream& part, std::string_view program);

/// Runs heliograph_hot_paths under callgrind on the sample trace, repeated. All files go to `scratch`, which must exist.
/// Errors: valgrind is missing or fails.
Result<PathCounts> countHotPaths(const std::filesystem::path& scratch);

/// True if the hot paths were built with the program's optimization; tests are not.
bool areHotPathsOptimized();

} // namespace helio::bench
