#pragma once

#include <QString>
#include <QStringList>

namespace helio {

// The recorded traces that tests may use where they are present: a folder beside the source tree, or the one that the environment
// variable HELIOGRAPH_TRACES names, with an archive NAME/NAME.tar.zst for each collection.

/// The unpacked collection (`realTrace("big-kernel")`), or what lies at `below` in it (`realTrace("lttng-kernel", "plain/kernel")`).
/// Empty where that is not available; tests then skip, saying so: HELIO_REQUIRE_TRACE does.
///
/// Collections are unpacked once into a folder in the system's temporary folder that all test programs share; several may ask at once.
/// What is in it must not be changed. Slow the first time (seconds for the biggest).
QString realTrace(const QString& collection, const QString& below = {});

/// The collection's archive itself; empty where it is absent.
QString realTraceArchive(const QString& collection);

/// The collections whose archives are there, sorted.
QStringList realTraceCollections();

/// The sentence to skip with.
QString missingTrace(const QString& collection, const QString& below = {});

/// Every folder at or below `folder` that holds a file named `metadata`, sorted: CTF traces and chunks of traces.
QStringList ctfFolders(const QString& folder);

} // namespace helio

/// Declares `path` as the trace's folder, or skips the test function where the trace is absent.
#define HELIO_REQUIRE_TRACE(path, ...)                                                                                                     \
    const QString path = helio::realTrace(__VA_ARGS__);                                                                                    \
    if (path.isEmpty())                                                                                                                    \
    QSKIP(qPrintable(helio::missingTrace(__VA_ARGS__)))
