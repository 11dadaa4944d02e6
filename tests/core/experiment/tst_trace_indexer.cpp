#include "tests/core/experiment/store_files.h"
#include "tests/support/slow_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>
#include <thread>

using namespace helio;

class TraceIndexerTest : public QObject {
    Q_OBJECT

private slots:
    void theStoreIsTheSameOnAnyNumberOfCores_data() { addTraceFolders(); }

    void theStoreIsTheSameOnAnyNumberOfCores()
    {
        QFETCH(QString, path);
        checkTraces(path, [&](const std::shared_ptr<const Trace>& trace) {
            const Files alone = storesOf(trace, Analyses::builtin(), 1);
            // One file for each analysis and one for the facts.
            QCOMPARE(alone.size(), 1 + Analyses::builtin()->runningOn(*trace).size());
            for (const std::size_t cores : {2, 3, 4, 8})
                QVERIFY(storesOf(trace, Analyses::builtin(), cores) == alone);
        });
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
        trace.openGate();
        indexing.join(); // The indexing thread ends although the streams never end.

        QVERIFY(error);
        QCOMPARE(error->kind, Error::Kind::Cancelled);
        QCOMPARE(trace.requestedBatches(), 1); // Only the batch in progress was read.
    }

    void indexingIsCancelledBetweenEvents()
    {
        const test::SlowTrace trace(3);
        trace.openGate();
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
