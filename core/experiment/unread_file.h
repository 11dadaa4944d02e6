#pragma once

#include <filesystem>
#include <string>

namespace helio {

/// What a file or folder is in which no trace was found, and what can be done: "an ELF program; record it while it runs, with perf record".
/// Cost: reads the first bytes.
std::string whatIsUnread(const std::filesystem::path& path);

/// A compressed file that holds a recording of perf's. Cost: as whatIsUnread().
bool isCompressedRecording(const std::filesystem::path& path);

} // namespace helio
