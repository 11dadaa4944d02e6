#pragma once

#include "core/waits/locks/lock_stat.h"

#include <QObject>
#include <QString>

#include <memory>

namespace helio {

class ViewContext;

/// Contents of a /proc/lock_stat file.
struct ReadLockStat {
    LockStat stat;
    QString problem; ///< Error message with the path if the file could not be read, in which case `stat` is empty; otherwise empty.
};

/// Contents of the /proc/lock_stat file that is shown beside the traces. The window reads the file and sets the contents.
/// Ownership: each ViewContext owns one object.
/// Threads: UI thread.
class LockStatText : public QObject {
    Q_OBJECT

public:
    static LockStatText& of(ViewContext& context);

    const QString& path() const { return m_path; } ///< Path of the open file; empty if none is open.
    /// Contents of the file; nullptr if no file is open or it is still being read.
    const std::shared_ptr<const ReadLockStat>& text() const { return m_text; }

    /// Announces that a file is being read, for the first time or again.
    void begin(const QString& path);
    void set(std::shared_ptr<const ReadLockStat> text);
    void close() { begin({}); }

signals:
    void changed();

private:
    using QObject::QObject;

    QString m_path;
    std::shared_ptr<const ReadLockStat> m_text;
};

} // namespace helio
