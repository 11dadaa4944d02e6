#pragma once

#include "core/profiling/samples/source_text.h"

#include <QString>

namespace helio {

/// Folders of the sources and the command of the editor, kept between runs. Threads: UI thread.
SourcePaths savedSourcePaths();
void saveSourcePaths(const SourcePaths& paths);
QString savedEditor(); ///< Command such as "kate -l %l %f"; empty if $VISUAL, $EDITOR or the desktop decide.
void saveEditor(const QString& command);

} // namespace helio
