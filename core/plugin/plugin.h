#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace helio {

/// Loads the analyses of a plug-in (see heliograph_plugin.h): native code, which may do whatever the program may do. The library is never
/// unloaded. `note` is passed to PluginCrashGuard. Requires: the user named or allowed that file.
/// Errors: all name the file. NotFound; Unreadable if it is no shared library, or if a library that it needs is missing; Unsupported if it
/// is no plug-in, or only one for another version of the interface.
Result<std::vector<std::shared_ptr<const AnalysisKind>>> loadPlugin(const std::filesystem::path& file, const std::string& note = {});

} // namespace helio
