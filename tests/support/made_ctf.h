#pragma once

#include <QString>

namespace helio {

/// Writes CTF 1.8 traces below the folder, each in a folder that is named for its peculiarity. All are valid: babeltrace2 reads them, too.
void writeMadeCtf(const QString& folder);

} // namespace helio
