#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace helio {

// Dialogs to choose files. Dialogs that open a file start in the folder of the trace that was opened last, dialogs that save a file start
// in the folder in which a file was saved last. Both folders are stored in the settings.
// Threads: UI thread.

/// Stores the folder that contains the first of the opened traces.
void rememberOpened(const QStringList& traces);
/// Returns the folder in which dialogs that open a file start; the working directory if no trace was opened or the folder is gone.
QString folderToOpen();

/// Asks for an existing file. Returns its path; empty if the user cancelled. `filter` is as in QFileDialog.
QString askOpenFile(QWidget* parent, const QString& title, const QString& filter = {});
/// Asks for an existing folder. Returns its path; empty if the user cancelled.
QString askOpenFolder(QWidget* parent, const QString& title);
/// Asks for a file to write, and stores its folder. `suggestion`: proposed name of the file; its folder is only used if no file was saved
/// before. Without such a folder, the dialog starts like those that open a file. Returns the path; empty if the user cancelled.
QString askSaveFile(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter);

} // namespace helio
