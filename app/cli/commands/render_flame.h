#pragma once

#include "app/cli/commands/render_options.h"

namespace helio {

/// Runs `render --view flame`: draws the flame graph of the selected samples as .png, or as .svg that zooms in a browser. Returns the exit
/// status.
int renderFlame(const RenderOptions& options);

/// Runs `render --view difference`: draws the differential flame graph of --a and --b. Returns the exit status.
int renderDifference(const RenderOptions& options);

} // namespace helio
