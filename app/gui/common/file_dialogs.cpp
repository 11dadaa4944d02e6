#include "app/gui/common/file_dialogs.h"

#include "app/gui/common/settings.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace helio {

namespace {

/// Returns the folder in which dialogs that save `suggestion` start.
QString folderToSave(const QString& suggestion)
{
    const QString last = Settings().saveFolder();
    if (!last.isEmpty() && QDir(last).exists())
        return last;
    return QFileInfo(suggestion).isAbsolute() ? QFileInfo(suggestion).absolutePath() : folderToOpen();
}

} // namespace

void rememberOpened(const QStringList& traces)
{
    if (traces.isEmpty())
        return;
    QFileInfo folder(QFileInfo(traces.first()).absolutePath());
    while (!folder.isDir() && !folder.isRoot()) // The path may lead into an archive: "traces.tar.gz/kernel".
        folder.setFile(folder.absolutePath());
    Settings().setOpenFolder(folder.filePath());
}

QString folderToOpen()
{
    const QString last = Settings().openFolder();
    return !last.isEmpty() && QDir(last).exists() ? last : QDir::currentPath();
}

QString askOpenFile(QWidget* parent, const QString& title, const QString& filter)
{
    return QFileDialog::getOpenFileName(parent, title, folderToOpen(), filter);
}

QString askOpenFolder(QWidget* parent, const QString& title) { return QFileDialog::getExistingDirectory(parent, title, folderToOpen()); }

QString askSaveFile(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter)
{
    const QString start = QDir(folderToSave(suggestion)).filePath(QFileInfo(suggestion).fileName());
    const QString path = QFileDialog::getSaveFileName(parent, title, start, filter);
    if (!path.isEmpty())
        Settings().setSaveFolder(QFileInfo(path).absolutePath());
    return path;
}

} // namespace helio
