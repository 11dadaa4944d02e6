#pragma once

#include "app/cli/selection/options.h"

namespace helio {

/// `render --view flame`: where the time of the selected samples went, as .png or as .svg that zooms in a browser. The exit status.
int renderFlame(const CommandOptions& options);

/// `render --view difference`: the differential flame graph of --a and --b.
int renderDifference(const CommandOptions& options);

} // namespace helio
