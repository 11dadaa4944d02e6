#pragma once

#include <QString>
#include <QStringList>

namespace helio {

/// Returns the command that opens a file at a line. The user's command `own` ("kate -l %l %f") has priority, then `visual` and `editor`
/// ($VISUAL and $EDITOR), if the editor has its own window, or runs in a terminal and `terminal` is given. Empty if none can be used; the
/// desktop may then open the file.
QStringList editorCommand(const QString& file, int line, const QString& own, const QString& visual, const QString& editor,
                          const QString& terminal);

/// Opens a file with the user's saved command, $VISUAL, $EDITOR or the desktop. Returns false if none succeeds.
bool openInEditor(const QString& file, int line);

} // namespace helio
