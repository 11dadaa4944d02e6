#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace helio {

/// Loads the analyses of a plug-in (heliograph_plugin.h): native code, which may do whatever the program may. Requires: a person named that
/// file. It stays loaded.
/// Errors name the file. NotFound; Unreadable: it is no shared library, or one that needs others that are not there; Unsupported: it is no
/// plug-in, or one for another version of the interface.
Result<std::vector<std::shared_ptr<const AnalysisKind>>> loadPlugin(const std::filesystem::path& file, const std::string& note = {});

} // namespace helio
