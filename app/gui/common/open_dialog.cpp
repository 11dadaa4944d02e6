#include "app/gui/common/open_dialog.h"

#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/trace_path.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>

namespace helio {

bool containsTrace(const QString& folder)
{
    constexpr int Most = 1000;
    /// Maximum depth of folders to search, as in NAME/archives/CHUNK/ust/pid/PROGRAM or NAME/ust/uid/1000/64-bit.
    constexpr int Deepest = 6;
    const auto depth = [](const QString& path) { return path.count('/'); };
    const QString top = QDir::cleanPath(folder);
    QDirIterator entries(top, QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    for (int seen = 0; seen < Most && entries.hasNext(); ++seen) {
        const QFileInfo entry(entries.next());
        if (entry.fileName() == QLatin1String("metadata") && entry.isFile())
            return depth(entry.path()) - depth(top) <= Deepest;
    }
    return false;
}

OpenDialog::OpenDialog(const QString& title, QWidget* parent)
    : QFileDialog(parent, title)
{
    setOption(DontUseNativeDialog); // Native dialogs can select either files or folders, not both.
    setFileMode(ExistingFiles);
    setLabelText(FileName, tr("File or folder:"));
    setDirectory(folderToOpen());
}

void OpenDialog::accept()
{
    const QStringList chosen = selectedFiles();
    const auto isFolder = [](const QString& path) { return QFileInfo(path).isDir(); };
    const auto isTrace = [&](const QString& path) { return QFileInfo::exists(path) && (!isFolder(path) || containsTrace(path)); };
    if (chosen.isEmpty() || !std::ranges::all_of(chosen, isTrace))
        return QFileDialog::accept(); // The base class enters the folder, or shows an error if it does not exist.
    m_traces = tracePaths(chosen);
    if (std::ranges::any_of(chosen, isFolder))
        return done(Accepted);
    QFileDialog::accept();
}

QStringList OpenDialog::ask(const QString& title, QWidget* parent)
{
    OpenDialog dialog(title, parent);
    return dialog.exec() == Accepted ? dialog.traces() : QStringList();
}

} // namespace helio
