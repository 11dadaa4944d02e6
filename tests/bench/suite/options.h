#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace helio::bench {

struct BenchOptions {
    std::filesystem::path trace; ///< Source of the amplified traces; empty if the user named none.
    std::uint64_t events = 22'000'000;
    int repeat = 3;
    std::vector<std::string> only; ///< Names of the benchmark sections to run; empty for all sections.
    std::vector<std::string> without;
    std::filesystem::path scratch; ///< Folder for temporary files; empty for the system's folder for temporary files.
    std::filesystem::path json; ///< File to write JSON to; empty for none.
    std::filesystem::path before; ///< JSON file of an earlier run to compare with; empty for none.
    bool asMarkdown = false;
    bool measuresLoads = false; ///< True for large recordings of all kinds instead of the sections; `only` then names loads.

    bool wants(const std::string& section) const;
};

/// Parses the command line. Ends the program if the options are invalid, or if they ask for help.
BenchOptions readOptions(int argc, char** argv);

} // namespace helio::bench
