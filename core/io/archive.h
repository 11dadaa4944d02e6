#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

/// Limits of the unpacked size of an archive. Recordings compress well, so `ratio` applies only to output beyond `freeBytes`.
struct UnpackLimits {
    std::uint64_t totalBytes = std::uint64_t{256} << 30;
    std::uint64_t entries = 1'000'000;
    std::uint64_t ratio = 500; ///< Maximum number of unpacked bytes for each byte of the archive.
    std::uint64_t freeBytes = std::uint64_t{1} << 30;
};

/// Prefix of the name of the temporary folder into which an archive is being unpacked.
constexpr std::string_view UnpackingPrefix = ".unpacking-";

/// True if the file is a tar archive (plain, or compressed with gzip, zstd, xz or bzip2) or a zip archive, judged by its content, not its
/// name.
/// Cost: reads the first blocks of the file.
bool isArchive(const std::filesystem::path& path);

/// Unpacks the archive into a folder of `cacheDir` that is named after the hash of the archive's content, and returns that folder. An
/// existing folder is returned without unpacking. A folder with such a name is always complete, because it is filled under a temporary name
/// and then renamed.
///
/// Only regular files and folders are accepted. Links, devices, absolute names, `..`, duplicate names and anything beyond the limits fail
/// the whole archive; the error names the entry. Failed or cancelled unpacking leaves no files behind.
///
/// Threads: any; several threads and processes may unpack the same archive into the same cache at once.
/// Cost: reads the archive once for its hash, and once more to unpack it.
Result<std::filesystem::path> unpackArchive(const std::filesystem::path& path, const std::filesystem::path& cacheDir,
                                            std::stop_token stop = {}, const UnpackLimits& limits = {});

/// Unpacks a single file that is compressed with gzip, zstd, xz or bzip2. The output lies in a folder of `cacheDir` that is named after the
/// hash of the compressed content, under the file's name without the last extension. Returns the path of the output. Limits, threads and
/// cost are those of unpackArchive().
Result<std::filesystem::path> unpackFile(const std::filesystem::path& path, const std::filesystem::path& cacheDir,
                                         std::stop_token stop = {}, const UnpackLimits& limits = {});

/// Writes `text` to a file of `cacheDir`, in a folder that is named after the hash of the text, and returns the path of the file. `name` is
/// the name of the file; if the same text is there already, it keeps its name. Threads are those of unpackArchive().
Result<std::filesystem::path> writeToCache(std::string_view text, const std::string& name, const std::filesystem::path& cacheDir);

} // namespace helio
