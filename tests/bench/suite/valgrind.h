#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace helio::bench {

/// True if valgrind is installed and can run a program.
bool hasValgrind();

/// Runs a program under valgrind and counts the instructions of all its threads. Returns nullopt if the run fails or valgrind reports no
/// count.
std::optional<std::uint64_t> countInstructions(const std::vector<std::string>& command, const std::filesystem::path& scratch);

} // namespace helio::bench
