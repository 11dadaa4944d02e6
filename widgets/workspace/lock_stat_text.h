#pragma once

#include "core/waits/locks/lock_stat.h"

#include <QObject>
#include <QString>

#include <memory>

namespace helio {

class ViewContext;

/// A text of /proc/lock_stat as it was read.
struct ReadLockStat {
    LockStat stat;
    QString problem; ///< Why it could not be read, with the path: then the rest is empty. Empty: it could.
};

/// The text of /proc/lock_stat that is shown beside the traces. The window reads it and fills this in. One for each context, which owns it.
/// UI thread.
class LockStatText : public QObject {
    Q_OBJECT

public:
    static LockStatText& of(ViewContext& context);

    const QString& path() const { return m_path; } ///< Empty: none is open.
    const std::shared_ptr<const ReadLockStat>& text() const { return m_text; } ///< Null: none is open, or it is being read.

    /// It is being read: another one, or the same once more.
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
