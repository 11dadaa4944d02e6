#pragma once

#include "app/cli/commands/render_options.h"

namespace helio {

/// `render --view flame`: where the time of the selected samples went, as .png or as .svg that zooms in a browser. The exit status.
int renderFlame(const RenderOptions& options);

/// `render --view difference`: the differential flame graph of --a and --b.
int renderDifference(const RenderOptions& options);

} // namespace helio
