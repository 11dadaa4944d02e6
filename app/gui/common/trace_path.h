#pragma once

#include <QString>
#include <QStringList>

namespace helio {

/// Returns the trace that the user chose: for the file `metadata` of an LTTng trace its folder, otherwise the path itself.
QString tracePath(const QString& chosen);
/// Applies tracePath() to each path and removes duplicates.
QStringList tracePaths(const QStringList& chosen);

/// Returns the file name of a trace, or its folder name. LTTng names the folder of every kernel trace `kernel`, hence the folder above is
/// added: "workers/kernel".
QString traceName(const QString& path);
/// Returns the names of several traces, for example "client, web, db".
QString traceNames(const QStringList& paths);
/// Returns the folder that contains all paths.
QString commonFolder(const QStringList& paths);

} // namespace helio
