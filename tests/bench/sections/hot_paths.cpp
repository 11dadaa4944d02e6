// Prints the instruction counts that tests/bench/tst_instruction_counts.cpp compares.

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/hot_path_counts.h"

namespace helio::bench {

void measureHotPaths(Measuring& m)
{
    const auto scratch = m.subject.scratch() / "hot";
    std::filesystem::create_directories(scratch);
    const auto counts = countHotPaths(scratch);
    if (!counts) {
        m.figures.note("hot paths are not counted: " + counts.error().what);
        return;
    }
    for (const auto& [path, count] : *counts) {
        m.figures.add({"hot_" + path, path + ": instructions of our own code", "M", double(count.own) / 1e6});
        m.figures.add({"hot_all_" + path, path + ": with the libraries'", "M", double(count.all) / 1e6});
    }
}

} // namespace helio::bench
