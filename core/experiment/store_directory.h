#pragma once

#include "core/trace/trace.h"

#include <filesystem>

namespace helio {

/// $XDG_CACHE_HOME/heliograph, else ~/.cache/heliograph.
std::filesystem::path defaultStoreDirectory();

/// What a trace's store is valid for: the recording's identity, the built-in analyses and their versions.
std::string storeIdentity(const Trace& trace);

/// The file of a trace's store, named by the hash of its identity.
std::filesystem::path storePath(const std::filesystem::path& directory, const Trace& trace);

/// Removes the least recently used stores until the directory holds at most `maximumBytes`; `keep` stays.
void trimStores(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

/// The same for the folders of unpacked archives, of which those that hold any of the paths are kept. Removes what a program that was killed
/// while unpacking left days ago.
void trimArchives(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

} // namespace helio
