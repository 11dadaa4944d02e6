#pragma once

#include "core/base/result.h"
#include "core/experiment/experiment.h"

#include <string>
#include <vector>

namespace helio {

/// Gives traces the built-in analyses, those of the plug-ins that are named, and those of the plug-in folders' that a person allowed, which
/// are loaded. Errors are of those that are named: others are left out, and foundPlugins() says why.
Status usePlugins(const std::vector<std::string>& named, ExperimentOptions& options);

/// Says on standard error which files of the plug-in folders are not loaded and why, but for forbidden ones. Once in a process.
void sayRefusedPlugins();

} // namespace helio
