#pragma once

#include <QString>
#include <QStringList>

namespace helio {

/// What a person chose, as a trace: of an LTTng trace's file `metadata` its folder, all else as it is.
QString tracePath(const QString& chosen);
/// The same of several, each once.
QStringList tracePaths(const QStringList& chosen);

/// What a trace is called: its file, or its folder. LTTng calls the folder of every kernel trace `kernel`: the one above it says more, as
/// "workers/kernel".
QString traceName(const QString& path);
/// Of several: "client, web, db".
QString traceNames(const QStringList& paths);
/// The folder that all of them are in.
QString commonFolder(const QStringList& paths);

} // namespace helio
