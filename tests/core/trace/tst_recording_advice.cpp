#include "core/trace/recording_advice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <vector>

using namespace helio;

namespace {

TraceInfo infoOf(const char* format, const char* tracer = "")
{
    TraceInfo info;
    info.format = format;
    if (*tracer)
        info.environment.emplace_back("tracer_name", tracer);
    return info;
}

constexpr std::array AllTracers{Tracer::Lttng,  Tracer::Perf,   Tracer::TraceCmd, Tracer::Ftrace, Tracer::Perfetto,
                                Tracer::Chrome, Tracer::Strace, Tracer::Ltrace,   Tracer::Other};

} // namespace

class RecordingAdviceTest : public QObject {
    Q_OBJECT

private slots:
    void tracersAreRecognized_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("tracer");
        const auto row = [](const char* format, const char* name, Tracer tracer) {
            QTest::addRow("%s %s", format, name) << QString(format) << QString(name) << int(tracer);
        };
        row("ctf", "lttng-modules", Tracer::Lttng);
        row("ctf", "lttng-ust", Tracer::Lttng);
        row("ctf", "barectf", Tracer::Other);
        row("ctf", "perf", Tracer::Perf);
        row("ctf", "", Tracer::Other);
        row("perf.data", "", Tracer::Perf);
        row("perf script text", "", Tracer::Perf);
        row("folded stacks", "", Tracer::Other);
        row("trace.dat", "trace-cmd", Tracer::TraceCmd);
        row("ftrace text", "", Tracer::Ftrace);
        row("Perfetto", "", Tracer::Perfetto);
        row("Chrome JSON", "", Tracer::Chrome);
        row("strace", "strace", Tracer::Strace);
        row("ltrace", "ltrace", Tracer::Ltrace);
        row("perf trace", "perf trace", Tracer::Strace);
        row("KUtrace JSON", "", Tracer::Other);
    }
    void tracersAreRecognized()
    {
        QFETCH(QString, format);
        QFETCH(QString, name);
        QFETCH(int, tracer);
        QCOMPARE(int(tracerOf(infoOf(format.toUtf8(), name.toUtf8()))), tracer);
    }

    void domainsAreThoseOfLttng()
    {
        TraceInfo info = infoOf("ctf");
        info.environment.emplace_back("domain", "ust");
        QCOMPARE(int(tracerOf(info)), int(Tracer::Lttng));
    }

    void commandsAreThoseOfTheTracer()
    {
        const auto command = [](Tracer tracer, RecordableData data = RecordableData::WakeUps) {
            return QString::fromStdString(recordingCommand(data, tracer));
        };
        QCOMPARE(command(Tracer::Lttng), QString("lttng enable-event -k sched_waking,sched_wakeup,sched_wakeup_new"));
        QCOMPARE(command(Tracer::Perf), QString("perf record -a -g -e cpu-clock -e sched:sched_waking,sched:sched_wakeup_new"));
        QCOMPARE(command(Tracer::TraceCmd), QString("trace-cmd record -e sched:sched_waking -e sched:sched_wakeup_new"));
        QCOMPARE(command(Tracer::Ftrace), QString("echo sched:sched_waking sched:sched_wakeup_new >> /sys/kernel/tracing/set_event"));
        QCOMPARE(command(Tracer::Perfetto), QString("perfetto -t 10s -o FILE sched/sched_waking sched/sched_wakeup_new"));
        QCOMPARE(command(Tracer::Strace), QString());
        QCOMPARE(command(Tracer::Strace, RecordableData::Samples), QString("strace -k -f -ttt -T"));
        QCOMPARE(command(Tracer::Ftrace, RecordableData::FunctionCalls),
                 QString("cd /sys/kernel/tracing && echo 1 > options/funcgraph-abstime && echo function_graph > current_tracer"));
        QVERIFY(command(Tracer::Perfetto, RecordableData::FunctionCalls).contains("track_event"));
        QCOMPARE(command(Tracer::Chrome, RecordableData::FunctionCalls),
                 QString("chrome --enable-tracing --enable-tracing-format=json --enable-tracing-output=FILE"));
        QCOMPARE(command(Tracer::Ltrace, RecordableData::SystemCalls), QString("ltrace -S -f -ttt -T"));
        QCOMPARE(command(Tracer::Chrome), QString());
        QCOMPARE(command(Tracer::Other), QString());
        QCOMPARE(command(Tracer::Lttng, RecordableData::None), QString());
    }

    /// Property: adviseRecording() returns a command for each kind of data and each tracer. If the tracer cannot record the data, the
    /// command is another tracer's, and the advice says so (`unable`).
    void everyTracerGetsAdvice()
    {
        constexpr const char* Formats[] = {"lttng",       "perf.data", "trace.dat", "ftrace text", "Perfetto",
                                           "Chrome JSON", "strace",    "ltrace",    "KUtrace JSON"};
        for (std::size_t i = 0; i < AllTracers.size(); ++i) {
            const TraceInfo info = infoOf(Formats[i]);
            QCOMPARE(int(tracerOf(info)), int(AllTracers[i]));
            for (int data = 1; data <= int(RecordableData::PidNamespaces); ++data) {
                const auto advice = adviseRecording(RecordableData(data), std::array{&info});
                const std::string own = recordingCommand(RecordableData(data), AllTracers[i]);
                QVERIFY2(!advice.command.empty(), qPrintable(QString::number(data)));
                QCOMPARE(advice.unable, own.empty() ? std::string(Formats[i]) : std::string());
                QVERIFY(own.empty() || advice.command == own);
                if (AllTracers[i] != Tracer::Lttng && !own.empty())
                    QVERIFY2(!QString::fromStdString(own).contains("lttng"), own.c_str());
            }
        }
    }

    void recordingsOfSeveralTracersGetACommandEach()
    {
        const TraceInfo lttng = infoOf("ctf", "lttng-modules"), perf = infoOf("perf.data"), strace = infoOf("strace");
        QCOMPARE(adviseRecording(RecordableData::DiskRequests, std::vector{&lttng, &perf, &lttng, &strace}).sentences(),
                 std::string("Record them with: lttng enable-event -k 'block_rq_*', or perf record -a -g -e cpu-clock -e "
                             "block:block_rq_insert,block:block_rq_issue,block:block_rq_complete"));
        QCOMPARE(adviseRecording(RecordableData::ContextSwitches, {}).command, std::string("lttng enable-event -k sched_switch"));
        QCOMPARE(adviseRecording(RecordableData::ResidentMemory, {}).suffix(),
                 std::string("; record them with: perf record -a -g -e cpu-clock -e kmem:rss_stat"));
    }

    void otherTracersAreNamedAsUnable()
    {
        const TraceInfo strace = infoOf("strace", "strace"), chrome = infoOf("Chrome JSON");
        QCOMPARE(adviseRecording(RecordableData::ContextSwitches, std::array{&strace}).sentences(),
                 std::string("Strace cannot record them. Record them at the same time with: perf record -a -g -e cpu-clock -e "
                             "sched:sched_switch"));
        QCOMPARE(adviseRecording(RecordableData::Packets, std::vector{&strace, &chrome}).suffix(),
                 std::string("; strace and Chrome JSON cannot record them; record them at the same time with: lttng enable-event "
                             "--kernel net_dev_queue,net_if_receive_skb"));
    }

    void namedEventsAreRecorded()
    {
        const std::vector<std::string> names{"sched_switch", "syscall_entry_read", "exit_syscall", "my.*"};
        QCOMPARE(recordEventsCommand(names, Tracer::Lttng),
                 std::string("lttng enable-event -k sched_switch && lttng enable-event -k --syscall read"));
        QCOMPARE(recordEventsCommand(names, Tracer::TraceCmd),
                 std::string("trace-cmd record -e sched_switch -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit"));
        QCOMPARE(recordEventsCommand(std::vector<std::string>{"a_b", "c_d"}, Tracer::Perf),
                 std::string("perf record -a -g -e cpu-clock -e '*:a_b,*:c_d'"));
        QCOMPARE(recordEventsCommand(std::vector<std::string>{"mpi:begin"}, Tracer::Perf), std::string());
        QCOMPARE(recordEventsCommand(names, Tracer::Strace), std::string());
    }
};

HELIO_TEST(RecordingAdviceTest)
#include "tst_recording_advice.moc"
