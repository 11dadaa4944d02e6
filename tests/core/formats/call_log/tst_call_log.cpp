#include "core/trace/process/recorded_names.h"
#include "core/trace/process/sample_view.h"
#include "tests/support/dice.h"
#include "tests/support/files.h"
#include "tests/support/open_trace.h"
#include "tests/support/printed_fields.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace helio;

namespace {

QString described(const ProcessRecord& record)
{
    constexpr const char* Kinds[] = {"comm", "exec", "fork", "exit", "map"};
    return QString("%1 %2 tid=%3 pid=%4 %5")
        .arg(nanoseconds(record.time))
        .arg(Kinds[std::size_t(record.kind)])
        .arg(record.tid)
        .arg(record.pid)
        .arg(QString::fromStdString(record.name))
        .trimmed();
}

/// Number and total duration in ns of the calls of a function.
struct CallSum {
    int count = 0;
    qint64 total = 0;
    bool operator==(const CallSum&) const = default;
};

/// Returns the sums of a log's calls by name, from the durations that its lines print.
std::map<QString, CallSum> sumsOfText(const QString& text)
{
    // A call's name stands before the first parenthesis or in "<... name resumed>", its duration at the end.
    static const QRegularExpression line(R"re((?:<\.\.\. (?:SYS_(?!\d))?(\w+) resumed>|(?:SYS_(?!\d))?(\w+)\().*<(\d+)\.(\d{6})>$)re");
    std::map<QString, CallSum> sums;
    for (const QString& it : text.split('\n')) {
        const auto match = line.match(it);
        if (!match.hasMatch()
            || it.contains(QRegularExpression(" fork resumed>.*= 0 <"))) // fork() returns in the child, too, which did not begin it.
            continue;
        CallSum& sum = sums[match.captured(1) + match.captured(2)];
        ++sum.count;
        sum.total += match.captured(3).toLongLong() * 1'000'000'000 + match.captured(4).toLongLong() * 1000;
    }
    return sums;
}

/// Returns the sums of a trace's calls by name, from the times of their events. The calls of a thread nest.
std::map<QString, CallSum> sumsOfTrace(const Trace& trace)
{
    std::map<QString, CallSum> sums;
    std::map<std::pair<int, QString>, std::vector<qint64>> open;
    MergedEvents events(trace);
    while (events.next()) {
        QString name = QString::fromStdString(events.event().type->name);
        int tid = 0;
        for (const NamedValue& field : decodeContext(events.event()))
            if (field.name == "tid")
                tid = QString::fromStdString(displayText(field.value)).toInt();
        for (const NamedValue& field : decodeSection(events.event(), Section::Payload))
            if (name.startsWith("span_") && field.name == "name")
                name += "_" + QString::fromStdString(displayText(field.value));
        const qint64 time = nanoseconds(events.event().time());
        for (const char* begin : {"syscall_entry_", "span_begin_"})
            if (name.startsWith(begin))
                open[{tid, name.mid(qsizetype(strlen(begin)))}].push_back(time);
        for (const char* end : {"syscall_exit_", "span_end_"}) {
            if (!name.startsWith(end))
                continue;
            const QString call = name.mid(qsizetype(strlen(end)));
            auto& begins = open[{tid, call}];
            ++sums[call].count;
            sums[call].total += time - begins.back();
            begins.pop_back();
        }
    }
    return sums;
}

} // namespace

/// Input: lines as strace, ltrace and perf trace print them.
class CallLogTest : public QObject {
    Q_OBJECT

private:
    void write(const QString& name, const QByteArray& text)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size())
            qFatal("cannot write");
    }

    /// Returns the events of a text in time order, a line each, and after them the process records and the messages.
    QStringList contentOf(const QByteArray& text)
    {
        write("log.txt", text);
        return contentOfFile("log.txt");
    }
    QStringList contentOfFile(const QString& name)
    {
        m_error.clear();
        m_trace = openTrace("call log", m_folder.filePath(name).toStdString(), &m_error);
        if (!m_trace)
            return {m_error.empty() ? QString("not recognized") : QString::fromStdString(m_error).section(": ", 1)};
        QStringList lines;
        MergedEvents events(*m_trace);
        while (events.next())
            lines << printEvent(events.event());
        for (const ProcessRecord& record : m_trace->processRecords())
            lines << described(record);
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            lines << QString::fromStdString(diagnostic.kind + " " + std::to_string(diagnostic.count));
        return lines;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;
    std::string m_error;

private slots:
    void linesOfAllKindsAreRead_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QStringList>("content");
        const auto row = [](const char* name, const char* line, const QStringList& content) {
            QTest::newRow(name) << QByteArray(line) << content;
        };
        row("epoch", "12 1700000000.000001 read(3, \"a) = 5 \\\" (\", 5) = 5 <0.000002>",
            {"1700000000000001000 syscall_entry_read tid=12: args=3, \"a) = 5 \\\" (\", 5",
             "1700000000000003000 syscall_exit_read tid=12: ret=5"});
        row("terminal", "[pid 12] 1700000000.000001 close(3</tmp/a b>) = 0 <0.000002>",
            {"1700000000000001000 syscall_entry_close tid=12: args=3</tmp/a b>", "1700000000000003000 syscall_exit_close tid=12: ret=0"});
        row("one thread", "1700000000.000001 getpid() = 77 <0.000002>",
            {"1700000000000001000 syscall_entry_getpid tid=1: args=", "1700000000000003000 syscall_exit_getpid tid=1: ret=77",
             "no-thread 1"});
        row("library only where the call begins",
            "7 1700000000.0 _setjmp@ld-linux-x86-64.so.2(1 <unfinished ...>\n7 1700000000.2 <... _setjmp resumed> ) = 0 <0.2>",
            {"1700000000000000000 span_begin tid=7: name=_setjmp@ld-linux-x86-64.so.2 args=1",
             "1700000000200000000 span_end tid=7: name=_setjmp@ld-linux-x86-64.so.2 args=1 ret=0"});
        // Rounded differences add up to less than the durations, but no call ends after its last line.
        row("relative times", "12 0.0 futex(0x1 <unfinished ...>\n12 0.000200 <... futex resumed>) = 0 <0.000300>",
            {"0 syscall_entry_futex tid=12: args=0x1", "200000 syscall_exit_futex tid=12: args=0x1 ret=0"});
        row("time of day", "12 01:02:03.5 close(3) = 0 <0.1>",
            {"3723500000000 syscall_entry_close tid=12: args=3", "3723600000000 syscall_exit_close tid=12: ret=0"});
        row("error", "12 1700000000.5 openat(AT_FDCWD, \"/nope\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.1>",
            {"1700000000500000000 syscall_entry_openat tid=12: args=AT_FDCWD, \"/nope\", O_RDONLY",
             "1700000000600000000 syscall_exit_openat tid=12: ret=-1 result=-1 ENOENT (No such file or directory) "
             "error=ENOENT"});
        row("pointer", "12 1700000000.5 mmap(NULL, 8192) = 0x7fc8 <0.1>",
            {"1700000000500000000 syscall_entry_mmap tid=12: args=NULL, 8192",
             "1700000000600000000 syscall_exit_mmap tid=12: ret=32712 result=0x7fc8"});
        row("no result", "12 1700000000.5 exit_group(0)   = ? <0.1>",
            {"1700000000500000000 syscall_entry_exit_group tid=12: args=0",
             "1700000000600000000 syscall_exit_exit_group tid=12: result=?"});
        row("no duration", "12 1700000000.5 close(3) = 0", {"1700000000500000000 syscall_close tid=12: args=3 ret=0", "no-duration 1"});
        row("signal", "12 1700000000.5 close(3) = 0 <0.1>\n12 1700000000.7 --- SIGCHLD {si_signo=SIGCHLD, si_pid=1} ---",
            {"1700000000500000000 syscall_entry_close tid=12: args=3", "1700000000600000000 syscall_exit_close tid=12: ret=0",
             "1700000000700000000 signal tid=12: signal=SIGCHLD {si_signo=SIGCHLD, si_pid=1}"});
        row("ltrace", "12 1700000000.5 SYS_read(3, 0x7ff) = 5 <0.1>\n12 1700000000.7 libc.so.6->puts(\"x\") = <void> <0.1>",
            {"1700000000500000000 syscall_entry_read tid=12: args=3, 0x7ff", "1700000000600000000 syscall_exit_read tid=12: ret=5",
             "1700000000700000000 span_begin tid=12: name=puts args=\"x\"",
             "1700000000800000000 span_end tid=12: name=puts result=<void>"});
        row("ltrace with addresses", "  0.5 [0x4012fa] qsort(0x7f, 4) = <void> <0.1>\n  0.25 [0x40123f]   strcmp(\"a\", \"b\")  = -1 <0.1>",
            {"500000000 span_begin tid=1: name=qsort args=0x7f, 4 ip=0x4012fa", "600000000 span_end tid=1: name=qsort result=<void>",
             "750000000 span_begin tid=1: name=strcmp args=\"a\", \"b\" ip=0x40123f", "850000000 span_end tid=1: name=strcmp ret=-1",
             "no-thread 2"});
        row("names of threads", "12<my app> 1700000000.5 getpid() = 12<my app> <0.1>",
            {"1700000000500000000 syscall_entry_getpid tid=12: args=",
             "1700000000600000000 syscall_exit_getpid tid=12: ret=12 result=12<my app>", "1700000000500000000 comm tid=12 pid=-1 my app"});
        row("names of threads in a terminal", "[pid 12<a>] 1700000000.5 close(3) = 0 <0.1>",
            {"1700000000500000000 syscall_entry_close tid=12: args=3", "1700000000600000000 syscall_exit_close tid=12: ret=0",
             "1700000000500000000 comm tid=12 pid=-1 a"});
        row("numbers of calls", "12 1700000000.5 [   3] close(3) = 0 <0.1>\n12 1700000000.7 [ 231] +++ exited with 3 +++",
            {"1700000000500000000 syscall_entry_close tid=12: args=3 nr=3", "1700000000600000000 syscall_exit_close tid=12: ret=0",
             "1700000000700000000 exit tid=12: status=exited with 3", "1700000000700000000 exit tid=12 pid=-1"});
        row("instruction pointers",
            "12 1700000000.5 [00007f896d127c47] close(3) = 0 <0.1>\n12 1700000000.7 [????????????????] close(4) = 0 <0.1>",
            {"1700000000500000000 syscall_entry_close tid=12: args=3 ip=00007f896d127c47",
             "1700000000600000000 syscall_exit_close tid=12: ret=0", "1700000000700000000 syscall_entry_close tid=12: args=4",
             "1700000000800000000 syscall_exit_close tid=12: ret=0"});
        row("names of files and sockets",
            "12 1700000000.5 sendto(4<TCP:[1.2.3.4:5->6.7.8.9:80]>, \"\\\"<\", 2) = 2 <0.1>\n12 1700000000.7 close(3</tmp/a) b>) = 0 <0.1>",
            {"1700000000500000000 syscall_entry_sendto tid=12: args=4<TCP:[1.2.3.4:5->6.7.8.9:80]>, \"\\\"<\", 2",
             "1700000000600000000 syscall_exit_sendto tid=12: ret=2", "1700000000700000000 syscall_entry_close tid=12: args=3</tmp/a) b>",
             "1700000000800000000 syscall_exit_close tid=12: ret=0"});
        row("shifts are no names", "12 1700000000.5 mmap(NULL, 1<<20, 2) = 0x10 <0.1>",
            {"1700000000500000000 syscall_entry_mmap tid=12: args=NULL, 1<<20, 2",
             "1700000000600000000 syscall_exit_mmap tid=12: ret=16 result=0x10"});
        row("two times", "12 10:00:00 (+     0.000012) close(3) = 0 <0.1>",
            {"36000000000000 syscall_entry_close tid=12: args=3", "36000100000000 syscall_exit_close tid=12: ret=0", "whole-seconds 1"});
        row("nanoseconds", "12 10:00:00.123456789 close(3) = 0 <0.000026079>",
            {"36000123456789 syscall_entry_close tid=12: args=3", "36000123482868 syscall_exit_close tid=12: ret=0"});
        row("cut texts", "12 10:00:00.5 write(1, \"ab\\tc\"..., 9000) = ? <unavailable>",
            {"36000500000000 syscall_entry_write tid=12: args=1, \"ab\\tc\"..., 9000"});
        row("interrupted",
            "12 10:00:00.5 pause() = ? ERESTARTNOHAND (To be restarted if no handler) <0.1>\n12 10:00:00.7 "
            "restart_syscall(<... resuming interrupted pause ...>) = 0 <0.1>",
            {"36000500000000 syscall_entry_pause tid=12: args=",
             "36000600000000 syscall_exit_pause tid=12: result=? ERESTARTNOHAND (To be restarted if no handler) error=ERESTARTNOHAND",
             "36000700000000 syscall_entry_restart_syscall tid=12: args=<... resuming interrupted pause ...>",
             "36000800000000 syscall_exit_restart_syscall tid=12: ret=0"});
        row("detached", "12 10:00:00.5 read(0,  <detached ...>", {"36000500000000 syscall_entry_read tid=12: args=0,"});
        row("perf trace", "     1.500 ( 0.011 ms): ls/2344 openat(dfd: CWD, filename: \"/a\") = 3",
            {"1500000 syscall_entry_openat tid=2344: args=dfd: CWD, filename: \"/a\"", "1511000 syscall_exit_openat tid=2344: ret=3",
             "1500000 comm tid=2344 pid=-1 ls"});
        row("perf trace, interrupted",
            "     1.500 (         ): sleep/7 nanosleep(rqtp: 0x7f) ...\n     4.500 ( 3.000 ms): sleep/7  ... [continued]: nanosleep()) = 0",
            {"1500000 syscall_entry_nanosleep tid=7: args=rqtp: 0x7f", "4500000 syscall_exit_nanosleep tid=7: args=rqtp: 0x7f ret=0",
             "1500000 comm tid=7 pid=-1 sleep"});
        row("perf trace, begun before the recording",
            "         ? (         ): sh/7  ... [continued]: execve())       = 0\n"
            "         ? (         ): sh/8  ... [continued]: clone())        = \n     1.500 ( 0.011 ms): sh/7 close(fd: 3) = 0",
            {"1500000 syscall_entry_close pid=7 tid=7: args=fd: 3", "1511000 syscall_exit_close pid=7 tid=7: ret=0",
             "1500000 comm tid=7 pid=7 sh", "older-calls 2"});
    }
    void linesOfAllKindsAreRead()
    {
        QFETCH(QByteArray, line);
        QFETCH(QStringList, content);
        QCOMPARE(contentOf(line + "\n"), content);
    }

    /// Property: a call whose line is interrupted by a message of strace continues in the next line.
    void messagesWithinLinesAreRemoved()
    {
        QCOMPARE(
            contentOf("10:00:00.0 clone(flags=CLONE_VM|CLONE_THREADstrace: Process 6 attached\n, child_tidptr=0x1) = 6 <0.1>\n"
                      "[pid 6] 10:00:00.2 getpid() = 5 <0.1>\n[pid 5] 10:00:00.4 getpid() = 5 <0.1>\n"
                      "strace: Process 5 detached\n10:00:00.6 close(1strace: Process 7 attached\n[pid 5] 10:00:00.7 getpid() = 5 <0.1>\n")
                .filter("entry"),
            QStringList({"36000000000000 syscall_entry_clone tid=5: args=flags=CLONE_VM|CLONE_THREAD, child_tidptr=0x1",
                         "36000200000000 syscall_entry_getpid tid=6: args=", "36000400000000 syscall_entry_getpid tid=5: args=",
                         "36000600000000 syscall_entry_close tid=5: args=1", "36000700000000 syscall_entry_getpid tid=5: args="}));
    }

    /// Property: lines without a TID belong to the thread of the message "strace: Process TID attached".
    void attachedThreadIsThatOfLinesWithoutThread()
    {
        QCOMPARE(contentOf("strace: Process 12 attached\n10:00:00.5 close(3) = 0 <0.1>\n"),
                 QStringList({"36000500000000 syscall_entry_close tid=12: args=3", "36000600000000 syscall_exit_close tid=12: ret=0"}));
    }

    void callsWithoutNameEndTheInnermostCall()
    {
        QCOMPARE(contentOf("1 10:00:00.0 read(0,  <unfinished ...>\n1 10:00:00.2 <... ??? resumed>) = 3 <0.15>\n"
                           "2 10:00:00.3 <... resumed>) = 3 <0.1>\n"),
                 QStringList({"36000000000000 syscall_entry_read tid=1: args=0,", "36000150000000 syscall_exit_read tid=1: args=0, ret=3",
                              "no-begin 1"}));
    }

    void modesOfProgramsAreNoted()
    {
        QCOMPARE(contentOf("1 10:00:00.0 close(0) = 0 <0.1>\nstrace: [ Process PID=1 runs in 32 bit mode. ]\n").mid(2),
                 QStringList("modes 1"));
    }

    void summariesAreExplained()
    {
        const QByteArray table =
            "% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- "
            "----------------\n100.00    0.000000           0         4         1 read\n";
        QCOMPARE(
            contentOf(table),
            QStringList("a summary of calls (-c), which has no times of calls; record them with strace -f -ttt -T, or ltrace -f -ttt -T"));
        QCOMPARE(contentOf("1 10:00:00.0 close(0) = 0 <0.1>\n" + table).mid(2), QStringList("summary 1"));
        const QByteArray events =
            "\n Summary of events:\n\n ls (21156), 290 events, 97.3%\n\n   syscall            calls  errors  total       min\n"
            "   --------------- --------  ------ -------- ---------\n   read                   7      0     1.699     0.010\n";
        QCOMPARE(contentOf(events),
                 QStringList("a summary of calls (-s), which has no times of calls; record them with perf trace without -s"));
        QCOMPARE(contentOf("     1.500 ( 0.011 ms): ls/7 close(fd: 3) = 0\n" + events).last(), QString("summary 1"));
    }

    /// Property: the stack that `strace -k` prints after a call is a sample at the call's return, weighted with the call's duration, and
    /// also a field in the call's event.
    void stacksAreThoseOfTheirCalls()
    {
        const QStringList lines = contentOf("5 10:00:00.0 read(0,  <unfinished ...>\n5 10:00:00.2 <... read resumed>) = 3 <0.15>\n"
                                            " > /lib/libc.so.6(__read+0xd) [0x1ab70]\n > /usr/bin/a (x)(f(int)+0x1) [0x10]\n > [0x7f12]\n"
                                            "5 10:00:00.4 close(0) = 0 <0.1>\n > /lib/libc.so.6(close+0x7) [0x2]\n"
                                            "5 10:00:00.6 close(0) = 0\n > /usr/bin/a() [0x2]\n");
        QVERIFY(lines.contains("36000150000000 syscall_exit_read tid=5: args=0, ret=3 stack=__read < f(int) < [0x7f12]"));
        QVERIFY(lines.contains("36000600000000 syscall_close tid=5: args=0 ret=0 stack=a"));
        const SampleReader* const samples = m_trace->samples();
        QVERIFY(samples);
        QCOMPARE(samples->events().size(), std::size_t(3));
        QStringList found;
        MergedEvents events(*m_trace);
        while (events.next()) {
            SampleView sample;
            if (!samples->read(events.event(), sample))
                continue;
            QString text = QString("%1 %2 %3:").arg(nanoseconds(events.event().time())).arg(sample.tid).arg(sample.period);
            for (std::uint32_t at = sample.stack; at > 0; at = samples->stacks()[at].caller) {
                const RecordedFrame& frame = samples->stacks()[at];
                const Module& module = m_trace->modules()[std::size_t(frame.module)];
                const RecordedName name = module.names ? module.names->at(frame.address) : RecordedName();
                text += QString(" %1 %2+%3")
                            .arg(QString::fromStdString(module.path), QString::fromUtf8(name.function))
                            .arg(name.offset.value_or(0));
            }
            found << text;
        }
        QCOMPARE(found,
                 QStringList({"36000150000000 5 150000000: /lib/libc.so.6 __read+13 /usr/bin/a (x) f(int)+1  +0",
                              "36000500000000 5 100000000: /lib/libc.so.6 close+7", "36000600000000 5 1: /usr/bin/a +0"}));
    }

    void strayStacksAreReported()
    {
        QVERIFY(contentOf("5 10:00:00.4 close(0) = 0 <0.1>\nsome text\n > /lib/libc.so.6(close+0x7) [0x2]\n").contains("stray-stacks 1"));
    }

    void functionsThatDoNotReturnEndWithTheirThread()
    {
        QCOMPARE(
            contentOf(
                "7 1700000000.1 puts(\"x\") = 1 <0.01>\n7 1700000000.5 exit(3 <no return ...>\n7 1700000000.7 +++ exited (status 3) +++\n")
                .mid(2, 3),
            QStringList({"1700000000500000000 span_begin tid=7: name=exit args=3", "1700000000700000000 span_end tid=7: name=exit",
                         "1700000000700000000 exit tid=7: status=exited (status 3)"}));
    }

    /// Property: perf trace prints no line for the end of a thread, which therefore ends with its exit() or with the exit_group() of any
    /// thread of its process. The end is 1 ns after the call, because records precede the events of their time.
    void threadsOfPerfTraceEndWithTheirExitCalls()
    {
        const QByteArray begin = "         ? (         ): a/7  ... [continued]: execve())   = 0\n"
                                 "     1.000 ( 0.100 ms): a/7 clone(clone_flags: VM|THREAD, parent_tidptr: 0x1) = 8 (a)\n"
                                 "     1.200 ( 0.100 ms): a/7 clone(clone_flags: VM|THREAD, parent_tidptr: 0x1) = 9 (a)\n"
                                 "     1.400 ( 0.100 ms): a/7 clone(clone_flags: CHILD_SETTID|0x11) = 10 (a)\n"
                                 "     2.000 (         ): a/9 exit()   = ?\n     2.500 (         ): a/8 futex(uaddr: 0x1) ...\n"
                                 "     2.600 ( 0.100 ms): b/10 close(fd: 3) = 0\n";
        QCOMPARE(contentOf(begin).filter(QRegularExpression("^\\d+ exit tid")), QStringList("2000001 exit tid=9 pid=7"));
        const QStringList lines = contentOf(begin + "     3.000 (         ): a/7 exit_group()  = ?\n");
        QCOMPARE(lines.filter(QRegularExpression("^\\d+ exit tid")),
                 QStringList({"2000001 exit tid=9 pid=7", "3000001 exit tid=7 pid=7", "3000001 exit tid=8 pid=7"}));
        QCOMPARE(lines.filter("exit_group"), QStringList("3000000 syscall_entry_exit_group pid=7 tid=7: args="));
    }

    /// Input: characters, decimals and types in the lines of ltrace.
    void unusualLinesOfLtraceAreRead()
    {
        const QStringList lines = contentOf("7 1700000000.1 strchr(\"a(b\", '(') = \"(b\" <0.01>\n"
                                            "7 1700000000.2 strchr(\"a\", '\\003') = nil <0.01>\n"
                                            "7 1700000000.3 sqrt(2.0) = 1.414214 <0.01>\n"
                                            "7 1700000000.4 operator new(unsigned long)(16) = 0x10 <0.01>\n");
        QCOMPARE(lines.filter("span_begin").size(), 4);
        QVERIFY(lines.contains("1700000000310000000 span_end tid=7: name=sqrt result=1.414214"));
        QVERIFY(lines.contains("1700000000400000000 span_begin tid=7: name=operator new(unsigned long) args=16"));
    }

    /// Property: a call during which other lines are printed begins where it began and ends where it returned.
    void unfinishedCallsAreJoined()
    {
        QCOMPARE(contentOf("1 10:00:00.0 read(0,  <unfinished ...>\n"
                           "2 10:00:00.1 write(1, \"x\", 1) = 1 <0.05>\n"
                           "1 10:00:00.2 <... read resumed>\"abc\", 3) = 3 <0.15>\n"
                           "2 10:00:00.3 futex(0x1, FUTEX_WAIT <unfinished ...>\n"
                           "2 10:00:00.4 +++ killed by SIGKILL +++\n"
                           "3 10:00:00.5 <... close resumed>) = 0 <0.1>\n"),
                 QStringList(
                     {"36000000000000 syscall_entry_read tid=1: args=0,", "36000100000000 syscall_entry_write tid=2: args=1, \"x\", 1",
                      "36000150000000 syscall_exit_write tid=2: ret=1", "36000150000000 syscall_exit_read tid=1: args=0,\"abc\", 3 ret=3",
                      "36000300000000 syscall_entry_futex tid=2: args=0x1, FUTEX_WAIT",
                      "36000400000000 exit tid=2: status=killed by SIGKILL", "36000400000000 exit tid=2 pid=-1", "no-begin 1"}));
    }

    /// Property: where durations are not printed, a call that is printed in two parts ends at its second part.
    void secondPartIsTheEndWithoutDurations()
    {
        QCOMPARE(contentOf("1 10:00:00.0 read(0,  <unfinished ...>\n1 10:00:00.2 <... read resumed>\"abc\", 3) = 3\n").filter("exit"),
                 QStringList("36000200000000 syscall_exit_read tid=1: args=0,\"abc\", 3 ret=3"));
    }

    /// Property: with times in whole seconds, calls keep their printed durations and the order of their lines; a second that a line prints
    /// is the earliest begin of its call. Each line is counted in a message.
    void callsWithinASecondFollowEachOther()
    {
        QCOMPARE(
            contentOf("1 10:00:00 close(1) = 0 <0.1>\n1 10:00:00 close(2) = 0 <0.2>\n1 10:00:00 read(0,  <unfinished ...>\n"
                      "2 10:00:00 close(3) = 0 <0.1>\n1 10:00:02 <... read resumed>\"\", 1) = 0 <2.1>\n1 10:00:02 close(4) = 0 <0.1>\n"
                      "1 10:00:05 close(5) = 0 <0.1>\n"),
            QStringList({"36000000000000 syscall_entry_close tid=1: args=1", "36000100000000 syscall_exit_close tid=1: ret=0",
                         "36000100000000 syscall_entry_close tid=1: args=2", "36000300000000 syscall_exit_close tid=1: ret=0",
                         "36000300000000 syscall_entry_read tid=1: args=0,", "36000300000000 syscall_entry_close tid=2: args=3",
                         "36000400000000 syscall_exit_close tid=2: ret=0", "36002400000000 syscall_exit_read tid=1: args=0,\"\", 1 ret=0",
                         "36002400000000 syscall_entry_close tid=1: args=4", "36002500000000 syscall_exit_close tid=1: ret=0",
                         "36005000000000 syscall_entry_close tid=1: args=5", "36005100000000 syscall_exit_close tid=1: ret=0",
                         "whole-seconds 7"}));
    }

    /// Property: a line that an output of the program or a message of the tool broke in two is one call.
    void brokenLinesAreJoined()
    {
        const QStringList write = {"1700000000000001000 syscall_entry_write tid=12: args=2, \"\\n\", 1",
                                   "1700000000000003000 syscall_exit_write tid=12: ret=1"};
        const QByteArray whole = QByteArray("12 1700000000.0 brk(NULL) = 0 <0.1>\n").repeated(2);
        QCOMPARE(contentOf(whole + "12 1700000000.000001 write(2, \"\\n\", 1\n) = 1 <0.000002>\n").filter(QRegularExpression("write|line")),
                 write);
        QCOMPARE(contentOf(whole + "12 1700000000.000001 write(2, \"\\n\", 1 <unfinished ...>\n) = 1 <0.000002>\n")
                     .filter(QRegularExpression("write|line")),
                 write);
        QCOMPARE(contentOf("12 1700000000.0 read(3 <unfinished ...>\n13 1700000000.1 getpid() = 12 <0.1>\n"
                           "12 1700000000.2 <... read resumed>, \"\", 1) = 0 <0.2>\n")
                     .filter("read"),
                 QStringList({"1700000000000000000 syscall_entry_read tid=12: args=3",
                              "1700000000200000000 syscall_exit_read tid=12: args=3, \"\", 1 ret=0"}));
        const QStringList lines = contentOf("12 1700000000.0 SYS_read(3 <unfinished ...>\n"
                                            "12 1700000000.2 <... SYS_read resumed> error: maximum array length seems negative\n"
                                            ", \"hello\", 64) = -512 <0.2>\nnot a call\n");
        QCOMPARE(lines.filter("exit_read").size(), 1);
        QVERIFY(lines.contains("unknown-line 1"));
    }

    /// Property: the entry of a futex call has the fields by which analyses find locks, however a tool prints them; other texts have none.
    void futexCallsHaveTheFieldsOfTheirLocks()
    {
        const auto entryOf = [&](const char* arguments) {
            return contentOf(QByteArray("12 1700000000.0 futex(") + arguments + ") = 0 <0.1>\n")
                .filter("entry")
                .value(0)
                .section("uaddr=", 1);
        };
        QCOMPARE(entryOf("0x10, FUTEX_WAIT_PRIVATE, 2, NULL"), QString("16 op=128 val=2"));
        QCOMPARE(entryOf("0x10, FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME, 17462, NULL, FUTEX_BITSET_MATCH_ANY"),
                 QString("16 op=265 val=17462"));
        QCOMPARE(entryOf("0x10, FUTEX_NEWER, 2"), QString());
        QCOMPARE(entryOf("0x10, FUTEX_WAIT"), QString());
        QVERIFY(contentOf("7 1700000000.0 SYS_futex(0x10, 128, 2, 0) = 0 <0.1>\n").first().endsWith("uaddr=16 op=128 val=2"));
        QVERIFY(contentOf("     0.030 ( 0.002 ms): a/9 futex(uaddr: 0x10, op: WAKE|PRIVATE_FLAG, val: 1) = 1\n")
                    .first()
                    .endsWith("uaddr=16 op=129 val=1"));
    }

    /// Property: tracepoints and page faults of perf trace are events; a log may consist of them alone.
    void eventsOfPerfTraceAreRead()
    {
        const QByteArray faults = "     0.020 ( 0.000 ms): my app/9 minfault [f+0x1] => /usr/lib/a b.so@0x10 (d.)\n";
        QCOMPARE(contentOf(faults).first(), QString("20000 minfault tid=9: args=[f+0x1] => /usr/lib/a b.so@0x10 (d.)"));
        QCOMPARE(contentOf("     0.020 my app/9 sched:sched_switch(prev_comm: \"a\", prev_pid: 9 (a))\n").first(),
                 QString("20000 tracepoint tid=9: tracepoint=sched:sched_switch args=prev_comm: \"a\", prev_pid: 9 (a)"));
        const QStringList both = contentOf("     0.020 (         ): a/9 sched:sched_waking(pid: 8)\n"
                                           "     0.030 ( 0.002 ms): a/9 getpid() = 9\n");
        QCOMPARE(both.first(), QString("20000 tracepoint tid=9: tracepoint=sched:sched_waking args=pid: 8"));
        QCOMPARE(both.filter("syscall").size(), 2);
    }

    /// Property: the stacks of perf trace --call-graph are samples of their calls. perf prints a wrong duration of a call that began in a
    /// parent; its stack belongs to no call.
    void stacksOfPerfTraceAreRead()
    {
        const QByteArray blanks(40, ' ');
        const QStringList lines = contentOf(
            "     0.020 ( 0.003 ms): a/9 brk() = 0x1\n" + blanks + "brk (/usr/lib/ld.so)\n" + blanks + "[0] ([unknown])\n"
            + "   107.504 (18446744073607.133 ms): a/9  ... [continued]: clone3()) = 0\n" + blanks + "clone3 (/usr/lib/libc.so.6)\n");
        QCOMPARE(lines.filter(QRegularExpression("^(unknown|stray)")), QStringList());
        QVERIFY(m_trace->samples());
        const auto events = m_trace->samples()->events();
        QCOMPARE(events.size(), std::size_t(1));
        QCOMPARE(events.front().name, std::string("perf-trace:calls"));
        QCOMPARE(lines.filter("exit_brk"), QStringList("23000 syscall_exit_brk tid=9: ret=1 result=0x1 stack=brk < [0] ([unknown])"));
    }

    void timesPassMidnight()
    {
        QCOMPARE(contentOf("1 23:59:59.5 close(1) = 0 <0.1>\n1 00:00:00.5 close(2) = 0 <0.1>\n").filter("entry"),
                 QStringList({"86399500000000 syscall_entry_close tid=1: args=1", "86400500000000 syscall_entry_close tid=1: args=2"}));
    }

    /// Property: processes follow from execve and from the flags of clone; a child may have lines before the call that made it returns.
    void processesFollowFromTheCalls()
    {
        const QStringList lines =
            contentOf("5 1700000000.0 execve(\"/usr/bin/a-program-with-a-long-name\", [\"x\"], 0x1 /* 3 vars */) = 0 <0.1>\n"
                      "5 1700000000.2 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD <unfinished ...>\n"
                      "6 1700000000.3 getpid() = 5 <0.01>\n"
                      "5 1700000000.4 <... clone resumed>) = 6 <0.2>\n"
                      "6 1700000000.5 prctl(PR_SET_NAME, \"worker\") = 0 <0.01>\n"
                      "6 1700000000.6 vfork() = 7 <0.01>\n"
                      "7 1700000000.7 getpid() = 7 <0.01>\n"
                      "9 1700000000.8 getpid() = 8 <0.01>\n");
        QCOMPARE(lines.filter("entry_getpid"),
                 QStringList({"1700000000300000000 syscall_entry_getpid pid=5 tid=6: args=",
                              "1700000000700000000 syscall_entry_getpid pid=7 tid=7: args=",
                              "1700000000800000000 syscall_entry_getpid tid=9: args="}));
        QCOMPARE(lines.filter(QRegularExpression("^\\d+ (comm|exec|fork|exit) tid")),
                 QStringList({"1700000000100000000 exec tid=5 pid=5 a-program-with-", "1700000000200000000 fork tid=6 pid=5",
                              "1700000000510000000 comm tid=6 pid=5 worker", "1700000000600000000 fork tid=7 pid=7"}));
    }

    /// Property: the files of strace -ff are one trace, from whichever of them is opened; other files beside them are not part of it.
    void filesOfAllThreadsAreOneTrace()
    {
        write("out.21", "1700000000.5 getpid() = 20 <0.01>\n");
        write("out.20", "1700000000.2 getpid() = 20 <0.01>\n");
        write("out.22", "not a log\n");
        write("other.23", "1700000000.3 getpid() = 23 <0.01>\n");
        const QStringList expected{
            "1700000000200000000 syscall_entry_getpid tid=20: args=", "1700000000210000000 syscall_exit_getpid tid=20: ret=20",
            "1700000000500000000 syscall_entry_getpid tid=21: args=", "1700000000510000000 syscall_exit_getpid tid=21: ret=20"};
        QCOMPARE(contentOfFile("out.20"), expected);
        QCOMPARE(contentOfFile("out.21"), expected);
        // In a folder, the files NAME.TID with the same NAME are one recording.
        QVERIFY(QDir(m_folder.path()).mkdir("ff"));
        for (const char* name : {"out.20", "out.21", "out.22", "other.23"})
            QVERIFY(QFile::copy(m_folder.filePath(name), m_folder.filePath("ff/") + name));
        const auto formats = builtinTraceFormats();
        const auto format = std::ranges::find(formats, std::string_view("call log"), &TraceFormat::name);
        QCOMPARE((*format)->find(m_folder.filePath("ff").toStdString()).size(), std::size_t(2));
        QVERIFY(QFile::remove(m_folder.filePath("ff/other.23")));
        QCOMPARE(contentOfFile("ff"), expected);
    }

    /// Property: the log of a single thread is found under a name like those of strace -ff, also that of another tool.
    void logsWithNumbersInTheirNamesAreRead()
    {
        write("ltrace.24", "12 1700000000.5 SYS_getpid() = 5 <0.1>\n");
        QCOMPARE(contentOfFile("ltrace.24").first(2),
                 QStringList(
                     {"1700000000500000000 syscall_entry_getpid tid=12: args=", "1700000000600000000 syscall_exit_getpid tid=12: ret=5"}));
    }

    /// Property: a folder is read once, however many logs it contains.
    void foldersWithManyLogsAreReadOnce()
    {
        QTemporaryDir folder;
        constexpr int Logs = 4000;
        for (int i = 0; i < Logs; ++i)
            test::writeFile(folder.filePath("log" + QString::number(i) + ".7"), "1700000000.5 getpid() = 20 <0.01>\n");
        const auto formats = builtinTraceFormats();
        const auto format = std::ranges::find(formats, std::string_view("call log"), &TraceFormat::name);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE((*format)->find(folder.path().toStdString()).size(), std::size_t(Logs));
        constexpr qint64 Most = 5000; // A search for each log would compare 16 million names.
        QVERIFY2(timer.elapsed() < Most, qPrintable(QString::number(timer.elapsed()) + " ms"));
    }

    void relativeTimesOfSeveralFilesAreDoubted()
    {
        write("rel.20", "0.000000 getpid() = 20 <0.01>\n");
        write("rel.21", "0.000100 getpid() = 20 <0.01>\n");
        QVERIFY(contentOfFile("rel.20").contains("relative-files 1"));
    }

    void logsWithoutTimesAreExplained()
    {
        QCOMPARE(contentOf("read(3, \"\", 5) = 0\nclose(3) = 0\n"),
                 QStringList("the calls have no times; record them with strace -f -ttt -T, or ltrace -f -ttt -T"));
    }

    void otherTextsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("perf script") << QByteArray("my-app  345 [001] 12.345678:     250000 cpu-clock: \n\tffff func+0x1 (a.out)\n\n");
        QTest::newRow("folded") << QByteArray("a;b(int);c 12\na;b(int);d 3\n");
        QTest::newRow("source") << QByteArray("int main()\n{\n    int a = f(3);\n    return a;\n}\n");
        QTest::newRow("prose") << QByteArray("The function f(x) = 5 is constant.\nNothing else.\nAnd so on.\n");
        QTest::newRow("ftrace") << QByteArray("  a-1 [000] d..1 1.000000: sys_exit: NR 1 = 1\n");
        QTest::newRow("a report") << QByteArray("Summary of events:\nThe fair begins at noon.\n");
        QTest::newRow("empty") << QByteArray();
    }
    void otherTextsAreRefused()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(contentOf(text), QStringList("not recognized"));
    }

    /// Property: for any bytes, reading ends and accesses no invalid memory. Run this test with the sanitizers.
    void damagedTextsAreReadWithoutHarm()
    {
        const QByteArray whole =
            "5 1700000000.0 execve(\"/usr/bin/a\", [\"x\"], 0x1 /* 3 vars */) = 0 <0.1>\n"
            "[pid 6] 10:00:00.0 read(0,  <unfinished ...>\n[pid 6] 10:00:00.2 <... read resumed>\"abc\", 3) = 3 <0.15>\n"
            "5 1700000000.7 --- SIGCHLD {si_signo=SIGCHLD} ---\n     1.500 ( 0.011 ms): ls/2344 openat(dfd: CWD) = 3\n";
        for (qsizetype size = 0; size <= whole.size(); ++size)
            contentOf(whole.left(size));
        Dice dice(13);
        int opened = 0;
        for (int round = 0; round < 1000; ++round) {
            contentOf(dice.damaged(whole));
            opened += m_trace != nullptr;
        }
        QVERIFY(opened > 500);
    }

    /// Input: the files that `strace -ff` wrote for three threads. Property: the count and total duration of each call equal the sums over
    /// the lines of all files.
    void durationsOfSeveralFilesAreThoseOfTheirTexts()
    {
        std::map<QString, CallSum> expected;
        QString first;
        for (const char* file : {"ltr.strace-ff.15860", "ltr.strace-ff.15861", "ltr.strace-ff.15862"}) {
            HELIO_REQUIRE_TRACE(path, "ltrace", file);
            first = first.isEmpty() ? path : first;
            QFile text(path);
            QVERIFY(text.open(QIODevice::ReadOnly));
            for (const auto& [name, sum] : sumsOfText(QString::fromUtf8(text.readAll()))) {
                expected[name].count += sum.count;
                expected[name].total += sum.total;
            }
        }
        std::string error;
        const auto trace = openTrace("call log", first.toStdString(), &error);
        QVERIFY2(trace, error.c_str());
        QVERIFY(expected.size() > 10);
        QVERIFY(sumsOfTrace(*trace) == expected);
    }

    /// Input: a log of `strace -k` without durations. Property: each stack of a call is a sample with all of its frames. Stacks after exits
    /// and signals are no samples.
    void stacksAreAsManyAsInTheText()
    {
        HELIO_REQUIRE_TRACE(path, "ltrace", "ltr.strace-k.txt");
        QFile text(path);
        QVERIFY(text.open(QIODevice::ReadOnly));
        int frames = 0;
        int stacks = 0;
        bool wasFrame = false;
        bool isOfCall = true;
        for (const QByteArray& line : text.readAll().split('\n')) {
            const bool isFrame = line.startsWith(" > ");
            isOfCall = isFrame ? isOfCall : !line.contains(" +++ ") && !line.contains(" --- ");
            frames += isFrame && isOfCall;
            stacks += isFrame && !wasFrame && isOfCall;
            wasFrame = isFrame;
        }
        std::string error;
        const auto trace = openTrace("call log", path.toStdString(), &error);
        QVERIFY2(trace, error.c_str());
        QVERIFY(trace->samples());
        int found = 0;
        int foundFrames = 0;
        MergedEvents events(*trace);
        while (events.next()) {
            SampleView sample;
            if (!trace->samples()->read(events.event(), sample))
                continue;
            ++found;
            for (std::uint32_t at = sample.stack; at > 0; at = trace->samples()->stacks()[at].caller)
                ++foundFrames;
        }
        QVERIFY(stacks > 50);
        QCOMPARE(found, stacks);
        QCOMPARE(foundFrames, frames);
    }

    void durationsAreThoseOfTheText_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* file : {"login.strace-f-ttt-T.txt", "ltr.strace-f-tt-T-yy.txt", "sqlite.strace-f-ttt-T.txt",
                                 "ltr.ltrace-ttT-f.txt", "ltr.ltrace-tttT-f.txt", "ltr.ltrace-ttT-f-S.txt", "sqlite.ltrace-ttT-f.txt",
                                 "sqlite.ltrace-S-ttT.txt", "ltr.ltrace-rTin2.txt"})
            QTest::newRow(file) << file;
    }
    /// Input: recorded logs. Property: number and total duration of every call equal the sums over the lines of the text.
    void durationsAreThoseOfTheText()
    {
        QFETCH(QString, file);
        HELIO_REQUIRE_TRACE(path, "ltrace", file);
        QFile text(path);
        QVERIFY(text.open(QIODevice::ReadOnly));
        const auto expected = sumsOfText(QString::fromUtf8(text.readAll()));
        std::string error;

        const auto trace = openTrace("call log", path.toStdString(), &error);

        QVERIFY2(trace, error.c_str());
        QVERIFY(expected.size() > 3);
        auto found = sumsOfTrace(*trace);
        if (!expected.contains("exit")) // exit() does not return, so that its line has no duration; it ends with its thread.
            found.erase("exit");
        for (const auto& [name, sum] : expected) {
            QVERIFY2(found.contains(name), qPrintable(name));
            QCOMPARE(found.at(name).count, sum.count);
            QCOMPARE(found.at(name).total, sum.total);
        }
        QCOMPARE(found.size(), expected.size());
    }
};

HELIO_TEST(CallLogTest)
#include "tst_call_log.moc"
