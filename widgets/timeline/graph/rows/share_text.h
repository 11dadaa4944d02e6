#pragma once

#include <QString>

namespace helio {

/// Returns a share as text: "94 %", "4.6 %", or a dash if it is 0. If `isLowerBound`, the share may be higher: the text is rounded down and
/// begins with "≥", for example "≥93.9 %". `share` is 0 to 1, or more for the sum of several rows. `isBare` omits " %".
QString shareText(double share, bool isLowerBound, bool isBare);

} // namespace helio
