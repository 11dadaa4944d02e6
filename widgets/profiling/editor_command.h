#pragma once

#include <QString>
#include <QStringList>

namespace helio {

/// The command that opens a file at a line: the person's own ("kate -l %l %f"), else by $VISUAL and $EDITOR where it is an editor with a
/// window of its own, or one that runs in a terminal and there is a terminal. Empty: the desktop may open the file.
QStringList editorCommand(const QString& file, int line, const QString& own, const QString& visual, const QString& editor,
                          const QString& terminal);

/// Opens it so, with the command that the person saved. False: nothing can.
bool openInEditor(const QString& file, int line);

} // namespace helio
