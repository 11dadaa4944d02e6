#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace helio::bench {

/// Runs `work` in a child process with a new folder below `where`, and removes the folder after the child's end, even after a crash.
/// Ctrl-C terminates the child and all its children. Returns the child's exit status.
int withScratch(const std::filesystem::path& where, const std::function<int(const std::filesystem::path&)>& work);

/// Returns an error message if the folder's disk has fewer than `bytes` free; empty if there is enough space.
std::string missingSpaceMessage(const std::filesystem::path& folder, std::uint64_t bytes);

} // namespace helio::bench
