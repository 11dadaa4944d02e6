#include "core/formats/perfetto/packets.h"
#include "core/formats/perfetto/perfetto_reader.h"
#include "core/io/text_source.h"
#include "tests/support/dice.h"
#include "tests/support/files.h"
#include "tests/support/made_perfetto.h"
#include "tests/support/open_trace.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/printed_fields.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

using namespace helio;

namespace {

/// Returns an FtraceEventBundle of CPU 0 with one generic ftrace event "x" at each of `times`.
MadeMessage bundleAt(std::initializer_list<std::int64_t> times)
{
    MadeMessage bundle;
    bundle.number(1, 0);
    for (const std::int64_t time : times)
        bundle.message(2, madeFtraceEvent(time, 7, 327, MadeMessage().text(1, "x")));
    return bundle;
}

/// Returns a TracePacket with the timestamp `time` and a process tree of one process. The reader makes one event from it, at the converted
/// time.
MadeMessage timedPacket(std::int64_t time)
{
    return MadeMessage().number(8, time).message(2, MadeMessage().message(1, MadeMessage().number(1, 5)));
}

MadeMessage snapshot(std::initializer_list<std::pair<int, std::int64_t>> clocks)
{
    MadeMessage snapshot;
    for (const auto& [clock, time] : clocks)
        snapshot.message(1, MadeMessage().number(1, clock).number(2, time));
    return snapshot;
}

MadeMessage snapshotPacket(std::initializer_list<std::pair<int, std::int64_t>> clocks)
{
    return MadeMessage().message(6, snapshot(clocks));
}

/// Returns the peak of the process's resident memory in bytes.
long peakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

std::string zlibOf(const std::string& text)
{
    uLongf size = compressBound(text.size());
    std::string packed(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size()) != Z_OK)
        qFatal("cannot compress");
    packed.resize(size);
    return packed;
}

std::string zstdOf(const std::string& text)
{
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
    return packed;
}

} // namespace

/// Input: Perfetto traces that the tests build.
class PerfettoTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Trace> open(const QByteArray& bytes)
    {
        const QString path = test::writeFile(m_folder.filePath("trace.pftrace"), bytes);
        m_error.clear();
        return openTrace("Perfetto", path.toStdString(), &m_error);
    }

    /// Returns the events and losses of a trace, one line each in time order. The reader's messages follow.
    QStringList contentOf(const QByteArray& bytes)
    {
        m_trace = open(bytes);
        if (!m_trace)
            return {m_error.empty() ? QString("not recognized") : QString::fromStdString(m_error)};
        QStringList lines;
        MergedEvents events(*m_trace);
        const auto takeLosses = [&] {
            for (const Loss& loss : events.takeLosses())
                lines << printLoss(loss);
        };
        while (events.next()) {
            takeLosses();
            lines << printEvent(events.event());
        }
        takeLosses();
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            lines << QString("%1 %2 at %3").arg(QString::fromStdString(diagnostic.kind)).arg(diagnostic.count).arg(diagnostic.offset);
        return lines;
    }
    QStringList contentOf(const MadePerfetto& trace) { return contentOf(trace.bytes()); }

    /// Returns the times of all events of `trace` in ns.
    QList<qint64> timesOf(const MadePerfetto& trace)
    {
        m_trace = open(trace.bytes());
        QList<qint64> times;
        if (!m_trace)
            return times;
        MergedEvents events(*m_trace);
        while (events.next())
            times << nanoseconds(events.event().time());
        return times;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;
    std::string m_error;

private slots:
    void ftraceEventsHaveTheNamesAndFieldsOfTheirTracepoints()
    {
        const MadeMessage bundle =
            MadeMessage()
                .number(1, 3)
                .message(2,
                         madeFtraceEvent(
                             10, 7, 4,
                             MadeMessage().text(1, "a").number(2, 7).number(3, 120).number(4, 256).text(5, "b").number(6, 8).number(7, 98)))
                .message(2, madeFtraceEvent(20, 8, 3, MadeMessage().number(1, -1).text(2, "B|1|x")))
                .message(2,
                         madeFtraceEvent(
                             30, 8, 45,
                             MadeMessage().number(1, (8 << 8) | 17).number(2, 4096).number(3, 8).number(4, 0).text(5, "WS").text(6, "c")))
                .message(2, madeFtraceEvent(40, 0, 331, MadeMessage().number(1, 5).text(2, std::string_view("\x01\xff", 2)).number(2, 4)))
                .message(2, madeFtraceEvent(50, 0, 900, MadeMessage().number(1, -5).real(3, 0.5)))
                .message(2,
                         madeFtraceEvent(60, 9, 327,
                                         MadeMessage()
                                             .text(1, "net_dev_queue")
                                             .message(2, MadeMessage().text(1, "len").number(5, 40))
                                             .message(2, MadeMessage().text(1, "name").text(3, "eth0"))));
        QCOMPARE(contentOf(MadePerfetto().ftrace(bundle)),
                 QStringList(
                     {"10 [3] sched_switch tid=7: prev_comm=a prev_pid=7 prev_prio=120 prev_state=256 next_comm=b next_pid=8 next_prio=98",
                      "20 [3] print tid=8: ip=0xffffffffffffffff buf=B|1|x",
                      "30 [3] block_rq_issue tid=8: dev=8388625 sector=4096 nr_sector=8 bytes=0 rwbs=WS comm=c",
                      "40 [3] zero tid=0: field_1=5 field_2=0x01ff 4", "50 [3] ftrace_event_900 tid=0: field_1=-5 field_3=0.5",
                      "60 [3] net_dev_queue tid=9: len=40 name=eth0", "unknown-ftrace-events 1 at 0"}));
    }

    /// Property: ftrace events that this reader does not know get names and fields from the description in the trace, even if the
    /// description follows the event.
    void eventsCanBeDescribedByTheTrace()
    {
        const MadeMessage event = MadeMessage()
                                      .text(1, "my_event")
                                      .message(2, MadeMessage().text(1, "depth").number(3, 1))
                                      .message(2, MadeMessage().text(1, "label").number(3, 3));
        MadePerfetto trace;
        trace.ftrace(MadeMessage().number(1, 0).message(2, madeFtraceEvent(10, 7, 70'000, MadeMessage().number(1, 4).text(3, "z"))));
        trace.ftrace(MadeMessage().number(1, 1).message(11, MadeMessage().number(1, 70'000).message(2, event)));
        QCOMPARE(contentOf(trace), QStringList("10 [0] my_event tid=7: depth=4 label=z"));
    }

    /// Input: switches and wake-ups as CompactSched, which stores them by columns. Property: they become sched_switch and sched_waking
    /// events. CompactSched lacks prev_pid, so it is taken from next_pid of the switch before; it is unknown at the first switch and after
    /// a loss.
    void compactSchedulerEventsAreRead()
    {
        const MadeMessage first = MadeMessage()
                                      .text(5, "idle")
                                      .text(5, "worker")
                                      .packed(1, {1000, 50, 25})
                                      .packed(2, {1, 0, 2})
                                      .packed(3, {20, 0, 21})
                                      .packed(4, {120, 120, 98})
                                      .packed(6, {1, 0, 1})
                                      .packed(7, {1010, 60})
                                      .packed(8, {21, 22})
                                      .packed(9, {2, 0})
                                      .packed(10, {98, 97})
                                      .packed(11, {1, 1});
        const MadeMessage second =
            MadeMessage().text(5, "late").packed(1, {2000}).packed(2, {1}).packed(3, {30}).packed(4, {120}).packed(6, {0});
        MadePerfetto trace;
        trace.ftrace(MadeMessage().number(1, 2).message(4, first));
        trace.ftrace(MadeMessage().number(1, 2).number(3, 1).message(4, second));
        QCOMPARE(contentOf(trace),
                 QStringList({"1000 [2] sched_switch: prev_state=1 next_comm=worker next_pid=20 next_prio=120",
                              "1010 [2] sched_waking tid=20: comm=worker pid=21 prio=98 target_cpu=2",
                              "1050 [2] sched_switch tid=20: prev_pid=20 prev_state=0 next_comm=idle next_pid=0 "
                              "next_prio=120",
                              "1070 [2] sched_waking tid=0: comm=worker pid=22 prio=97 target_cpu=0",
                              "1075 [2] sched_switch tid=0: prev_pid=0 prev_state=2 next_comm=worker next_pid=21 "
                              "next_prio=98",
                              "lost 0 in 1075..2000 [2]", "2000 [2] sched_switch: prev_state=1 next_comm=late next_pid=30 next_prio=120"}));
    }

    void damagedColumnsAreReported()
    {
        const MadeMessage columns =
            MadeMessage().text(5, "a").packed(1, {10, 10}).packed(2, {1}).packed(3, {20}).packed(4, {1}).packed(6, {9});
        QCOMPARE(contentOf(MadePerfetto().ftrace(MadeMessage().number(1, 0).message(4, columns))),
                 QStringList({"10 [0] sched_switch: prev_state=1 next_comm= next_pid=20 next_prio=1", "damaged-compact-sched 1 at 0"}));
    }

    void kernelFunctionsHaveTheirInternedNames()
    {
        MadePerfetto trace;
        const MadeMessage event = madeFtraceEvent(5, 1, 58, MadeMessage().number(1, 0x10).number(2, 3));
        trace.packet(MadeMessage()
                         .number(10, 1)
                         .number(13, 1)
                         .message(12, MadeMessage().message(26, MadeMessage().number(1, 3).text(2, "do_work")))
                         .message(1, MadeMessage().number(1, 0).message(2, event)));
        trace.packet(MadeMessage().number(10, 2).number(13, 1).message(1, MadeMessage().number(1, 0).message(2, event)));
        QCOMPARE(contentOf(trace),
                 QStringList({"5 [0] workqueue_execute_start tid=1: work=0x10 function=do_work",
                              "5 [0] workqueue_execute_start tid=1: work=0x10 function=symbol 3"}));
    }

    /// Property: all times are converted to the trace's primary clock (BOOTTIME by default), by the latest earlier ClockSnapshot that
    /// contains the packet's clock. The conversion may lead over further clocks.
    void clocksAreConverted()
    {
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{6, 1000}, {3, 100}}));
        trace.packet(1, 6, snapshot({{3, 100}, {70, 5}}));
        trace.packet(1, 6, snapshot({{6, 2000}, {3, 1050}}));
        const auto with = [](std::int64_t time, int clock) { return timedPacket(time).number(58, clock).number(10, 9); };
        trace.packet(timedPacket(50)); // Without timestamp_clock_id: a time of the primary clock.
        trace.packet(with(150, 3)); // Clock 3 after the first snapshot: 1000 + (150 - 100).
        trace.packet(with(90, 3)); // Clock 3 before the first snapshot: 1000 + (90 - 100).
        trace.packet(with(1051, 3)); // Clock 3 after the last snapshot: 2000 + (1051 - 1050).
        const qsizetype unrelated = trace.bytes().size();
        trace.packet(with(7, 200)); // No snapshot contains clock 200, so the packet is dropped.
        QCOMPARE(timesOf(trace), QList<qint64>({50, 990, 1050, 2001}));
        QCOMPARE(contentOf(trace).last(), "no-clock 1 at " + QString::number(unrelated));
        // Clocks 64 to 127 are valid only in their sequence: clock 70 of sequence 9 is unknown in sequence 8.
        MadePerfetto own;
        own.packet(MadeMessage().number(10, 9).message(6, snapshot({{6, 1000}, {3, 100}})));
        own.packet(MadeMessage().number(10, 9).message(6, snapshot({{3, 100}, {70, 5}})));
        own.packet(with(15, 70));
        own.packet(timedPacket(16).number(58, 70).number(10, 8));
        QCOMPARE(timesOf(own), QList<qint64>({1010}));
        QCOMPARE(QString::fromStdString(m_trace->info().clock.name), "boottime");
    }

    /// Property: times of an incremental clock are differences to the packet before, in the clock's unit. A ClockSnapshot sets the clock's
    /// absolute value again.
    void incrementalClocksAreAdded()
    {
        const auto clock = [](std::int64_t value) {
            return MadeMessage()
                .message(1, MadeMessage().number(1, 6).number(2, value * 1'000'000))
                .message(1, MadeMessage().number(1, 64).number(2, value).number(3, 1).number(4, 1000));
        };
        MadePerfetto trace;
        trace.packet(MadeMessage().number(10, 4).number(13, 1).message(6, clock(5)).message(59, MadeMessage().number(58, 64)));
        for (const int delta : {3, 2, 0})
            trace.packet(timedPacket(delta).number(10, 4).number(13, 2));
        trace.packet(MadeMessage().number(10, 4).message(6, clock(90)));
        trace.packet(timedPacket(1).number(10, 4).number(13, 2));
        trace.packet(timedPacket(77).number(10, 4).number(58, 6));
        QCOMPARE(timesOf(trace), QList<qint64>({77, 5'003'000, 5'005'000, 5'005'000, 90'001'000}));
    }

    void primaryClockCanBeAnotherOne()
    {
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{6, 1000}, {3, 100}}).number(2, 3));
        trace.ftrace(bundleAt({1500}));
        trace.packet(timedPacket(700));
        QCOMPARE(timesOf(trace), QList<qint64>({600, 700}));
        QCOMPARE(QString::fromStdString(m_trace->info().clock.name), "monotonic");
        QVERIFY(!m_trace->info().clock.isAbsolute);
    }

    /// Property: if a ClockSnapshot contains the wall clock (REALTIME), all times are converted to wall-clock time.
    void wallClockAnchorsTimes()
    {
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{1, 1'700'000'000'000'000'000}, {6, 1000}}));
        trace.ftrace(bundleAt({1000, 3000}).number(3, 0));
        QCOMPARE(timesOf(trace), QList<qint64>({1'700'000'000'000'000'000, 1'700'000'000'000'002'000}));
        QVERIFY(m_trace->info().clock.isAbsolute);
    }

    /// Property: times of ftrace's clock "global" are converted by the pairs of ftrace_timestamp and boot_timestamp in the bundles. Events
    /// with ftrace's clock "local" cannot be converted and are dropped.
    void clocksOfFtraceAreConverted()
    {
        MadePerfetto trace;
        trace.ftrace(bundleAt({510}).number(5, 2).number(6, 500).number(7, 90'000));
        trace.ftrace(bundleAt({100'000}));
        trace.ftrace(bundleAt({1}).number(5, 3));
        QCOMPARE(timesOf(trace), QList<qint64>({90'010, 100'000}));
        QCOMPARE(contentOf(trace).filter("unusable-clock 1").size(), 1);
        MadePerfetto raw;
        raw.packet(1, 6, snapshot({{6, 1000}, {5, 100}}));
        raw.ftrace(bundleAt({110}).number(5, 4));
        QCOMPARE(timesOf(raw), QList<qint64>({1010}));
    }

    /// Property: readings of ftrace's clock "global" in bundles are not part of the order of the snapshots.
    void clocksOfFtraceMayBeReadBetweenSnapshots()
    {
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{6, 1000}, {3, 500}}).number(2, 3));
        trace.ftrace(bundleAt({2100}).number(5, 2).number(6, 2000).number(7, 3000));
        trace.packet(1, 6, snapshot({{6, 9000}, {3, 8500}}));
        QCOMPARE(contentOf(trace), QStringList("2600 [0] x tid=7:"));
    }

    /// Property: snapshots of different sequences may be in any order in the file, as in traces of Chrome.
    void snapshotsOfSequencesAreOrderedOnTheirOwn()
    {
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{6, 2000}, {3, 1500}}).number(2, 6));
        trace.packet(MadeMessage().number(8, 1).number(10, 9).message(6, snapshot({{6, 1000}, {3, 400}})));
        trace.packet(timedPacket(1600).number(58, 3));
        QCOMPARE(contentOf(trace).filter("clock").size(), 0);
        QCOMPARE(timesOf(trace), QList<qint64>({2100}));
    }

    void clocksThatGoBackAreNotConverted()
    {
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{6, 1000}, {3, 500}}));
        trace.packet(1, 6, snapshot({{6, 2000}, {3, 400}}));
        trace.packet(timedPacket(450).number(58, 3));
        const QStringList content = contentOf(trace);
        QCOMPARE(content.filter("backward-clock 1").size(), 1);
        QCOMPARE(content.filter("no-clock 1").size(), 1);
    }

    /// Property: packets with SEQ_NEEDS_INCREMENTAL_STATE are dropped if the state they need was lost, until a packet with
    /// SEQ_INCREMENTAL_STATE_CLEARED. Flag 1 is SEQ_INCREMENTAL_STATE_CLEARED, flag 2 SEQ_NEEDS_INCREMENTAL_STATE.
    void packetsWithoutTheirStateAreLeftOut()
    {
        const auto of = [](std::int64_t time, int flags) { return timedPacket(time).number(10, 4).number(13, flags); };
        MadePerfetto trace;
        trace.packet(of(1, 2)); // Dropped: the sequence has no incremental state yet.
        trace.packet(of(2, 1));
        trace.packet(of(3, 2));
        trace.packet(of(4, 2).number(42, 1)); // Dropped: previous_packet_dropped is set, so the incremental state is lost.
        trace.packet(of(5, 0)); // Kept: the packet needs no incremental state.
        trace.packet(of(6, 2));
        trace.packet(of(7, 3));
        trace.packet(of(8, 2).number(10, 5)); // Dropped: sequence 5 has no incremental state.
        const QStringList content = contentOf(trace);
        QCOMPARE(timesOf(trace), QList<qint64>({2, 3, 5, 7}));
        QCOMPARE(content.filter(QRegularExpression("^no-state 4 ")).size(), 1);
    }

    /// Property: if packets of a sequence with ftrace events were lost (previous_packet_dropped), events of all CPUs are lost. The flag in
    /// a sequence's first packet is no loss.
    void lostPacketsAreGaps()
    {
        MadePerfetto trace;
        trace.packet(MadeMessage().number(10, 4).number(42, 1).message(1, bundleAt({10, 20})));
        trace.packet(MadeMessage().number(10, 4).number(42, 1).message(1, bundleAt({50})));
        trace.packet(timedPacket(60).number(10, 5));
        const qsizetype last = trace.bytes().size();
        trace.packet(timedPacket(70).number(10, 5).number(42, 1));
        QCOMPARE(contentOf(trace).filter(QRegularExpression("^lost")),
                 QStringList({"lost 0 in 20..50 [-1]", "lost-packets 1 at " + QString::number(last)}));
    }

    void lostEventsAreGapsOfTheirCpu()
    {
        MadePerfetto trace;
        trace.ftrace(bundleAt({10, 20}).number(3, 1));
        trace.ftrace(bundleAt({30}));
        trace.ftrace(bundleAt({90, 95}).number(3, 1));
        QCOMPARE(contentOf(trace).filter(QRegularExpression("^lost")), QStringList({"lost 0 in 30..90 [0]", "lost-before 1 at 0"}));
    }

    /// Property: a loss behind an event with the latest possible time, which only a damaged file has, is in range.
    void aLossAtTheEndOfAllTimesIsNotEmpty()
    {
        constexpr std::int64_t Latest = std::numeric_limits<std::int64_t>::max();
        MadePerfetto trace;
        trace.ftrace(MadeMessage().number(1, 0).message(2, madeFtraceEvent(Latest, 10, 4, MadeMessage())));
        trace.ftrace(MadeMessage().number(1, 0).number(3, 1).message(2, madeFtraceEvent(Latest, 10, 4, MadeMessage())));
        const QStringList losses = contentOf(trace).filter(QRegularExpression("^lost "));
        QCOMPARE(losses, QStringList{"lost 0 in 9223372036854775806..9223372036854775807 [0]"});
    }

    /// Property: a loss that a bundle without events tells lasts until the next event of the CPU. Without such an event, it lasts until
    /// the last event of any CPU.
    void lossesOfBundlesWithoutEventsAreGaps()
    {
        MadePerfetto trace;
        trace.ftrace(bundleAt({10, 20}));
        trace.ftrace(MadeMessage().number(1, 0).number(3, 1));
        trace.ftrace(MadeMessage().number(1, 0).number(3, 0));
        trace.ftrace(bundleAt({50}));
        trace.ftrace(bundleAt({60}));
        trace.ftrace(MadeMessage().number(1, 0).number(3, 1));
        trace.ftrace(MadeMessage().number(1, 1).message(2, madeFtraceEvent(90, 7, 327, MadeMessage().text(1, "x"))));
        trace.ftrace(MadeMessage().number(1, 2).number(3, 1));
        QCOMPARE(contentOf(trace).filter(QRegularExpression("^lost")),
                 QStringList({"lost 0 in 20..50 [0]", "lost 0 in 60..90 [0]", "lost-before 1 at 0"}));
    }

    void compressedPacketsAreRead_data()
    {
        QTest::addColumn<int>("field");
        QTest::newRow("zlib") << 50;
        QTest::newRow("zstd") << 133;
    }
    void compressedPacketsAreRead()
    {
        QFETCH(int, field);
        const std::string inner = MadePerfetto().ftrace(bundleAt({20})).ftrace(bundleAt({30})).text();
        std::string packed = field == 50 ? zlibOf(inner) : zstdOf(inner);
        const auto trace = [&] {
            MadePerfetto made;
            made.ftrace(bundleAt({10}));
            made.packet(MadeMessage().text(std::uint32_t(field), packed));
            made.ftrace(bundleAt({40}));
            return made;
        };
        QCOMPARE(timesOf(trace()), QList<qint64>({10, 20, 30, 40}));
        QVERIFY(m_trace->diagnostics().empty());
        packed.resize(packed.size() / 2);
        QCOMPARE(timesOf(trace()), QList<qint64>({10, 40}));
        QCOMPARE(m_trace->diagnostics().size(), std::size_t(1));
        QCOMPARE(m_trace->diagnostics()[0].kind, "damaged-compressed");
    }

    void compressedFilesAreRead()
    {
        const std::string text = MadePerfetto().ftrace(bundleAt({10, 20})).text();
        QCOMPARE(contentOf(QByteArray::fromStdString(zstdOf(text))), QStringList({"10 [0] x tid=7:", "20 [0] x tid=7:"}));
    }

    /// Input: a trace cut within a packet. Property: all packets before the cut are read, and the message contains the offset of the cut
    /// packet.
    void truncatedTracesKeepTheirBegin()
    {
        const QByteArray first = MadePerfetto().ftrace(bundleAt({10})).bytes();
        const QByteArray both = MadePerfetto().ftrace(bundleAt({10})).ftrace(bundleAt({20})).bytes();
        for (qsizetype size = first.size() + 1; size < both.size(); ++size)
            QCOMPARE(contentOf(both.left(size)), QStringList({"10 [0] x tid=7:", QString("truncated 1 at %1").arg(first.size())}));
        QCOMPARE(contentOf(first + "no packet of a trace"), QStringList({"10 [0] x tid=7:", QString("damaged 1 at %1").arg(first.size())}));
    }

    /// Property: packets of machines that the first 4 MiB of a trace do not name are counted.
    void lateMachinesAreNotMixedIn()
    {
        MadePerfetto trace;
        trace.packet(MadeMessage().message(1, bundleAt({10})));
        trace.packet(MadeMessage().text(900, std::string(std::size_t{4} << 20, 'x')));
        trace.packet(MadeMessage().message(1, bundleAt({20})).number(98, 77));
        QCOMPARE(contentOf(trace), QStringList({"10 [0] x tid=7:", "unread-for_testing 1 at 0", "other-machine 1 at 0"}));
    }

    /// Property: a machine that the beginning of the file names is a host of its own, with its own processes and clocks. If the trace has
    /// round trips of messages (RemoteClockSync), its times are those of the host of the trace; else they are its own.
    void machinesAreHosts_data()
    {
        QTest::addColumn<bool>("isSynchronized");
        QTest::newRow("with round trips") << true;
        QTest::newRow("without") << false;
    }
    void machinesAreHosts()
    {
        QFETCH(bool, isSynchronized);
        const auto exchange = [](std::int64_t client, std::int64_t host) {
            return MadeMessage().message(2, snapshot({{6, client}, {3, client - 500}})).message(3, snapshot({{6, host}}));
        };
        MadePerfetto trace;
        trace.packet(snapshotPacket({{6, 5000}, {1, 105'000}}));
        trace.packet(snapshotPacket({{6, 1200}, {3, 700}}).number(98, 77));
        if (isSynchronized) // The offset is between -4050 and -3950.
            trace.packet(
                MadeMessage().number(98, 77).message(107, MadeMessage().message(1, exchange(1000, 5050)).message(1, exchange(1100, 5150))));
        trace.packet(MadeMessage().message(1, bundleAt({5500})));
        trace.packet(MadeMessage().message(1, bundleAt({2000})).number(98, 77));
        trace.packet(timedPacket(2500).number(98, 77));
        trace.packet(timedPacket(2500).number(58, 3).number(98, 77));
        QCOMPARE(timesOf(trace), QList<qint64>({105'500}));
        QVERIFY(m_trace->diagnostics().empty());
        const std::filesystem::path file = m_trace->info().path;

        const test::OpenedExperiment opened({file});

        QCOMPARE(opened.timeline->traces.size(), std::size_t(2));
        const Trace& machine = *opened.timeline->traces[1].trace;
        QCOMPARE(QString::fromStdString(machine.info().path.filename().string()), QString("machine-77"));
        QStringList lines;
        MergedEvents events(machine);
        while (events.next())
            lines << printEvent(events.event());
        const qint64 shift = isSynchronized ? 104'000 : 0;
        QCOMPARE(
            lines,
            QStringList({QString("%1 [0] x tid=7:").arg(shift + 2000), QString("%1 process pid=5 tid=5: pid=5 cmdline=").arg(shift + 2500),
                         QString("%1 process pid=5 tid=5: pid=5 cmdline=").arg(shift + 3000)}));
        QVERIFY(machine.diagnostics().empty());
        QCOMPARE(opened.timeline->hosts.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(opened.timeline->hosts[1].label), QString("machine 77"));
        QCOMPARE(opened.timeline->hosts[1].isSynchronized, isSynchronized);
        QCOMPARE(QString::fromStdString(machine.info().clock.description).contains("at most 50 ns"), isSynchronized);
    }

    void machinesInCompressedPacketsAreFound()
    {
        const std::string inner = MadePerfetto().packet(timedPacket(1).number(98, 77)).packet(timedPacket(1)).text();
        const std::string trace = MadePerfetto()
                                      .packet(timedPacket(1).number(98, 78))
                                      .packet(MadeMessage().text(50, zlibOf(inner)))
                                      .packet(MadeMessage().text(133, zstdOf(MadePerfetto().packet(timedPacket(1).number(98, 5)).text())))
                                      .text();
        QCOMPARE(perfetto::findMachines(trace), std::vector<std::uint32_t>({5, 77, 78}));
        QCOMPARE(perfetto::findMachines(std::string_view(trace).substr(0, trace.size() - 1)), std::vector<std::uint32_t>({77, 78}));
    }

    /// Input: fields of ChromeEventBundle (trace_events, metadata, legacy_ftrace_output, legacy_json_trace). Property: the parts of a text
    /// are joined in their order; JSON of another system than Chrome (type 1), and other fields, are counted by name.
    void textsInPacketsAreJoined()
    {
        MadePerfetto trace;
        const auto json = [](int type, std::string_view data) {
            return MadeMessage().message(5, MadeMessage().number(1, type).text(2, data));
        };
        trace.packet(1, 5, MadeMessage().text(4, "# tracer: nop\n").text(4, "mo")).packet(2, 5, json(0, "{\"ph\":\"i\"}"));
        trace.packet(3, 5, MadeMessage().text(4, "re\n")).packet(4, 5, json(0, ",{\"ph\":\"B\"}")).packet(5, 5, json(1, "system"));
        trace.packet(6, 5, MadeMessage().text(1, "").text(2, ""));
        const auto read = perfetto::readPerfetto(trace.text(), "a", {});
        QVERIFY(read);
        QStringList texts;
        for (const EmbeddedText& it : read->embedded)
            texts << QString::fromStdString(it.name + ": " + it.text);
        QCOMPARE(texts, QStringList({"legacy_ftrace_output: # tracer: nop\nmore\n", "legacy_json_trace: [{\"ph\":\"i\"},{\"ph\":\"B\"}]"}));
        QStringList messages;
        for (const QString& line : contentOf(trace))
            messages << line.section(' ', 0, 1);
        messages.sort();
        QCOMPARE(messages, QStringList({"unread-chrome_events 1", "unread-json 1", "unread-trace_events 1"}));
    }

    void payloadsThatAreNotReadAreCountedByName()
    {
        MadePerfetto trace;
        trace.packet(1, 47, MadeMessage().number(1, 1)).packet(2, 47, MadeMessage()).packet(3, 1500, MadeMessage());
        QCOMPARE(contentOf(trace), QStringList({"unread-packages_list 2 at 0", "unread-fields 1 at 0"}));
    }

    void processesAndThreadsAreNamed()
    {
        const MadeMessage tree =
            MadeMessage()
                .message(1, MadeMessage().number(1, 100).number(2, 1).text(3, "/usr/bin/app").text(3, "--flag").number(5, 1000))
                .message(1, MadeMessage().number(1, 12).number(2, 2).text(3, "kworker/0:1"))
                .message(2, MadeMessage().number(1, 101).text(2, "Worker").number(3, 100));
        MadePerfetto trace;
        trace.packet(50, 2, tree);
        QCOMPARE(contentOf(trace),
                 QStringList({"50 process pid=100 tid=100: pid=100 ppid=1 uid=1000 cmdline=/usr/bin/app --flag",
                              "50 process pid=12 tid=12: pid=12 ppid=2 cmdline=kworker/0:1",
                              "50 thread pid=100 tid=101: tid=101 pid=100 name=Worker"}));
        QStringList records;
        for (const ProcessRecord& record : m_trace->processRecords())
            records << QString("%1 %2/%3 %4 %5")
                           .arg(record.kind == ProcessRecord::Kind::Fork ? "fork" : "name")
                           .arg(record.pid)
                           .arg(record.tid)
                           .arg(record.parentTid)
                           .arg(QString::fromStdString(record.name));
        QCOMPARE(records,
                 QStringList({"fork 100/100 1 ", "name 100/100 -1 app", "fork 12/12 2 ", "name 12/12 -1 kworker/0:1", "fork 100/101 100 ",
                              "name 100/101 -1 Worker"}));
    }

    void otherFilesAreNotRecognized_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("a text") << QByteArray("\n[:python_version < \"3.8\"]\n\n[docs]\nSphinx\n\n[test]\nzope.testrunner\n");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("line break and text") << QByteArray("\nhello, this is a text that begins with a line break");
        QTest::newRow("pprof") << MadeMessage().message(1, MadeMessage().number(1, 1).number(2, 2)).text(6, "").array();
        QTest::newRow("other protobuf") << MadeMessage().message(1, MadeMessage().text(1, "name").text(3, "b")).array();
        QTest::newRow("empty packets") << QByteArray("\x0a\x00\x0a\x00", 4);
    }
    void otherFilesAreNotRecognized()
    {
        QFETCH(QByteArray, bytes);
        QCOMPARE(contentOf(bytes), QStringList("not recognized"));
    }

    void emptyPacketsTakeNoMemory()
    {
        std::string bytes = MadePerfetto().packet(timedPacket(1)).text();
        for (int i = 0; i < 1000; ++i)
            bytes += std::string_view("\n\0", 2);
        perfetto::Packets packets;
        QVERIFY(packets.read(bytes, "file", {}));
        QCOMPARE(packets.size(), std::size_t(1));
        QVERIFY(packets.diagnostics().empty());
    }

    /// Property: memory does not grow with the number of pairs of clocks in a snapshot, here 4,032.
    void snapshotsTakeLittleMemory()
    {
        MadePerfetto trace;
        for (int i = 1; i <= 5000; ++i) {
            MadeMessage all;
            for (int clock = 1; clock <= 64; ++clock)
                all.message(1, MadeMessage().number(1, clock == 64 ? 200 : clock).number(2, i * 10));
            trace.packet(MadeMessage().message(6, all));
        }
        trace.packet(timedPacket(20).number(58, 3));
        const QByteArray bytes = trace.bytes();
        const long before = peakMemory();
        QCOMPARE(contentOf(bytes).first(), QString("20 process pid=5 tid=5: pid=5 cmdline="));
        QVERIFY2(peakMemory() - before < 150 << 20, QByteArray::number(qint64(peakMemory() - before)));
    }

    /// Input: traces with random damage. Property: reading does not crash, and all events that are read can be decoded.
    void damagedTracesAreRead()
    {
        const MadeMessage columns = MadeMessage()
                                        .text(5, "a")
                                        .packed(1, {10, 10})
                                        .packed(2, {1, 2})
                                        .packed(3, {20, 21})
                                        .packed(4, {1, 2})
                                        .packed(6, {0, 0})
                                        .packed(7, {11})
                                        .packed(8, {21})
                                        .packed(9, {0})
                                        .packed(10, {1})
                                        .packed(11, {0});
        MadePerfetto trace;
        trace.packet(1, 6, snapshot({{6, 1000}, {3, 100}, {1, 5'000}}));
        trace.packet(MadeMessage().number(10, 1).number(13, 1).message(1, bundleAt({10, 20}).message(4, columns).number(3, 1)));
        trace.packet(timedPacket(3).number(58, 3).number(10, 1).number(42, 1).number(13, 2));
        trace.packet(MadeMessage().text(50, zlibOf(MadePerfetto().ftrace(bundleAt({20})).text())));
        trace.packet(MadeMessage().text(133, zstdOf(MadePerfetto().ftrace(bundleAt({20})).text())));
        trace.packet(MadeMessage().message(45, MadeMessage().message(1, MadeMessage().text(3, "6.1.0").text(4, "x86_64"))));
        const QByteArray whole = trace.bytes();
        int read = 0;
        for (quint64 seed = 1; seed <= 1500; ++seed)
            read += contentOf(Dice(seed).damaged(whole, QByteArray("\x0a\xff\x7f\x80\x00", 5))) != QStringList("not recognized");
        QVERIFY2(read > 500, QByteArray::number(read));
    }
};

HELIO_TEST(PerfettoTest)
#include "tst_perfetto.moc"
