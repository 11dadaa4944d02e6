#pragma once

#include "core/analysis/analyses.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// $XDG_CACHE_HOME/heliograph, or ~/.cache/heliograph.
std::filesystem::path defaultStoreDirectory();

/// Identifies the content of a store: the recording's identity, and the id and version of the analysis and of all analyses that it needs or
/// uses. If `kind` is null, the store is the one of the trace's facts. `threadEnds`: what the analysis gets, if it or an analysis that it
/// needs uses them.
std::string storeIdentity(const Trace& trace, const Analyses& analyses, const AnalysisKind* kind = nullptr,
                          std::span<const ThreadEnd> threadEnds = {});

/// Path of a store's file, named by the hash of its identity.
std::filesystem::path storePath(const std::filesystem::path& directory, std::string_view identity);

/// Removes the least recently used stores until the directory holds at most `maximumBytes`. Stores in `keep` stay.
void trimStores(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

/// Removes the least recently used folders of unpacked archives until the directory holds at most `maximumBytes`. Folders with a path of
/// `keep` stay. Also removes folders that a killed program left behind while unpacking, after two days.
void trimArchives(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

} // namespace helio
