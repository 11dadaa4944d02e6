#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace helio::bench {

/// True if valgrind is installed and can run a program.
bool hasValgrind();

/// Instructions that a program executes in all its threads; empty if it fails.
std::optional<std::uint64_t> countInstructions(const std::vector<std::string>& command, const std::filesystem::path& scratch);

} // namespace helio::bench
