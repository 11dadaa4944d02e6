#pragma once

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio::bench {

/// Elapsed times in seconds of whole programs that read one trace.
struct IndexingRuns {
    Samples one; ///< `heliograph index` with one thread.
    Samples two; ///< `heliograph index` with two threads.
    Samples theirs; ///< The program `tool`; empty if it cannot run.
    std::string tool; ///< Name of the program that Heliograph is compared with.

    /// Adds the figures `id`_1 and `id`_2, for one and two threads: `count` things per second, in millions of `things`. The figure for two
    /// threads is to be `goal` times that of the other program.
    void addFigures(Measuring& m, const std::string& id, const std::string& what, double count, const std::string& things,
                    double goal) const;
};

/// Runs `heliograph index` on a trace, with stores in `stores`, and the command `theirs`. The programs take turns, so that a temporary
/// slowdown of the machine affects all of them.
/// Errors: ends the benchmark if `heliograph index` fails.
IndexingRuns runIndexing(const Measuring& m, const std::string& trace, const std::filesystem::path& stores,
                         const std::vector<std::string>& theirs);

} // namespace helio::bench
