#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string_view>

namespace helio {

/// What an archive may grow to. Recordings compress well, so the ratio only counts beyond `freeBytes`.
struct UnpackLimits {
    std::uint64_t totalBytes = std::uint64_t{256} << 30;
    std::uint64_t entries = 1'000'000;
    std::uint64_t ratio = 500; ///< Unpacked bytes for a byte of the archive.
    std::uint64_t freeBytes = std::uint64_t{1} << 30;
};

/// How the folder's name begins while an archive is being unpacked.
constexpr std::string_view UnpackingPrefix = ".unpacking-";

/// The file is a tar archive (plain, or compressed with gzip, zstd, xz or bzip2) or a zip archive. By content, not by name. Reads little.
bool isArchive(const std::filesystem::path& path);

/// Unpacks the archive into a folder of `cacheDir` that is named after the archive's content, and returns that folder.
/// What is there already is used again without unpacking. A folder with such a name is always whole: it is filled under another name.
///
/// Takes regular files and folders only. Links, devices, absolute names, `..`, names that appear twice and whatever exceeds
/// the limits fail the whole archive; the error names the entry. Nothing is left behind then, nor when stopped.
///
/// Threads: any; several threads and processes may unpack the same archive into the same cache at once.
/// Cost:    reads the archive once for its hash, and once more to unpack it.
Result<std::filesystem::path> unpackArchive(const std::filesystem::path& path, const std::filesystem::path& cacheDir,
                                            std::stop_token stop = {}, const UnpackLimits& limits = {});

/// The same for a file that was compressed alone, with gzip, zstd, xz or bzip2: it lies in the folder then, without its name's last ending.
/// Returns its path.
Result<std::filesystem::path> unpackFile(const std::filesystem::path& path, const std::filesystem::path& cacheDir,
                                         std::stop_token stop = {}, const UnpackLimits& limits = {});

} // namespace helio
