#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <chrono>

namespace helio {

/// Says that files, or what is in folders, may have changed: once nothing more happened to them for a moment, or has gone on happening for
/// a second. Who replaces a file by another one that is renamed is noticed, too. UI thread.
class FileWatch : public QObject {
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds Quiet{150};
    static constexpr std::chrono::milliseconds Longest{1000};

    explicit FileWatch(QObject* parent = nullptr);

    /// Watches these from now on, and no others. Files that are gone, and folders that are not there yet, are noticed when they come.
    void watch(const QStringList& files, const QStringList& folders);

signals:
    /// What is watched is to be said again.
    void changed();

private:
    void onFolder(const QString& path);
    void soon();

    QFileSystemWatcher m_watcher;
    QStringList m_files;
    QStringList m_folders; ///< That are there.
    QMap<QString, QString> m_awaited; ///< That are not: the nearest ones above them, which are watched.
    QTimer m_timer;
    QElapsedTimer m_since; ///< The first change that was not said.
};

} // namespace helio
