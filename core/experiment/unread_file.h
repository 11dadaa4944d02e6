#pragma once

#include <filesystem>
#include <string>

namespace helio {

/// What a file or folder is in which no trace was found, and what can be done: "an ELF program; record it while it runs, with perf record".
/// Cost: reads the first bytes.
std::string whatIsUnread(const std::filesystem::path& path);

/// Why a trace at or below the folder cannot be seen, with the command that helps: the folder itself, one named "kernel" or a file named
/// "metadata" may not be read. Empty where that is not so.
/// Cost: lists at most 50,000 folders, at most 12 deep.
std::string deniedBelow(const std::filesystem::path& folder);

/// A compressed file that holds a recording of perf's. Cost: as whatIsUnread().
bool isCompressedRecording(const std::filesystem::path& path);

} // namespace helio
