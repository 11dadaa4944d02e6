#pragma once

#include "core/profiling/samples/source_text.h"

#include <QString>

namespace helio {

/// Returns the folders of the sources, which are saved between runs together with the command of the editor.
/// Threads: UI thread.
SourcePaths savedSourcePaths();
void saveSourcePaths(const SourcePaths& paths);
QString savedEditor(); ///< Returns the saved command of the editor, e.g. "kate -l %l %f"; empty if $VISUAL, $EDITOR or the desktop decide.
void saveEditor(const QString& command);

} // namespace helio
