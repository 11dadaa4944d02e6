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
    std::uint64_t own = 0; ///< In our own code: what the standard library's and Qt's shared objects do is not in it.
    std::uint64_t all = 0;
};

/// By name: "decode", "merge"... (hot_paths/hot_paths.h).
using PathCounts = std::map<std::string, PathCount>;

/// Adds up one part of callgrind's output (uncompressed): all costs, and those in objects whose path ends with `program`.
PathCount countIn(std::istream& part, std::string_view program);

/// Runs heliograph_hot_paths under callgrind on the sample trace, some times as long. Everything it makes is in `scratch`, which exists.
/// Errors: no valgrind, or one that fails.
Result<PathCounts> countHotPaths(const std::filesystem::path& scratch);

/// Whether they were built as the program is: tests are not.
bool areHotPathsOptimized();

} // namespace helio::bench
