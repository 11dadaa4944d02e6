#include "core/compare/alignment.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/views.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using namespace helio;

namespace {

Row row(const char* kind, const char* id, const char* label, int pid = -1, int tid = -1)
{
    Row made;
    made.kind = kind;
    made.role = made.kind == "thread" ? TrackRole::Thread : TrackRole::Other;
    made.id = id;
    made.label = label;
    made.pid = pid;
    made.tid = tid;
    if (made.kind != "host")
        made.ref = {StoreIndex{}, TrackId{1}};
    return made;
}

/// Samples of single-threaded processes "solver" as perf script prints them: pairs of a PID and its number of samples.
QByteArray samples(const std::vector<std::pair<int, int>>& processes)
{
    QByteArray text;
    int ms = 1;
    for (const auto& [pid, count] : processes)
        for (int i = 0; i < count; ++i, ++ms)
            text += QStringLiteral("solver %1/%1 [000] 1.%2: 1000000 cpu-clock: \n\t 10 main+0x2 (/opt/app)\n\n")
                        .arg(pid)
                        .arg(ms * 1000, 6, 10, QChar('0'))
                        .toUtf8();
    return text;
}

} // namespace

class AlignmentTest : public QObject {
    Q_OBJECT

private slots:
    void timesAreTakenAcrossByTheZeros()
    {
        const Alignment alignment{timestamp(1000), timestamp(70)};
        QCOMPARE(alignment.toB(timestamp(1005)), timestamp(75));
        QCOMPARE(alignment.toA(timestamp(60)), timestamp(990));
        QCOMPARE(alignment.ofA(timestamp(1005)), Duration(5));
    }

    void threadsGoByNamesAndTheirOrderNotByTheirNumbers()
    {
        const std::vector<Row> a{row("thread", "tid:1", "sh", 1, 1), row("thread", "tid:2", "solver", 2, 2)};
        const std::vector<Row> b{row("thread", "tid:7", "sh", 7, 7), row("thread", "tid:9", "solver", 9, 9),
                                 row("thread", "tid:8", "solver", 8, 8)};
        QCOMPARE(matchRows(a, b), (std::vector<RowPair>{{0, 0}, {1, 1}, {-1, 2}}));
    }

    void aThreadOfAnotherProgramIsAnotherThread()
    {
        const std::vector<Row> a{row("thread", "tid:1", "solver", 1, 1), row("thread", "tid:2", "worker", 1, 2)};
        const std::vector<Row> b{row("thread", "tid:1", "server", 1, 1), row("thread", "tid:2", "worker", 1, 2)};
        QCOMPARE(matchRows(a, b), (std::vector<RowPair>{{0, -1}, {1, -1}, {-1, 0}, {-1, 1}}));
    }

    void cpusGoByTheirIds()
    {
        const std::vector<Row> a{row("cpu", "cpu:0", "CPU 0"), row("cpu", "cpu:1", "CPU 1"), row("irq", "cpu:1/irq:4", "4")};
        const std::vector<Row> b{row("cpu", "cpu:1", "CPU 1"), row("irq", "cpu:1/irq:4", "ttyS0")};
        QCOMPARE(matchRows(a, b), (std::vector<RowPair>{{0, -1}, {1, 0}, {2, 1}}));
    }

    /// Input: two processes "solver", of which the first recorded one is the busier one in A, and the second one in B. Property: the busier
    /// ones correspond, whatever their numbers and order.
    void namesakesGoByTheRankOfTheirCpuTime()
    {
        const OpenedText a(samples({{10, 30}, {20, 5}})), b(samples({{40, 5}, {50, 30}, {60, 1}}));
        QVERIFY2(a.timeline && b.timeline, (a.error + b.error).c_str());
        const std::string view = findViewWithRole(*a.timeline, TrackRole::Thread);

        std::map<int, int> tids;
        for (const auto& [inA, inB] : findMatchingRows(*a.timeline, view, *b.timeline, view))
            tids[rowOf(*a.timeline, inA)->tid] = rowOf(*b.timeline, inB)->tid;

        QCOMPARE(tids, (std::map<int, int>{{10, 50}, {20, 40}}));
    }

    /// Property: MatchingRowsCache computes the matching rows once for each pair of timelines and views, and again for other timelines.
    void matchesAreKeptForTheLatestTimelines()
    {
        const OpenedText a(samples({{10, 30}, {20, 5}})), b(samples({{40, 5}, {50, 30}})), other(samples({{60, 7}}));
        QVERIFY2(a.timeline && b.timeline && other.timeline, (a.error + b.error + other.error).c_str());
        const std::string view(findViewWithRole(*a.timeline, TrackRole::Thread));
        MatchingRowsCache cache;

        const auto first = cache.find(a.timeline, view, b.timeline, view);
        QCOMPARE(*first, findMatchingRows(*a.timeline, view, *b.timeline, view));
        QCOMPARE(cache.find(a.timeline, view, b.timeline, view), first);
        QVERIFY(cache.find(a.timeline, view, b.timeline, "resources") != first);
        QCOMPARE(cache.find(a.timeline, view, b.timeline, view), first);

        std::stop_source stop;
        stop.request_stop();
        QVERIFY(cache.find(a.timeline, view, other.timeline, view, stop.get_token())->empty());
        QCOMPARE(*cache.find(a.timeline, view, other.timeline, view), findMatchingRows(*a.timeline, view, *other.timeline, view));
        QVERIFY(cache.find(a.timeline, view, b.timeline, view) != first);
    }

    void hostsOfAnyNameAreTheSameByTheirOrder()
    {
        const std::vector<Row> a{row("host", "host:x", "kern1"), row("cpu", "cpu:0", "CPU 0")};
        const std::vector<Row> b{row("host", "host:y", "kern2"), row("cpu", "cpu:0", "CPU 0")};
        QCOMPARE(matchRows(a, b), (std::vector<RowPair>{{0, 0}, {1, 1}}));
    }
};

HELIO_TEST(AlignmentTest)
#include "tst_alignment.moc"
