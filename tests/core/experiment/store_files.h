#pragma once

#include "core/experiment/trace_stores.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <memory>

namespace helio {

using Files = std::map<QString, QByteArray>;

/// Indexes the trace and returns the content of the store files by name; empty if indexing fails.
inline Files storesOf(const std::shared_ptr<const Trace>& trace, std::shared_ptr<const Analyses> analyses, std::size_t cores = 1)
{
    QTemporaryDir place;
    TraceStores::Options options;
    options.directory = place.path().toStdString();
    options.cores = cores;
    TraceStores stores(trace, std::move(analyses), options);
    TraceProgress progress;
    const auto take = [](const TraceStores::Snapshot&) {};
    if (!stores.index(progress, take, false) || !stores.derive(progress, take, false))
        return {};
    Files files;
    for (const QString& name : QDir(place.path()).entryList(QDir::Files))
        if (QFile file(place.filePath(name)); file.open(QIODevice::ReadOnly))
            files[name] = file.readAll();
    return files;
}

/// Adds the column "path" to a data-driven test. Adds one row for the folder of sample traces, and one row for each fixture folder with
/// traces.
inline void addTraceFolders()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("sample") << SOURCE_DIR "/resources/samples";
    const QDir fixtures(SOURCE_DIR "/tests/fixtures");
    for (const QString& name : fixtures.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (name != QLatin1String("analyses")) // The folder "analyses" contains XML files, no traces.
            QTest::newRow(qPrintable(name)) << fixtures.filePath(name);
}

/// Opens each trace in the folder and passes it to check(). Fails the test if the folder has no trace.
template <typename Check> void checkTraces(const QString& path, const Check& check)
{
    int traces = 0;
    for (const TraceFormat* format : builtinTraceFormats()) {
        for (const TraceSource& source : format->find(path.toStdString())) {
            const auto trace = format->open(source);
            QVERIFY(trace);
            ++traces;
            check(*trace);
        }
    }
    QVERIFY(traces > 0);
}

} // namespace helio
