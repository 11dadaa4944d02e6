#include "app/gui/common/trace_path.h"

#include "core/remote/remote_address.h"

#include <QDir>
#include <QFileInfo>

namespace helio {

QString tracePath(const QString& chosen)
{
    const QFileInfo file(chosen);
    return file.fileName() == QLatin1String("metadata") && file.isFile() ? file.path() : chosen;
}

QStringList tracePaths(const QStringList& chosen)
{
    QStringList paths;
    for (const QString& path : chosen)
        paths << tracePath(path);
    paths.removeDuplicates();
    return paths;
}

QString absolutePath(const QString& path) { return isRemote(path.toStdString()) ? path : QFileInfo(path).absoluteFilePath(); }

QString traceName(const QString& path)
{
    const QString whole = QDir::cleanPath(QFileInfo(tracePath(path)).absoluteFilePath());
    const QFileInfo file(whole);
    const QString above = QFileInfo(file.path()).fileName();
    return file.fileName() == QLatin1String("kernel") && !above.isEmpty() ? above + QStringLiteral("/kernel") : file.fileName();
}

QString traceNames(const QStringList& paths)
{
    QStringList names;
    for (const QString& path : paths) {
        const QString name = traceName(path);
        names << (paths.size() > 1 && name.endsWith(QLatin1String("/kernel")) ? name.chopped(7) : name);
    }
    return names.join(QStringLiteral(", "));
}

QString commonFolder(const QStringList& paths)
{
    QString common;
    for (const QString& path : paths) {
        if (isRemote(path.toStdString()))
            return path.section('/', 0, -2);
        const QString folder = QFileInfo(QDir::cleanPath(QFileInfo(tracePath(path)).absoluteFilePath())).path();
        if (common.isEmpty())
            common = folder;
        while (folder != common && !folder.startsWith(common + '/') && common.size() > 1)
            common = QFileInfo(common).path();
    }
    return common;
}

} // namespace helio
