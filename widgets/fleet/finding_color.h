#pragma once

#include <QColor>

#include <string>

namespace helio {

/// Returns the colour of a finding in a catalogue: that of a theme role, or of "#rrggbb"; a grey for any other text, which another version
/// or a foreign program may have written.
QColor findingColor(const std::string& color);

} // namespace helio
