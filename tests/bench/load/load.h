#pragma once

#include "tests/bench/suite/options.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace helio::bench {

/// A kind of large recording. It is made twice: with a quarter of the size, and with the size.
struct Load {
    const char* name; ///< Name for `--only`.
    const char* unit; ///< Name of the units in the plural, e.g. "threads".
    std::uint64_t size; ///< Number of units at full size; 0 for the number that `--events` gives.
    /// Writes a recording of `size` units into `folder`, which exists and is empty, and returns its path; empty if it cannot be written.
    std::filesystem::path (*make)(const std::filesystem::path& folder, std::uint64_t size);
    const char* view; ///< View whose first picture is drawn.
    const char* search; ///< Filter that few events match.
};

std::span<const Load> loads();

/// Makes the recordings that the options choose, one after the other, below `scratch`, and measures what the program needs for each: time
/// and peak of resident memory of indexing, reopening, the first picture, a search, `info`, and the window until it shows all rows. Prints
/// a table of both sizes and of their ratios. Returns the exit status of the benchmark.
int measureLoads(const BenchOptions& options, const std::filesystem::path& scratch);

} // namespace helio::bench
