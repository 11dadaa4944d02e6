#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <chrono>

namespace helio {

/// Reports that files, or the contents of folders, may have changed: after 150 ms without further changes, or after a second of continuous
/// changes. Also detects files that are replaced by renaming another file.
/// Threads: UI thread.
class FileWatch : public QObject {
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds Quiet{150};
    static constexpr std::chrono::milliseconds Longest{1000};

    explicit FileWatch(QObject* parent = nullptr);

    /// Sets the files and folders to watch, replacing the previous ones. Missing files and folders are detected when they appear.
    void watch(const QStringList& files, const QStringList& folders);

signals:
    /// Emitted when watched files may have changed.
    void changed();

private:
    void onFolder(const QString& path);
    void soon();

    QFileSystemWatcher m_watcher;
    QStringList m_files;
    QStringList m_folders; ///< Watched folders that exist.
    QMap<QString, QString> m_awaited; ///< Missing folders, each mapped to the nearest existing folder above it, which is watched instead.
    QTimer m_timer;
    QElapsedTimer m_since; ///< Time since the first change that was not reported yet.
};

} // namespace helio
