#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <string_view>

namespace helio::bench {

/// Number of instructions that a hot path executes.
struct PathCount {
    std::uint64_t own = 0; ///< Instructions in the program's own code, not in shared libraries such as the standard library and Qt.
    std::uint64_t all = 0;
};

/// Instruction counts by the hot path's name: "decode", "merge"... (hot_paths/hot_paths.h).
using PathCounts = std::map<std::string, PathCount>;

/// Adds up the instructions in one part of callgrind's output (uncompressed): in total, and in the object files with a path that ends with
/// `program`.
PathCount countIn(std::istream& part, std::string_view program);

/// Runs heliograph_hot_paths under callgrind on the repeated sample trace. All files are written to `scratch`, which must exist.
/// Errors: valgrind is missing or fails.
Result<PathCounts> countHotPaths(const std::filesystem::path& scratch);

/// True if the hot paths were compiled with the optimization of the released program, unlike the tests themselves.
bool areHotPathsOptimized();

} // namespace helio::bench
