#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace helio::bench {

struct BenchOptions {
    std::filesystem::path trace; ///< What long traces are made of; empty: none was named.
    std::uint64_t events = 22'000'000;
    int repeat = 3;
    std::vector<std::string> only; ///< Sections; empty: all.
    std::vector<std::string> without;
    std::filesystem::path scratch; ///< Empty: the system's folder for temporary files.
    std::filesystem::path json; ///< Where to write it; empty: nowhere.
    std::filesystem::path before; ///< An earlier run's JSON to compare with.
    bool asMarkdown = false;

    bool wants(const std::string& section) const;
};

/// Ends the program where they make no sense, or where they ask for help.
BenchOptions readOptions(int argc, char** argv);

} // namespace helio::bench
