// Property: migrations of threads between CPUs are found, and migrations at which a switch is missing are counted as unseen.

#include "core/latency/migrations/migrations.h"
#include "core/query/rows/row_lookup.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

constexpr TimeRange All{Timestamp::min(), Timestamp::max()};

Timeline timelineOf(KernelScript& script, std::int64_t end)
{
    script.run(end);
    Timeline timeline;
    addTrace(timeline, {script.sharedStore(), std::make_shared<MadeTrace>()});
    return timeline;
}

/// Migrations as text, one a line: "tid:7 at 30-40 cpu 1: same-core off 10 waited 5"; after the migrations of a thread, "tid:7 unseen 1"
/// counts the unrecorded ones.
QStringList movesIn(const Timeline& timeline, const CpuTopology& topology, TimeRange window = All)
{
    QStringList lines;
    for (const ThreadSwitchIns& thread : collectSwitchIns(timeline, ThreadRuns(timeline), {{0, topology}}, window)) {
        const QString id = QString::fromStdString(rowOf(timeline, thread.thread)->id);
        for (const SwitchIn& it : thread.all)
            lines << QString("%1 at %2-%3 cpu %4: %5 off %6 waited %7")
                         .arg(id)
                         .arg(nanoseconds(it.run.begin))
                         .arg(nanoseconds(it.run.end))
                         .arg(it.cpu)
                         .arg(int(it.distance))
                         .arg(it.off.count())
                         .arg(it.waited ? QString::number(it.waited->count()) : QString("?"));
        if (thread.unseen > 0)
            lines << id + " unseen " + QString::number(thread.unseen);
    }
    return lines;
}

constexpr int Preempted = 0, Sleeps = 1;

} // namespace

class MigrationsTest : public QObject {
    Q_OBJECT

private slots:
    void aSwitchInIsFromTheCpuThatTheThreadHadBefore()
    {
        KernelScript s;
        s.sw(0, 0, 0, 0, 7).sw(10, 0, 7, Preempted, 0).sw(15, 1, 0, 0, 7); // Thread 7 migrates to CPU 1 after it waited for a CPU.
        s.sw(30, 1, 7, Sleeps, 0).wakeup(36, 0, 7, 1).sw(40, 1, 0, 0, 7); // Thread 7 sleeps and continues on CPU 1, which is no migration.
        s.sw(50, 1, 7, Sleeps, 0).sw(60, 2, 0, 0, 7); // Thread 7 sleeps and migrates to CPU 2; its wake-up is not recorded.
        CpuTopology machine;
        for (const int cpu : {0, 1})
            machine.place(cpu)->core = 0;
        const Timeline timeline = timelineOf(s, 70);
        QCOMPARE(movesIn(timeline, machine),
                 (QStringList{"tid:7 at 15-30 cpu 1: 1 off 5 waited 5", "tid:7 at 40-50 cpu 1: 0 off 10 waited 4",
                              "tid:7 at 60-70 cpu 2: 7 off 10 waited ?"}));
        QCOMPARE(movesIn(timeline, machine, {timestamp(40), timestamp(60)}), (QStringList{"tid:7 at 40-50 cpu 1: 0 off 10 waited 4"}));
    }

    void lossesHideMigrations()
    {
        KernelScript s;
        // CPU 0 loses events, so the CPU of thread 7 is unknown.
        s.sw(0, 0, 0, 0, 7).sw(5, 1, 0, 0, 8).loss(0, 10, 20).sw(30, 1, 8, Preempted, 7);
        s.sw(40, 1, 7, Preempted, 8).sw(50, 0, 0, 0, 7);
        const Timeline timeline = timelineOf(s, 60);
        QCOMPARE(movesIn(timeline, {}),
                 (QStringList{"tid:7 at 50-60 cpu 0: 7 off 10 waited 10", "tid:7 unseen 1", "tid:8 at 40-60 cpu 1: 0 off 10 waited 10"}));
    }
};

HELIO_TEST(MigrationsTest)
#include "tst_migrations.moc"
