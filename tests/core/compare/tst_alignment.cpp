#include "core/compare/alignment.h"
#include "tests/support/test_program.h"

#include <QTest>

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

    void hostsOfAnyNameAreTheSameByTheirOrder()
    {
        const std::vector<Row> a{row("host", "host:x", "kern1"), row("cpu", "cpu:0", "CPU 0")};
        const std::vector<Row> b{row("host", "host:y", "kern2"), row("cpu", "cpu:0", "CPU 0")};
        QCOMPARE(matchRows(a, b), (std::vector<RowPair>{{0, 0}, {1, 1}}));
    }
};

HELIO_TEST(AlignmentTest)
#include "tst_alignment.moc"
