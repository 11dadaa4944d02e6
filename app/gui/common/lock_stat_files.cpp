#include "app/gui/common/lock_stat_files.h"

#include "widgets/time/qt_text.h"

#include <QFile>
#include <QFileInfo>

#include <utility>

namespace helio {

bool isLockStatFile(const QString& path)
{
    constexpr qint64 Enough = 64;
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return false;
    return isLockStat(file.read(Enough).toStdString());
}

QStringList takeLockStats(QStringList& paths)
{
    QStringList taken, others;
    for (const QString& path : std::as_const(paths))
        (isLockStatFile(path) ? taken : others) << path;
    paths = others;
    return taken;
}

LockStatReader::LockStatReader(LockStatText& text, QObject* parent)
    : QObject(parent)
    , m_text(text)
{
}

void LockStatReader::read(const QString& path)
{
    m_text.begin(path);
    m_job.post([this, path](std::stop_token) -> LatestTask::Delivery {
        auto stat = readLockStat(path.toStdString());
        auto read = std::make_shared<ReadLockStat>();
        if (stat)
            read->stat = std::move(*stat);
        else
            read->problem = text(stat.error().what);
        return [this, read] { m_text.set(read); };
    });
}

void LockStatReader::close()
{
    m_job.cancel();
    m_text.close();
}

} // namespace helio
