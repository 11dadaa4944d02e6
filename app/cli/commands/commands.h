#pragma once

#include "app/cli/selection/options.h"

namespace helio {

// Each answers the exit status; errors have been said on standard error.

int runInfo(const CommandOptions& options);
int runIndex(const CommandOptions& options);
int runEvents(const CommandOptions& options);
int runTracks(const CommandOptions& options);
int runStates(const CommandOptions& options);
int runStats(const CommandOptions& options);
int runLinks(const CommandOptions& options);
int runCompare(const CommandOptions& options);
int runFlame(const CommandOptions& options);
int runAnnotate(const CommandOptions& options);
int runRender(const CommandOptions& options);

} // namespace helio
