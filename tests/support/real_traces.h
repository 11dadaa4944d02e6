#pragma once

#include <QString>
#include <QStringList>

namespace helio {

// Recorded traces that tests use if they are available. They are archives NAME/NAME.tar.zst, one for each collection, in a folder beside
// the source tree or in the folder that the environment variable HELIOGRAPH_TRACES names.

/// Returns the path of the unpacked collection (`realTrace("big-kernel")`) or of `below` in it (`realTrace("lttng-kernel",
/// "plain/kernel")`); empty if it is not available. A test then calls QSKIP(): see HELIO_REQUIRE_TRACE.
///
/// A collection is unpacked once, into a temporary folder that all test programs share. Tests must not change its content.
/// Threads: several processes may call this function at the same time.
/// Cost: seconds for the biggest collection at the first call.
QString realTrace(const QString& collection, const QString& below = {});

/// Path of the collection's archive; empty if the archive is not available.
QString realTraceArchive(const QString& collection);

/// Path of a single file in the folder of the collections, for example `sharedFile("formats/chrome-json/flow.json")`; empty if it is not
/// available.
QString sharedFile(const QString& path);

/// Names of the available collections, sorted.
QStringList realTraceCollections();

/// Returns the message for QSKIP(): which collection or path is not available.
QString missingTrace(const QString& collection, const QString& below = {});

/// Paths of all folders at or below `folder` that contain a file `metadata`, sorted: CTF traces and trace chunks.
QStringList ctfFolders(const QString& folder);

} // namespace helio

/// Declares `path` as the trace's folder, or skips the test function if the trace is absent.
#define HELIO_REQUIRE_TRACE(path, ...)                                                                                                     \
    const QString path = helio::realTrace(__VA_ARGS__);                                                                                    \
    if (path.isEmpty())                                                                                                                    \
    QSKIP(qPrintable(helio::missingTrace(__VA_ARGS__)))
