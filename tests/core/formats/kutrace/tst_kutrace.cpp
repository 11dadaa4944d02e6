#include "core/trace/merged_events.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/dice.h"
#include "tests/support/files.h"
#include "tests/support/open_trace.h"
#include "tests/support/opened_text.h"
#include "tests/support/printed_fields.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <map>

using namespace helio;

namespace {

const QByteArray Header = "  {\n"
                          " \"Comment\" : \"V2 with IPC field\",\n"
                          " \"flags\" : 128,\n"
                          " \"hostName\" : \"box\",\n"
                          " \"tracebase\" : \"2024-01-31_10:20:00\",\n"
                          " \"title\" : \"made\",\n"
                          "\"events\" : [\n";
const QByteArray End = "[999.0, 0.0, 0, 0, 0, 0, 0, 0, 0, \"\"]\n]}\n";

QByteArray quoted(QByteArray text) { return text.replace('\'', '"'); }

/// Returns a KUtrace JSON file with the given rows. Each row is written without its brackets and with its name in single quotes.
QByteArray fileOf(const QByteArrayList& rows)
{
    QByteArray text = Header;
    for (const QByteArray& row : rows)
        text += "[" + quoted(row) + "],\n";
    return text + End;
}

/// Rows of all kinds of KUtrace: spans of user code, system calls, interrupts and traps, waits, locks, RPCs, packets, marks, samples,
/// queues, and rows that only KUtrace's own display uses.
const QByteArrayList AllKinds{
    "1.00000000, 0.00000001, 0, 7, 0, 526, 0, 0, 0, 'sh+app.7'",    "1.00000100, 0.00000100, 0, 7, 0, 65543, 0, 0, 9, 'app.7'",
    "1.00000200, 0.00000100, 0, 7, 0, 2048, 3, 0, 2, 'read'",       "1.00000300, 0.00000050, 0, 7, 0, 1516, 0, 0, 1, 'local_timer_vector'",
    "1.00000350, 0.00000050, 0, 7, 0, 1535, 3, 0, 1, 'BH:rx'",      "1.00000400, 0.00000100, 0, 7, 0, 2048, 3, 65525, 3, 'read'",
    "1.00000500, 0.00000001, 0, 7, 5, 513, 5, 0, 0, 'echo.5'",      "1.00000501, 0.00000099, 0, 7, 5, 65543, 0, 0, 12, 'app.7'",
    "1.00000600, 0.00000100, 0, 7, 5, 1038, 0, 0, 0, 'page_fault'", "1.00000700, 0.00000100, 0, 7, 5, 1030, 0, 0, 0, 'invalid_op'",
    "1.00000750, 0.00000001, 0, 7, 5, 518, 8, 0, 0, 'runnable.8'",  "1.00000750, 0.00000300, 0, 7, 5, -3, 1, 8, 0, '-wakeup-'",
    "1.00000752, 0.00000298, -1, 8, 0, 770, 0, 0, 0, 'wait_cpu'",   "1.00000800, 0.00000100, 0, 7, 5, 2559, 0, 0, 0, '-sched-'",
    "1.00000900, 0.00000100, 0, 0, 0, 65536, 0, 0, 0, '-idle-'",    "1.00000901, 0.00000300, -1, 7, 5, 771, 0, 0, 0, 'wait_disk_sda'",
    "1.00001000, 0.00000001, 0, 0, 0, 520, 64, 0, 0, 'mwait'",      "1.00001001, 0.00000099, 0, 0, 0, 65536, 1, 0, 0, '-idlelp-'",
    "1.00001100, 0.00000020, 0, 0, 0, 131072, 0, 0, 0, '-c-exit-'", "1.00001120, 0.00000020, 0, 0, 0, 1317, 0, 0, 1, 'eth0'",
    "1.00001050, 0.00000100, 1, 8, 0, 65544, 0, 0, 15, 'lib.8'",    "1.00001100, 0.00000001, 1, 8, 0, 528, -2, 0, 0, 'try_tree'",
    "1.00001110, 0.00000001, 1, 8, 0, 529, -2, 0, 0, 'acq_tree'",   "1.00001120, 0.00000001, 1, 8, 0, 530, -2, 0, 0, 'rel_tree'",
    "1.00001110, 0.00000009, -1, 8, -1, 642, -2, 0, 0, '=tree'",    "1.00001130, 0.00000001, 1, 8, 0, 532, 77, 0, 0, 'rx.004D'",
    "1.00001131, 0.00000001, 1, 8, 0, 522, 1, 0, 0, 'mark_a=GO'",   "1.00000000, 0.00001140, 1, 8, 0, 640, 11, 0, 0, 'PC=000000000000beef'",
    "1.00000000, 0.00001200, 1, 0, 0, 521, 900, 0, 0, 'freq'",      "1.00000100, 0.00000200, 0, 0, 5, 516, 88, 0, 0, 'echo.5'",
    "1.00000100, 0.00000200, -1, -1, 5, 538, 2, 0, 0, 'queue'",     "1.00001145, 0.00000001, 1, 8, 0, 600, 1, 2, 0, 'new'",
};

} // namespace

class KutraceTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Trace> open(const QByteArray& text)
    {
        test::writeFile(m_folder.filePath("trace.json"), text);
        m_error.clear();
        return openTrace("KUtrace JSON", m_folder.filePath("trace.json").toStdString(), &m_error);
    }

    /// Returns the events and losses of a file with the content `text`, one line each in time order. The reader's messages follow.
    QStringList contentOf(const QByteArray& text)
    {
        m_trace = open(text);
        if (!m_trace)
            return {m_error.empty() ? QString("not recognized") : QString::fromStdString(m_error)};
        QStringList lines;
        MergedEvents events(*m_trace);
        while (events.next()) {
            for (const Loss& loss : events.takeLosses())
                lines << printLoss(loss);
            lines << printEvent(events.event());
        }
        for (const Loss& loss : events.takeLosses())
            lines << printLoss(loss);
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            lines << QString::fromStdString(diagnostic.kind + " " + std::to_string(diagnostic.count) + ": " + diagnostic.what);
        return lines;
    }
    /// Returns the losses and the kernel events (e.g. sched_switch) that the reader makes from `rows`, without the events "kutrace:...".
    QStringList kernelEventsOf(const QByteArrayList& rows)
    {
        QStringList lines = contentOf(fileOf(rows));
        lines.removeIf([](const QString& line) { return line.contains("kutrace:"); });
        return lines;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;
    std::string m_error;

private slots:
    void rowsOfAllKindsAreEvents()
    {
        const QStringList lines = contentOf(fileOf(AllKinds));
        const QStringList rows = lines.filter("kutrace:");
        const auto has = [&](const QString& line) { return rows.contains(line); };

        QVERIFY(has("1000002000 [0] kutrace:span tid=7: name=read event=2048 duration=1000 arg=3 retval=0 rpc=0 ipc=2"));
        QVERIFY(has("1000009000 [0] kutrace:span tid=0: name=-idle- event=65536 duration=1000 arg=0 retval=0 rpc=0 ipc=0"));
        QVERIFY(has("1000009010 kutrace:wait tid=7: name=wait_disk_sda event=771 reason=disk duration=3000 rpc=5"));
        QVERIFY(has("1000005000 [0] kutrace:rpc_request tid=7: name=echo.5 event=513 duration=10 arg=5 retval=0 rpc=5"));
        QVERIFY(has("1000007500 [0] kutrace:wakeup_arc tid=7: name=-wakeup- event=-3 duration=3000 arg=1 retval=8 rpc=5"));
        QVERIFY(has("1000011000 [1] kutrace:lock_try tid=8: name=try_tree event=528 duration=10 lock_addr=4294967294 rpc=0"));
        QVERIFY(has("1000011100 [1] kutrace:lock_acquire tid=8: name=acq_tree event=529 duration=10 lock_addr=4294967294 rpc=0"));
        QVERIFY(has("1000011200 [1] kutrace:lock_release tid=8: name=rel_tree event=530 duration=10 lock_addr=4294967294 rpc=0"));
        QVERIFY(has("1000011100 kutrace:lock_held tid=8: name==tree event=642 duration=90 arg=-2 retval=0 rpc=-1"));
        QVERIFY(has("1000011300 [1] kutrace:packet_received tid=8: name=rx.004D event=532 duration=10 arg=77 retval=0 rpc=0"));
        QVERIFY(has("1000011310 [1] kutrace:mark_a tid=8: name=mark_a=GO event=522 duration=10 arg=1 retval=0 rpc=0"));
        QVERIFY(has("1000001000 kutrace:enqueue: name=queue event=538 duration=2000 arg=2 retval=0 rpc=5"));
        QVERIFY(has("1000011450 [1] kutrace:other tid=8: name=new event=600 duration=10 arg=1 retval=2 rpc=0"));
        // The time of a PC sample is the end of its row. Rows that only KUtrace's display uses belong to no CPU.
        QVERIFY(has("1000011400 [1] kutrace:sample_user tid=8: name=PC=000000000000beef event=640 duration=11400 arg=11 retval=0 rpc=0"));
        QVERIFY(has("1000001000 kutrace:rpc_message_received: name=echo.5 event=516 duration=2000 arg=88 retval=0 rpc=5"));
        QVERIFY(has("1000000000 kutrace:names: name=sh+app.7 event=526 duration=10 arg=0 retval=0 rpc=0"));
        // Minus 2 rows that become kernel events (wake-up, frequency), plus the event kutrace:end.
        QCOMPARE(rows.size(), AllKinds.size() - 2 + 1);
        QCOMPARE(lines.filter("kutrace:end"), QStringList("1000011500 kutrace:end:"));
        QCOMPARE(m_trace->info().hostname, "box");
        QCOMPARE(m_trace->info().text("title"), "made");
        QVERIFY(!m_trace->info().clock.isAbsolute);
        QVERIFY(QByteArray::fromStdString(m_trace->info().clock.description).contains("2024-01-31_10:20:00"));
    }

    /// Property: the order of spans determines the entries and exits of system calls, interrupts and traps. An interrupt or trap within a
    /// system call does not end the system call.
    void spansBecomeEventsOfTheKernel()
    {
        QCOMPARE(kernelEventsOf(AllKinds),
                 QStringList({
                     "1000000000 [1] power_cpu_frequency: state=900000 cpu_id=1",
                     "1000002000 [0] syscall_entry_read tid=7: arg=3",
                     "1000003000 [0] local_timer_entry tid=7: vector=236",
                     "1000003500 [0] local_timer_exit tid=7: vector=236",
                     "1000003500 [0] softirq_entry tid=7: vec=3",
                     "1000004000 [0] softirq_exit tid=7: vec=3",
                     "1000005010 [0] syscall_exit_read tid=7: ret=-11",
                     "1000006000 [0] page_fault_entry tid=7: trap=14 name=page_fault",
                     "1000007000 [0] page_fault_exit tid=7: trap=14 name=page_fault",
                     "1000007000 [0] trap_entry tid=7: trap=6 name=invalid_op",
                     "1000007500 [0] sched_waking tid=7: tid=8",
                     "1000009000 [0] sched_switch tid=7: prev_comm=app prev_tid=7 prev_state= next_comm=swapper/0 next_tid=0",
                     "1000011200 [0] irq_handler_entry tid=0: irq=37 name=eth0",
                     "lost 0 in 1000011400..1000011500 [0]",
                 }));
    }

    /// Property: a system call continues when its thread gets a CPU again, unless the thread continues in user space.
    void blockedSystemCallsGoOn()
    {
        const QByteArrayList before{
            "1.00000000, 0.00000100, 0, 7, 0, 2049, 1, 0, 0, 'write'",    "1.00000100, 0.00000100, 0, 7, 0, 2559, 0, 0, 0, '-sched-'",
            "1.00000200, 0.00000100, 0, 8, 0, 65544, 0, 0, 0, 'other.8'", "1.00000201, 0.00000099, -1, 7, 0, 770, 0, 0, 0, 'wait_cpu'",
            "1.00000300, 0.00000100, 0, 8, 0, 2559, 0, 0, 0, '-sched-'",
        };
        const QStringList start{
            "1000000000 [0] syscall_entry_write tid=7: arg=1",
            "1000002000 [0] sched_switch tid=7: prev_comm=app prev_tid=7 prev_state=R next_comm=other next_tid=8",
            "1000004000 [0] sched_switch tid=8: prev_comm=other prev_tid=8 prev_state= next_comm=app next_tid=7",
        };
        QCOMPARE(kernelEventsOf(before
                                + QByteArrayList{"1.00000400, 0.00000100, 0, 7, 0, 2049, 0, 4, 0, 'write'",
                                                 "1.00000500, 0.00000100, 0, 7, 0, 65543, 0, 0, 0, 'app.7'"}),
                 start + QStringList("1000005000 [0] syscall_exit_write tid=7: ret=4"));
        QCOMPARE(kernelEventsOf(before
                                + QByteArrayList{"1.00000400, 0.00000100, 0, 7, 0, 65543, 0, 0, 0, 'app.7'",
                                                 "1.00000500, 0.00000100, 0, 7, 0, 2049, 2, 4, 0, 'write'"}),
                 start + QStringList({"1000004000 [0] syscall_exit_write tid=7:", "1000005000 [0] syscall_entry_write tid=7: arg=2"}));
    }

    /// Property: a time range in which a CPU has no span is a loss of events of this CPU. The gaps of 10 ns that KUtrace leaves between
    /// spans are no losses.
    void timeWithoutSpansIsLost()
    {
        QCOMPARE(
            kernelEventsOf(
                {"1.00000000, 0.00000100, 0, 7, 0, 2049, 1, 0, 0, 'write'", "1.00000101, 0.00000100, 0, 7, 0, 65543, 0, 0, 0, 'app.7'",
                 "9.00000000, 0.00000100, 0, 8, 0, 65544, 0, 0, 0, 'other.8'", "1.00000050, 0.00000100, 0, 7, 0, 2048, 0, 0, 0, 'read'"}),
            QStringList({"1000000000 [0] syscall_entry_write tid=7: arg=1", "1000001010 [0] syscall_exit_write tid=7: ret=0",
                         "lost 0 in 1000002010..9000000000 [0]",
                         "overlap 1: line 11: a span begins before the preceding span of its CPU ends; it is not part of the states"}));
    }

    /// Property: PC samples are samples of the thread on the CPU, in user or kernel mode, with the function or the address as their stack.
    void pcSamplesHaveFunctions()
    {
        const OpenedText opened(
            fileOf({"0.9, 0.1, 0, 8, 0, 65544, 0, 0, 0, 'other.8'", "1.0, 0.004, 0, 7, 0, 65543, 0, 0, 0, 'app.7'",
                    "1.0, 0.001, 0, 7, 0, 640, 1, 0, 0, 'PC=work'", "1.001, 0.001, 0, 7, 0, 641, 2, 0, 0, 'PC=ffffffffb1721e8f'",
                    "1.002, 0.001, 0, 7, 0, 640, 1, 0, 0, 'PC=work'", "1.003, 0.001, 0, 7, 0, 640, 3, 0, 0, 'PC=000000000000beef'"}),
            "trace.json");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.folded("pc-samples"), "app;0xbeef 1\napp;0xffffffffb1721e8f_[k] 1\napp;work 2\n");
        QCOMPARE(sampleKinds(*opened.timeline).at(0).samples, std::uint64_t(4));
        QStringList lines;
        MergedEvents events(opened.trace());
        for (SampleView sample; events.next();)
            if (opened.trace().samples()->read(events.event(), sample))
                lines << QString("%1 [%2] %3 %4")
                             .arg(nanoseconds(events.event().time()))
                             .arg(sample.cpu)
                             .arg(sample.tid)
                             .arg(int(sample.mode));
        const int user = int(CodeMode::User);
        QCOMPARE(lines,
                 QStringList({QString("1001000000 [0] 7 %1").arg(user), QString("1002000000 [0] 7 %1").arg(int(CodeMode::Kernel)),
                              QString("1003000000 [0] 7 %1").arg(user), QString("1004000000 [0] 7 %1").arg(user)}));
    }

    /// Input: spans and waits of another tracer with KUtrace's event names, which end after the largest time. Property: they end there.
    void spansEndAtTheLargestTime()
    {
        constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();
        test::KernelScript script;
        script.event(100, 0, "kutrace:span", {{"$tid", 7}, {"name", "app.7"}, {"event", 65543}, {"duration", Most}});
        script.event(110, -1, "kutrace:wait", {{"$tid", 8}, {"name", "wait_disk"}, {"duration", Most}, {"reason", "disk"}});
        script.run(1000, test::KernelScript::Gaps::ReportedAtBegin, test::analysisOf("cpu-spans"));

        QStringList lines;
        for (std::size_t i = 0; i < script.store().tracks().size(); ++i)
            for (const HostInterval& it : script.store().intervals(TrackId(i), {HostTimestamp::min(), HostTimestamp::max()}))
                lines << QString("%1 %2").arg(QString::fromStdString(script.store().tracks()[i].key)).arg(nanoseconds(it.range.begin));
        QCOMPARE(lines, QStringList({"cpu:0 100", "tid:7 100", "tid:8 110"}));
    }

    void pagesAndCompressedTextsAreRead()
    {
        const QByteArray json = fileOf(AllKinds);
        const QStringList expected = contentOf(json);
        QByteArray joined = json;
        const QByteArray page = "<!DOCTYPE html>\n<script>\"events\" : [1]</script>\n<script>var myString = '" + joined.replace('\n', ' ')
            + "';\nvar other = 'x';</script>\n";
        QCOMPARE(contentOf(page), expected);
        QCOMPARE(contentOf("<!DOCTYPE html>\n<script>var myString = 'x';</script>\n"), QStringList("not recognized"));
    }

    /// Property: rows have no IPC (instructions per cycle) in files of format version 1, which lack the IPC column, and in files whose
    /// "flags" lack the IPC bit (128).
    void instructionsPerCycleAreOptional()
    {
        QByteArray text = "{ \"title\" : \"old\", \"events\" : [\n[1.0, 0.1, 0, 7, 0, 65543, 0, 0, \"app.7\"]]}";
        QCOMPARE(contentOf(text),
                 QStringList({"1000000000 [0] kutrace:span tid=7: name=app.7 event=65543 duration=100000000 arg=0 retval=0 rpc=0",
                              "1100000000 kutrace:end:"}));
        text = fileOf({"1.0, 0.1, 0, 7, 0, 65543, 0, 0, 0, 'app.7'"});
        QCOMPARE(contentOf(text).filter("ipc=0").size(), 1);
        QCOMPARE(contentOf(text.replace("\"flags\" : 128", "\"flags\" : 3")).filter("ipc").size(), 0);
    }

    void otherJsonIsNotRecognized_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("object") << QByteArray("{}");
        QTest::newRow("no rows") << QByteArray("{\"events\": []}");
        QTest::newRow("events of another kind") << QByteArray("{\"events\": [{\"ts\": 1}]}");
        QTest::newRow("short rows") << QByteArray("{\"events\": [[1, 2, 3]]}");
        QTest::newRow("texts in rows") << QByteArray("{\"events\": [[\"1\", 1, 1, 1, 1, 1, 1, 1, 1, \"a\"]]}");
        QTest::newRow("Chrome") << QByteArray("{\"traceEvents\": [{\"ph\": \"B\", \"ts\": 1}]}");
    }
    void otherJsonIsNotRecognized()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(contentOf(text), QStringList("not recognized"));
    }

    /// Property: a damaged row is skipped and reported; the rows before and after it are read.
    void damagedRowsAreReported_data()
    {
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("no end") << QByteArray("[1.5, 0.1, 0, 7, 0, 655");
        QTest::newRow("no quote") << QByteArray("[1.5, 0.1, 0, 7, 0, 65543, 0, 0, 0, 'app.7],");
        QTest::newRow("nested") << QByteArray("[1.5, 0.1, 0, 7, 0, [65543], 0, 0, 0, 'app.7'],");
        QTest::newRow("too many") << QByteArray("[1.5, 0.1, 0, 7, 0, 65543, 0, 0, 0, 0, 'app.7'],");
        QTest::newRow("negative time") << QByteArray("[-1.5, 0.1, 0, 7, 0, 65543, 0, 0, 0, 'app.7'],");
        QTest::newRow("huge time") << QByteArray("[1e300, 0.1, 0, 7, 0, 65543, 0, 0, 0, 'app.7'],");
        QTest::newRow("huge CPU") << QByteArray("[1.5, 0.1, 99999999, 7, 0, 65543, 0, 0, 0, 'app.7'],");
        QTest::newRow("huge event") << QByteArray("[1.5, 0.1, 0, 7, 0, 99999999999999999999, 0, 0, 0, 'app.7'],");
        QTest::newRow("fraction") << QByteArray("[1.5, 0.1, 0, 7, 0, 1.5, 0, 0, 0, 'app.7'],");
    }
    void damagedRowsAreReported()
    {
        QFETCH(QByteArray, row);
        const QByteArray good = "[1.0, 0.1, 0, 7, 0, 65543, 0, 0, 0, 'app.7'],";
        const QByteArray later = "[2.0, 0.1, 0, 7, 0, 65543, 0, 0, 0, 'app.7'],";
        const QStringList lines = contentOf(Header + quoted(good + '\n' + row + '\n' + later + '\n') + End);
        QCOMPARE(lines.filter("kutrace:span").size(), 2);
        QVERIFY(!lines.filter("bad-row").isEmpty());
        QVERIFY2(lines.filter("bad-row").front().contains("line 9:"), qPrintable(lines.join('\n')));
    }

    /// Input: a file cut at any byte. Property: all complete rows before the cut are read, or the file is not recognized.
    void cutFilesAreRead()
    {
        const QByteArray whole = fileOf(AllKinds);
        int read = 0;
        for (qsizetype size = 0; size < whole.size(); size += 5) {
            const QByteArray text = whole.left(size);
            const int rows = int(text.count("],\n"));
            const QStringList lines = contentOf(text);
            if (rows == 0)
                continue;
            ++read;
            const int events = int(lines.filter("kutrace:").size() - lines.filter("kutrace:end").size()
                                   + lines.filter("sched_waking").size() + lines.filter("power_cpu").size());
            QVERIFY2(events == rows || events == rows + 1, qPrintable(QString("%1 of %2 in %3 bytes").arg(events).arg(rows).arg(size)));
            const bool isWhole = text.contains(End.first(End.size() - 2));
            QCOMPARE(lines.filter("truncated").isEmpty(), isWhole);
        }
        QVERIFY(read > 200);
    }

    /// Input: files with random damage. Property: the file is refused, or its events are read in time order.
    void damagedFilesAreSurvived()
    {
        const QByteArray whole = fileOf(AllKinds);
        for (quint64 seed = 0; seed < 1000; ++seed) {
            Dice dice(seed);
            const auto trace = open(dice.damaged(whole, "[]{}\",:-.0189e\\"));
            if (!trace)
                continue;
            MergedEvents events(*trace);
            HostTimestamp last = HostTimestamp::min();
            while (events.next()) {
                QVERIFY(events.event().time() >= last);
                last = events.event().time();
                printEvent(events.event());
            }
        }
    }

    /// Input: a recording of KUtrace. Property: each row becomes an event with all its values. Qt's JSON parser reads the expected values.
    void recordedRowsAreEvents()
    {
        const QString path = sharedFile("formats/kutrace/hello_world_cut.json");
        if (path.isEmpty())
            QSKIP("formats/kutrace/hello_world_cut.json is not available");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList expected;
        std::map<qint64, int> wakeUps;
        const auto ns = [](const QJsonValue& seconds) { return qint64(std::llround(seconds.toDouble() * 1e9)); };
        for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).object()["events"].toArray()) {
            const QJsonArray row = value.toArray();
            const int event = row[5].toInt();
            if (ns(row[0]) == 999'000'000'000)
                continue;
            const bool isSpan = row[2].toInt() >= 0 && event >= 0x400;
            const bool isWait = event >= 0x300 && event < 0x31a;
            if (event == 0x206)
                ++wakeUps[row[6].toInt()];
            if (event == 0x206 || event == 0x209)
                continue;
            QString line =
                QString("%1 name=%2 event=%3").arg(ns(row[0]) + (event == 0x281 ? ns(row[1]) : 0)).arg(row[9].toString()).arg(event);
            line += QString(" duration=%1").arg(ns(row[1]));
            if (!isWait)
                line += QString(" arg=%1 retval=%2").arg(row[6].toInt()).arg(row[7].toInt());
            line += QString(" rpc=%1").arg(row[4].toInt());
            if (isSpan)
                line += QString(" ipc=%1").arg(row[8].toInt());
            expected << line;
        }
        m_trace = openTrace("KUtrace JSON", path.toStdString());
        QVERIFY(m_trace);
        QStringList found;
        std::map<qint64, int> woken;
        MergedEvents events(*m_trace);
        while (events.next()) {
            const EventView& event = events.event();
            const QString name = QString::fromStdString(event.type->name);
            if (name == "sched_waking")
                ++woken[printFields(event).section("tid=", -1).toLongLong()];
            if (!name.startsWith("kutrace:") || name == "kutrace:end")
                continue;
            QString fields = printFields(event).section(": ", 1);
            fields.remove(QRegularExpression(" reason=\\w+"));
            found << QString("%1 ").arg(nanoseconds(event.time())) + fields;
        }
        expected.sort();
        found.sort();
        QCOMPARE(found, expected);
        QCOMPARE(woken, wakeUps);
        QVERIFY(found.size() > 5000);
    }
};

HELIO_TEST(KutraceTest)
#include "tst_kutrace.moc"
