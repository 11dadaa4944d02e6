#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// How to recognize the recordings of a format.
struct RecordingSearch {
    /// True if a file that begins with the bytes `head` (16 of them, or the whole of a shorter file) is a recording.
    bool (*isRecording)(std::span<const std::byte> head) = nullptr;
    /// Returns the recording that consists of a whole folder; nullopt if the folder is none. nullptr if the format has no such recordings.
    std::optional<TraceSource> (*fromFolder)(const std::filesystem::path& folder) = nullptr;
};

/// Returns the recordings at or below `path`, ordered by path; the files of a folder come before those of its subfolders. Links to other
/// folders are not followed.
/// Cost: reads 16 bytes of each file; looks at 50,000 files and 12 levels of folders at most.
std::vector<TraceSource> findRecordings(const std::filesystem::path& path, const RecordingSearch& search);

/// Returns the first 16 bytes of a file; fewer if the file is shorter, none if it cannot be read.
std::vector<std::byte> readHead(const std::filesystem::path& file);

} // namespace helio
