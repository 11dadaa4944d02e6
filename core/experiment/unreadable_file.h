#pragma once

#include <filesystem>
#include <string>

namespace helio {

/// Describes a file or folder in which no trace was found, with advice: "an ELF program; record it while it runs, with perf record".
/// Cost: reads the first bytes.
std::string describeUnreadable(const std::filesystem::path& path);

/// Explains why a trace at or below the folder cannot be read, with the command that helps. Reports the folder itself, a folder named
/// "kernel" or a file named "metadata" without read permission. Empty if there is none.
/// Cost: lists at most 50,000 folders, at most 12 levels deep.
std::string explainDenied(const std::filesystem::path& folder);

/// True if the file is a compressed perf.data recording.
/// Cost: reads the first bytes.
bool isCompressedRecording(const std::filesystem::path& path);

} // namespace helio
