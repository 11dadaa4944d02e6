#include "tests/support/real_traces.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QLockFile>
#include <QProcess>
#include <QTemporaryDir>

#include <unistd.h>

namespace helio {
namespace {

QString tracesFolder()
{
    const QString named = qEnvironmentVariable("HELIOGRAPH_TRACES");
    return named.isEmpty() ? QStringLiteral(SOURCE_DIR "/../shared/traces") : named;
}

QString archiveOf(const QString& collection) { return tracesFolder() + '/' + collection + '/' + collection + ".tar.zst"; }

/// Unpacks into a temporary folder beside `target` and renames the folder afterwards, so that an existing target is always complete.
bool unpack(const QString& archive, const QString& target)
{
    QTemporaryDir partial(target + ".partial-XXXXXX");
    if (!partial.isValid())
        return false;
    const int code = QProcess::execute("tar", {"--zstd", "--no-same-owner", "-xf", archive, "-C", partial.path()});
    if (code != 0 || !QDir().rename(partial.path(), target)) {
        qWarning("%s could not be unpacked (tar with zstd is needed)", qPrintable(archive));
        return false;
    }
    partial.setAutoRemove(false);
    return true;
}

} // namespace

QString realTrace(const QString& collection, const QString& below)
{
    const QFileInfo archive(archiveOf(collection));
    if (!archive.exists())
        return {};
    const QString cache = QDir::tempPath() + "/heliograph-test-traces-" + QString::number(::getuid());
    QDir().mkpath(cache);
    const QString target =
        QStringLiteral("%1/%2-%3-%4").arg(cache, collection).arg(archive.size()).arg(archive.lastModified().toSecsSinceEpoch());
    if (!QFileInfo::exists(target)) {
        QLockFile lock(target + ".lock");
        lock.setStaleLockTime(0); // Set no timeout, because unpacking may take long. QLockFile still detects the lock of a dead process.
        lock.lock();
        if (!QFileInfo::exists(target) && !unpack(archive.filePath(), target))
            return {};
    }
    const QString path = QDir::cleanPath(target + '/' + collection + '/' + below);
    return QFileInfo::exists(path) ? path : QString();
}

QString realTraceArchive(const QString& collection)
{
    const QString path = archiveOf(collection);
    return QFileInfo::exists(path) ? path : QString();
}

QString sharedFile(const QString& path)
{
    const QString whole = tracesFolder() + '/' + path;
    return QFileInfo(whole).isFile() ? QDir::cleanPath(whole) : QString();
}

QStringList realTraceCollections()
{
    QStringList found;
    for (const QString& name : QDir(tracesFolder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (QFileInfo::exists(archiveOf(name)))
            found << name;
    return found;
}

QString missingTrace(const QString& collection, const QString& below)
{
    return QStringLiteral("the recorded trace %1 is not here (see tests/support/real_traces.h)")
        .arg(below.isEmpty() ? collection : collection + '/' + below);
}

QStringList ctfFolders(const QString& folder)
{
    QStringList found;
    if (QFileInfo(folder + "/metadata").isFile())
        found << QDir::cleanPath(folder);
    QDirIterator it(folder, QDir::Dirs | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        if (QFileInfo(path + "/metadata").isFile())
            found << path;
    }
    found.sort();
    return found;
}

} // namespace helio
