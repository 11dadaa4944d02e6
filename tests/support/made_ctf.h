#pragma once

#include <QString>

namespace helio {

/// Writes CTF 1.8 traces below the folder, each in a folder of its own that is named for what is unusual in it. All are whole: babeltrace2
/// reads them, too.
void writeMadeCtf(const QString& folder);

} // namespace helio
