#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace helio::bench {

/// valgrind is here and can run a program.
bool hasValgrind();

/// Instructions that a whole program executes, all its threads together. None where it fails.
std::optional<std::uint64_t> countInstructions(const std::vector<std::string>& command, const std::filesystem::path& scratch);

} // namespace helio::bench
