#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

KernelScript& step(KernelScript& script, std::int64_t time, const char* what, int rank, int iteration)
{
    return script.event(time, 0, std::string("mpi:") + what, {{"rank", rank}, {"iter", iteration}});
}

KernelScript& message(KernelScript& script, std::int64_t time, int rank, int peer, int send)
{
    return script.event(time, 0, "mpi:message", {{"rank", rank}, {"peer", peer}, {"bytes", 1024}, {"send", send}});
}

} // namespace

class MpiStatesTest : public QObject {
    Q_OBJECT

private slots:
    void aRankComputesWaitsAndExchangesMessages()
    {
        KernelScript s;
        step(s, 5, "barrier_end", 1, 6); // The MPI rank was already waiting when the trace began.
        step(s, 10, "compute_begin", 0, 7);
        step(s, 20, "compute_end", 0, 7);
        step(s, 22, "barrier_begin", 0, 7);
        step(s, 30, "barrier_begin", 1, 7);
        step(s, 31, "barrier_end", 1, 7);
        step(s, 32, "barrier_end", 0, 7);
        message(s, 33, 0, 1, 1);
        message(s, 40, 0, 1, 0);
        message(s, 41, 0, 1, 1);
        const DeclaredRun run(shippedText("mpi-states"), s, {}, 50);
        QCOMPARE(run.complaints(), "");
        QCOMPARE(run.view("mpi-states-rows"),
                 "Ranks/0 \"rank 0\": compute 10-20, barrier 22-32, message 33-40, message 41-50\n"
                 "Ranks/0/Iteration: long 7 10-50\n"
                 "Ranks/1 \"rank 1\": barrier 30-31\n");
        QCOMPARE(run.curves(),
                 "mpi-states-waiting/Barrier (Barrier): 22=1 30=2 31=1 32=0\n"
                 "mpi-states-messages/Ranks/0 (rank 0): 33=1024 41=2048\n");
    }

    // Expected sums in ms come from truth.txt of the trace collection.
    void recordedRanksComputeAndWaitAsLongAsTheirEventsSay_data()
    {
        QTest::addColumn<QString>("rank");
        QTest::addColumn<QString>("compute");
        QTest::addColumn<QString>("barrier");
        test::addRow("0", "0", "167.246", "241.702");
        test::addRow("1", "1", "165.106", "262.301");
        test::addRow("2", "2", "213.983", "184.902");
        test::addRow("3", "3", "278.203", "189.927");
    }
    void recordedRanksComputeAndWaitAsLongAsTheirEventsSay()
    {
        QFETCH(QString, rank);
        QFETCH(QString, compute);
        QFETCH(QString, barrier);
        HELIO_REQUIRE_TRACE(path, "mpi-imbalance", "mpi-imbalance/ust");
        const auto store = shippedStore("mpi-states", path);
        QVERIFY(store);
        const auto times = timesOf(*store, "mpi-states-rows", "Ranks/" + rank.toStdString());
        const auto inMs = [&](const char* state) { return QString::number(static_cast<double>(times.at(state).total) / 1e6, 'f', 3); };
        QVERIFY(times.contains("compute") && times.contains("barrier"));
        QCOMPARE(times.at("compute").count, 12);
        QCOMPARE(times.at("barrier").count, 12);
        QCOMPARE(inMs("compute"), compute);
        QCOMPARE(inMs("barrier"), barrier);
    }
};

HELIO_TEST(MpiStatesTest)

#include "tst_mpi_states.moc"
