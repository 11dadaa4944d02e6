#pragma once

#include <QString>
#include <QStringList>

namespace helio {

/// Returns the path of the trace that the user chose: for the file `metadata` of an LTTng trace, its folder; otherwise the chosen path.
QString tracePath(const QString& chosen);
/// Applies tracePath() to each path and removes duplicates.
QStringList tracePaths(const QStringList& chosen);

/// Returns the absolute path of a file or folder. An address on another machine (core/remote/remote_address.h) stays as it is.
QString absolutePath(const QString& path);

/// Returns the name of a trace: its file or folder name. Because LTTng names the folder of every kernel trace `kernel`, the parent folder
/// is added: "workers/kernel".
QString traceName(const QString& path);
/// Returns the names of several traces, for example "client, web, db".
QString traceNames(const QStringList& paths);
/// Returns the folder that contains all paths.
QString commonFolder(const QStringList& paths);

} // namespace helio
