#pragma once

#include "core/analysis/analyses.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// $XDG_CACHE_HOME/heliograph, else ~/.cache/heliograph.
std::filesystem::path defaultStoreDirectory();

/// What a store of a trace is valid for: the recording's identity, and the analysis that made it with those it needs, each in its version.
/// Without an analysis: that of the trace's facts. `threadEnds`: as it gets them, if it uses any.
std::string storeIdentity(const Trace& trace, const Analyses& analyses, const AnalysisKind* kind = nullptr,
                          std::span<const ThreadEnd> threadEnds = {});

/// The file of a store, named by the hash of its identity.
std::filesystem::path storePath(const std::filesystem::path& directory, std::string_view identity);

/// Removes the least recently used stores until the directory holds at most `maximumBytes`; `keep` stays.
void trimStores(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

/// The same for the folders of unpacked archives, of which those that hold any of the paths are kept. Removes what a program that was
/// killed while unpacking left days ago.
void trimArchives(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

} // namespace helio
