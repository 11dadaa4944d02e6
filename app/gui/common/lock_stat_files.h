#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/workspace/lock_stat_text.h"

#include <QObject>
#include <QStringList>

namespace helio {

/// True if `path` is a regular file that begins like /proc/lock_stat. Reads only the first bytes.
bool isLockStatFile(const QString& path);

/// Removes the lock_stat files from `paths` and returns them, in the same order.
QStringList takeLockStats(QStringList& paths);

/// Reads a copy of /proc/lock_stat for the views in a background thread. A new request cancels the current one.
/// Threads: UI thread.
class LockStatReader : public QObject {
    Q_OBJECT

public:
    explicit LockStatReader(LockStatText& text, QObject* parent = nullptr);

    void read(const QString& path);
    void close();

private:
    LockStatText& m_text;
    LatestTask m_job;
};

} // namespace helio
