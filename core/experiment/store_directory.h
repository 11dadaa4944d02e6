#pragma once

#include "core/analysis/analyses.h"
#include "core/trace/trace.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns the default folder of stores: $XDG_CACHE_HOME/heliograph, or ~/.cache/heliograph.
std::filesystem::path defaultStoreDirectory();

/// Returns a text that identifies the content of a store: the recording's identity, and the id and version of the analysis and of all
/// analyses that it needs or uses. If `kind` is null, the store contains the trace's facts. `threadEnds` are the thread ends passed to the
/// analysis, if it or an analysis that it needs uses them.
std::string storeIdentity(const Trace& trace, const Analyses& analyses, const AnalysisKind* kind = nullptr,
                          std::span<const ThreadEnd> threadEnds = {});

/// Returns the path of a store's file, whose name is the hash of the identity.
std::filesystem::path storePath(const std::filesystem::path& directory, std::string_view identity);

/// True if a process should trim the folder of stores now: at most once in ten seconds for a folder, because trimming reads the whole
/// folder, while a process may open hundreds of small traces in a second. Threads: any.
bool isTrimDue(const std::filesystem::path& directory);

/// Removes the least recently used stores until the directory contains at most `maximumBytes`. Stores in `keep` stay.
void trimStores(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

/// Removes the least recently used folders of unpacked archives and of copies of remote indexes until the directory contains at most
/// `maximumBytes`. Folders that contain a path of `keep` stay. Folders that a killed program left half unpacked or half removed are removed
/// by the next unpacking, at the latest after two days.
void trimArchives(const std::filesystem::path& directory, std::uint64_t maximumBytes, const std::vector<std::filesystem::path>& keep);

} // namespace helio
