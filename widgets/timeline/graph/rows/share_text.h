#pragma once

#include <QString>

namespace helio {

/// "94 %", "4.6 %", or a dash for what never ran. Of what may be more "≥93.9 %": what is written is rounded down, to no more than is
/// known. `share`: 0 to 1, more of several rows together. Bare: without " %".
QString shareText(double share, bool isLeast, bool isBare);

} // namespace helio
