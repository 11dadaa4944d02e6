// Counts of CPU counters by the state of the thread that ran. Input: synthetic traces.

#include "core/counters/state_counts.h"
#include "core/query/rows/row_lookup.h"
#include "tests/core/query/counted_script.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Returns counts as sorted text, one per line: "tid:7 running-user 100 us: 1000 instructions, 500 cycles".
QStringList counted(const Timeline& timeline)
{
    const std::vector<std::string> views{"counters-cpu"};
    const TimeRange all{Timestamp::min(), Timestamp::max()};
    QStringList lines;
    for (const StateCounts& it :
         computeStateCounts(timeline, ratioRows(timeline, views, *CounterFormula::parse("instructions / cycles")), all))
        lines << QString("%1 %2 %3 us: %4 instructions, %5 cycles")
                     .arg(QString::fromStdString(rowOf(timeline, it.row)->id),
                          QString::fromStdString(std::string(stateName(timeline, it.row, it.state))))
                     .arg(double(it.time.count()) / 1000)
                     .arg(it.counted[0])
                     .arg(it.counted[1]);
    lines.sort();
    return lines;
}

} // namespace

class StateCountsTest : public QObject {
    Q_OBJECT

private slots:
    void countsGoToTheStatesTheyWereCountedIn()
    {
        QCOMPARE(counted(twoThreads().timeline()),
                 (QStringList{"cpu:0 idle 200 us: 60 instructions, 150 cycles", "tid:7 running 100 us: 1000 instructions, 500 cycles",
                              "tid:7 running-syscall 200 us: 150 instructions, 600 cycles",
                              "tid:7 running-user 200 us: 1400 instructions, 600 cycles",
                              "tid:9 running 100 us: 100 instructions, 400 cycles"}));
    }
};

HELIO_TEST(StateCountsTest)
#include "tst_state_counts.moc"
