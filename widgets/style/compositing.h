#pragma once

namespace helio {

/// Whether windows may be translucent: always, but under X11 without a compositing manager. Asked of the display once.
bool isComposited();

} // namespace helio
