// Input: recordings of some threads or CPUs only. Property: states of other threads and CPUs, and after unrecorded changes, are unknown.

#include "kernel_script.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using helio::LinkKind;
using helio::ProcessRecord;
using helio::RecordingScope;
using helio::test::KernelScript;

namespace {

constexpr auto S = 1; // State of a thread that leaves its CPU: sleeping.
constexpr auto P = 256; // State of a thread that leaves its CPU: preempted.

/// Writer of events as recorded by perf: each event names its thread. Times in µs.
class PartScript : public KernelScript {
public:
    PartScript& leave(std::int64_t time, int cpu, std::int64_t prev, std::int64_t state, std::int64_t next)
    {
        event(1000 * time, cpu, "sched_switch",
              {{"$tid", prev}, {"prev_tid", prev}, {"prev_state", state}, {"next_tid", next}, {"prev_comm", "x"}, {"next_comm", "x"}});
        return *this;
    }
    PartScript& proof(std::int64_t time, int cpu, std::int64_t tid)
    {
        event(1000 * time, cpu, "cpu-clock", {{"$tid", tid}});
        return *this;
    }
    PartScript& woken(std::int64_t time, int cpu, std::int64_t waker, std::int64_t tid)
    {
        event(1000 * time, cpu, "sched_waking", {{"$tid", waker}, {"comm", "x"}, {"tid", tid}, {"prio", 20}, {"target_cpu", 0}});
        return *this;
    }
    PartScript& forked(std::int64_t time, int cpu, std::int64_t parent, std::int64_t child)
    {
        event(1000 * time, cpu, "sched_process_fork",
              {{"$tid", parent}, {"parent_comm", "x"}, {"parent_tid", parent}, {"child_comm", "x"}, {"child_tid", child}});
        return *this;
    }
    PartScript& exited(std::int64_t time, std::int32_t tid)
    {
        ProcessRecord& record = m_records.emplace_back();
        record.kind = ProcessRecord::Kind::Exit;
        record.time = helio::hostTime(1000 * time);
        record.pid = record.tid = tid;
        return *this;
    }
    std::span<const ProcessRecord> processRecords() const override { return m_records; }
    void end(std::int64_t time) { run(1000 * time); }
    QString inMicroseconds(const std::string& key) const
    {
        static const QRegularExpression thousands(R"(000\b)");
        return QString::fromStdString(states(key)).remove(thousands);
    }

private:
    std::vector<ProcessRecord> m_records;
};

} // namespace

#define COMPARE_IN_MICROSECONDS(script, key, expected) QCOMPARE((script).inMicroseconds(key), QString(expected))

class KernelPartsTest : public QObject {
    Q_OBJECT
private slots:
    void whoIsSwitchedToIsUnknownWhereItIsNotRecorded()
    {
        PartScript s;
        s.of({{7}, false, true});
        s.proof(0, 0, 7).leave(10, 0, 7, S, 9).proof(30, 0, 7).leave(40, 0, 7, S, 0).proof(60, 1, 7).end(70);
        COMPARE_IN_MICROSECONDS(s, "tid:9", "unknown 0-70");
        COMPARE_IN_MICROSECONDS(s, "cpu:0", "running((7)) 0-10, unknown 10-30, running(x (7)) 30-40, unknown 40-70");
        COMPARE_IN_MICROSECONDS(s, "cpu:0/thread", "running(tid:7) 0-10, unknown 10-30, running(tid:7) 30-40, unknown 40-70");
        COMPARE_IN_MICROSECONDS(s, "cpu:1", "unknown 0-60, running(x (7)) 60-70");
    }

    void aThreadIsUnknownUntilAnEventProvesThatItRunsAgain()
    {
        PartScript s;
        s.of({{7}, false, true});
        s.proof(5, 0, 7).leave(10, 0, 7, S, 9).proof(30, 0, 7).leave(40, 0, 7, P, 9).leave(60, 0, 7, S, 9).end(70);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 5-10, unknown 10-30, running 30-40, unknown 40-70");
    }

    void anEventOnTheWayOffTheCpuIsNoProof()
    {
        PartScript s;
        s.of({{7}, false, true});
        s.proof(0, 0, 7).leave(10, 0, 7, S, 9).proof(12, 0, 7).leave(40, 0, 7, S, 9).end(70);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, unknown 10-70");
    }

    void whoSwitchesToItIsSeenIfItIsRecorded()
    {
        PartScript s;
        s.of({{7, 8}, false, true});
        s.proof(0, 0, 7).leave(10, 0, 7, P, 8).leave(20, 0, 8, S, 7).leave(30, 0, 7, S, 9).proof(32, 1, 7).leave(35, 1, 7, S, 8).end(40);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, preempted 10-20, running 20-30, unknown 30-32, running 32-35, unknown 35-40");
        COMPARE_IN_MICROSECONDS(s, "tid:8", "unknown 0-10, running 10-20, waiting 20-35, running 35-40");
    }

    void whatALossMayHideIsUnknownUntilTheThreadIsSeenAgain()
    {
        PartScript s;
        s.of({{7, 8}, false, true});
        s.proof(0, 0, 7).leave(10, 0, 7, S, 9).proof(11, 1, 8).loss(1, 12'000, 14'000);
        s.proof(15, 1, 8).leave(20, 1, 8, S, 7).end(30);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, waiting 10-12, unknown 12-20, running 20-30");
    }

    void whoExitsHadGotACpuUnseen()
    {
        PartScript s;
        s.of({{7, 8}, false, true});
        s.proof(0, 0, 7).proof(0, 1, 8).leave(10, 0, 7, S, 9).exited(20, 7).exited(25, 8).proof(27, 0, 9).end(30);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, unknown 10-20");
        COMPARE_IN_MICROSECONDS(s, "tid:8", "running 0-25");
    }

    void threadsOfAnotherNamespaceAreNotTheRecordedOnes()
    {
        PartScript s;
        s.of({{16}, false, true});
        // The contexts count TIDs in another PID namespace. Context TID 16 is the thread that the payload calls 7. The payload's TID 16 is
        // a different thread, so the contexts must not be used.
        s.event(10'000, 0, "sched_switch",
                {{"$tid", 16}, {"prev_tid", 7}, {"prev_state", S}, {"next_tid", 16}, {"prev_comm", "x"}, {"next_comm", "x"}});
        s.leave(30, 0, 7, S, 16);
        s.end(40);
        COMPARE_IN_MICROSECONDS(s, "tid:16", "unknown 10-40");
    }

    void itSleepsUntilItIsWokenIfThatIsSeen()
    {
        PartScript s;
        s.of({{7, 8}, false, true});
        s.proof(0, 0, 7).leave(10, 0, 7, S, 9).woken(20, 1, 8, 7).proof(30, 0, 7).end(40);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, sleeping 10-20, unknown 20-30, running 30-40");
        QCOMPARE(QString::fromStdString(s.links(LinkKind::Wakeup)), QString("wakeup tid:8>tid:7 20000-20000 cpu 1 target 0 ran 0"));
    }

    void aWakerThatIsNotRecordedGetsNoStates()
    {
        PartScript s;
        s.of({{7}, false, true});
        s.proof(0, 0, 7).leave(10, 0, 7, S, 9).woken(20, 1, 3, 7).woken(21, 1, 0, 5).end(40);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, sleeping 10-20, unknown 20-40");
        COMPARE_IN_MICROSECONDS(s, "tid:3", "unknown 0-40");
        COMPARE_IN_MICROSECONDS(s, "tid:5", "unknown 0-40");
        COMPARE_IN_MICROSECONDS(s, "cpu:1", "unknown 0-40");
    }

    void childrenAreRecordedWhereTheRecordingSaysSo()
    {
        for (const bool hasChildren : {true, false}) {
            PartScript s;
            s.of({{7}, hasChildren, true});
            s.proof(0, 0, 7).forked(5, 0, 7, 8).leave(10, 0, 7, S, 8).proof(20, 1, 7).end(40);
            COMPARE_IN_MICROSECONDS(s, "tid:8", hasChildren ? "wait-cpu 5-10, running 10-40" : "unknown 5-40");
        }
    }

    void offItsCpusNothingIsKnownOfAThread()
    {
        PartScript s;
        s.of({{}, false, false});
        s.leave(0, 0, 0, 0, 7).leave(10, 0, 7, S, 0).woken(15, 0, 0, 7).leave(20, 0, 0, 0, 7).leave(30, 0, 7, P, 8).end(40);
        COMPARE_IN_MICROSECONDS(s, "tid:7", "running 0-10, unknown 10-20, running 20-30, unknown 30-40");
        COMPARE_IN_MICROSECONDS(s, "cpu:0", "running(x (7)) 0-10, idle 10-20, running(x (7)) 20-30, running(x (8)) 30-40");
    }
};

HELIO_TEST(KernelPartsTest)
#include "tst_kernel_parts.moc"
