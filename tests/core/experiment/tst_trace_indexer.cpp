#include "core/experiment/trace_stores.h"
#include "tests/support/slow_trace.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <optional>
#include <thread>

using namespace helio;

namespace {

using Files = std::map<QString, QByteArray>;

/// The files that indexing makes, by name; empty if it fails.
Files storesOf(const std::shared_ptr<const Trace>& trace, std::size_t cores)
{
    QTemporaryDir place;
    TraceStores::Options options;
    options.directory = place.path().toStdString();
    options.cores = cores;
    TraceStores stores(trace, Analyses::builtin(), options);
    IndexProgress progress;
    const auto take = [](const TraceStores::Snapshot&) {};
    if (!stores.index(progress, take, false) || !stores.derive(take, false))
        return {};
    Files files;
    for (const QString& name : QDir(place.path()).entryList(QDir::Files))
        if (QFile file(place.filePath(name)); file.open(QIODevice::ReadOnly))
            files[name] = file.readAll();
    return files;
}

} // namespace

class TraceIndexerTest : public QObject {
    Q_OBJECT

private slots:
    void theStoreIsTheSameOnAnyNumberOfCores_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("sample") << SOURCE_DIR "/resources/samples";
        const QDir fixtures(SOURCE_DIR "/tests/fixtures");
        for (const QString& name : fixtures.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            if (name != QLatin1String("analyses")) // This folder holds XML files.
                QTest::newRow(qPrintable(name)) << fixtures.filePath(name);
    }

    void theStoreIsTheSameOnAnyNumberOfCores()
    {
        QFETCH(QString, path);
        int traces = 0;
        for (const TraceFormat* format : builtinTraceFormats()) {
            for (const TraceSource& source : format->find(path.toStdString())) {
                const auto trace = format->open(source);
                QVERIFY(trace);
                ++traces;
                const Files alone = storesOf(*trace, 1);
                QCOMPARE(alone.size(), 1 + Analyses::builtin()->runningOn(**trace).size()); // The facts' too.
                for (const std::size_t cores : {2, 3, 4, 8})
                    QVERIFY(storesOf(*trace, cores) == alone);
            }
        }
        QVERIFY(traces > 0);
    }

    void indexingIsCancelledWhereAStreamIsSlow_data()
    {
        QTest::addColumn<int>("cores");
        QTest::newRow("decoded here") << 1;
        QTest::newRow("decoded ahead") << 2;
    }

    void indexingIsCancelledWhereAStreamIsSlow()
    {
        QFETCH(int, cores);
        const test::SlowTrace trace(3);
        const auto builder = makeMemoryStoreBuilder(HostTimestamp());
        IndexProgress progress;
        std::stop_source stop;
        std::optional<Error> error;
        std::thread indexing([&] {
            auto store = indexTrace(trace, {builder.get(), {}}, progress, std::size_t(cores), {}, stop.get_token());
            if (!store)
                error = store.error();
        });
        trace.waitUntilRead();
        stop.request_stop();
        trace.freeInBackground();
        indexing.join(); // The streams never end.

        QVERIFY(error);
        QCOMPARE(error->kind, Error::Kind::Cancelled);
        QCOMPARE(trace.reads(), 1); // No further batch was read.
    }

    void indexingIsCancelledBetweenEvents()
    {
        const test::SlowTrace trace(3);
        trace.freeInBackground();
        const auto builder = makeMemoryStoreBuilder(HostTimestamp());
        IndexProgress progress;
        std::stop_source stop;
        const auto publish = [&](const IndexedTrace&) { stop.request_stop(); };
        const auto store = indexTrace(trace, {builder.get(), {}}, progress, 1, publish, stop.get_token());

        QVERIFY(!store);
        QCOMPARE(store.error().kind, Error::Kind::Cancelled);
    }
};

HELIO_TEST(TraceIndexerTest)
#include "tst_trace_indexer.moc"
