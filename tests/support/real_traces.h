#pragma once

#include <QString>
#include <QStringList>

namespace helio {

// The recorded traces that tests use if available: a folder beside the source tree, or the folder in the environment variable
// HELIOGRAPH_TRACES, with an archive NAME/NAME.tar.zst for each collection.

/// Returns the unpacked collection (`realTrace("big-kernel")`) or the path `below` in it (`realTrace("lttng-kernel", "plain/kernel")`).
/// Empty if it is not available; tests then skip and say so: HELIO_REQUIRE_TRACE does that.
///
/// Collections are unpacked once, into a folder in the system's temporary folder that all test programs share. Tests must not change its
/// content.
/// Threads: several processes may call it at once.
/// Cost: seconds for the biggest collection at the first call.
QString realTrace(const QString& collection, const QString& below = {});

/// Path of the collection's archive; empty if it is absent.
QString realTraceArchive(const QString& collection);

/// Names of the available collections, sorted.
QStringList realTraceCollections();

/// Returns the message for QSKIP().
QString missingTrace(const QString& collection, const QString& below = {});

/// Every folder at or below `folder` that holds a file named `metadata`, sorted: CTF traces and chunks of traces.
QStringList ctfFolders(const QString& folder);

} // namespace helio

/// Declares `path` as the trace's folder, or skips the test function if the trace is absent.
#define HELIO_REQUIRE_TRACE(path, ...)                                                                                                     \
    const QString path = helio::realTrace(__VA_ARGS__);                                                                                    \
    if (path.isEmpty())                                                                                                                    \
    QSKIP(qPrintable(helio::missingTrace(__VA_ARGS__)))
