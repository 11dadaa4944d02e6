#pragma once

#include "core/profiling/samples/source_text.h"

#include <QString>

namespace helio {

/// Where sources lie and what opens them, kept between runs. UI thread.
SourcePaths savedSourcePaths();
void saveSourcePaths(const SourcePaths& paths);
QString savedEditor(); ///< "kate -l %l %f"; empty: as the environment says.
void saveEditor(const QString& command);

} // namespace helio
