#pragma once

#include <QString>
#include <QStringList>

namespace helio {

/// Command that opens a file at a line. The user's command `own` ("kate -l %l %f") comes first, then `visual` and `editor` ($VISUAL and
/// $EDITOR), if the editor has its own window, or runs in a terminal and `terminal` is given. Empty if none applies; the desktop may open
/// the file then.
QStringList editorCommand(const QString& file, int line, const QString& own, const QString& visual, const QString& editor,
                          const QString& terminal);

/// Opens a file with the user's saved command, $VISUAL, $EDITOR or the desktop. Returns false if all of them fail.
bool openInEditor(const QString& file, int line);

} // namespace helio
