#pragma once

namespace helio {

/// True if windows may be translucent: always, except under X11 without a compositing manager. The display is queried once.
bool isComposited();

} // namespace helio
