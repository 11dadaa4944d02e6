#include "app/gui/analyses/file_watch.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace helio {

namespace {

bool exists(const QString& path) { return QFileInfo::exists(path); }

/// Returns the nearest existing folder above `path`.
QString above(const QString& path)
{
    QString folder = QFileInfo(path).path();
    while (!exists(folder) && folder.size() > 1)
        folder = QFileInfo(folder).path();
    return folder;
}

} // namespace

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_since.invalidate();
        emit changed();
    });
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::soon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileWatch::onFolder);
}

void FileWatch::watch(const QStringList& files, const QStringList& folders)
{
    m_files = files;
    m_folders.clear();
    m_awaited.clear();
    QStringList wanted;
    for (const QString& folder : folders) {
        const bool isThere = exists(folder);
        wanted << (isThere ? folder : above(folder));
        if (isThere)
            m_folders << folder;
        else
            m_awaited.insert(folder, wanted.back());
    }
    for (const QString& file : files) {
        wanted << above(file);
        if (exists(file))
            wanted << file;
    }
    wanted.removeDuplicates();
    // Remove only paths that are no longer needed: removing and re-adding a path could miss changes in between.
    QStringList gone;
    for (const QString& path : m_watcher.files() + m_watcher.directories())
        if (!wanted.removeOne(path))
            gone << path;
    if (!gone.isEmpty())
        m_watcher.removePaths(gone);
    if (!wanted.isEmpty())
        m_watcher.addPaths(wanted);
}

/// Handles a change in a folder. Ignores changes that do not concern watched files, because a folder may change often.
void FileWatch::onFolder(const QString& path)
{
    const QStringList watched = m_watcher.files();
    const auto isOther = [&](const QString& file) { return exists(file) != watched.contains(file); };
    const auto comesNearer = [&](const QString& folder) { return exists(folder) || above(folder) != m_awaited[folder]; };
    if (m_folders.contains(path) || std::ranges::any_of(m_files, isOther) || std::ranges::any_of(m_awaited.keys(), comesNearer))
        soon();
}

void FileWatch::soon()
{
    if (!m_since.isValid())
        m_since.start();
    const qint64 left = Longest.count() - m_since.elapsed();
    m_timer.start(int(std::clamp<qint64>(left, 0, Quiet.count())));
}

} // namespace helio
