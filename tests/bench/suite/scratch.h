#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace helio::bench {

/// Runs `work` in a process of its own with a new folder below `where`, and removes the folder when that process is gone, however it
/// ended. Ctrl-C and the like end it and all that it started. The result is the program's exit status.
int withScratch(const std::filesystem::path& where, const std::function<int(const std::filesystem::path&)>& work);

/// Says what is missing where a folder has less room; empty where it has it.
std::string lackOfRoom(const std::filesystem::path& folder, std::uint64_t bytes);

} // namespace helio::bench
