#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/workspace/lock_stat_text.h"

#include <QObject>
#include <QStringList>

namespace helio {

/// Whether a regular file begins as a text of /proc/lock_stat does. Reads its first bytes, and nothing of what is no regular file.
bool isLockStatFile(const QString& path);

/// Takes those out of `paths`, in their order.
QStringList takeLockStats(QStringList& paths);

/// Reads a text of /proc/lock_stat for the views, off the UI thread; the latest wins. UI thread.
class LockStatReader : public QObject {
    Q_OBJECT

public:
    explicit LockStatReader(LockStatText& text, QObject* parent = nullptr);

    void read(const QString& path);
    void close();

private:
    LockStatText& m_text;
    LatestJob m_job;
};

} // namespace helio
