#pragma once

#include "core/base/result.h"
#include "core/experiment/experiment.h"

#include <string>
#include <vector>

namespace helio {

/// Gives traces the built-in analyses, the analyses of the named plug-ins, and the analyses of the allowed plug-ins in the plug-in folders,
/// and loads these plug-ins.
/// Errors: only for named plug-ins; others are left out, and listPlugins() has the reason.
Status usePlugins(const std::vector<std::string>& named, ExperimentOptions& options);

/// Reports on standard error the files of the plug-in folders that are not loaded, with the reason, except forbidden files. Reports once
/// per process.
void reportRefusedPlugins();

} // namespace helio
