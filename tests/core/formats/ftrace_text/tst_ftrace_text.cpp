#include "tests/support/dice.h"
#include "tests/support/open_trace.h"
#include "tests/support/printed_fields.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

/// Input: texts as the kernel, systrace and trace-cmd print them.
class FtraceTextTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<const Trace> open(const QByteArray& text)
    {
        QFile file(m_folder.filePath("trace.txt"));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(text) != text.size())
            qFatal("cannot write");
        file.close();
        m_error.clear();
        return openTrace("ftrace text", m_folder.filePath("trace.txt").toStdString(), &m_error);
    }

    /// Returns the events and losses of a text in time order, a line each, and after them the messages.
    QStringList contentOf(const QByteArray& text)
    {
        m_trace = open(text);
        if (!m_trace)
            return {m_error.empty() ? QString("not recognized") : QString::fromStdString(m_error)};
        QStringList lines;
        const auto takeLosses = [&](MergedEvents& events) {
            for (const Loss& loss : events.takeLosses())
                lines << printLoss(loss);
        };
        MergedEvents events(*m_trace);
        while (events.next()) {
            takeLosses(events);
            lines << printEvent(events.event());
        }
        takeLosses(events);
        for (const Diagnostic& diagnostic : m_trace->diagnostics())
            lines << QString::fromStdString(diagnostic.kind + " " + std::to_string(diagnostic.count) + ": " + diagnostic.what);
        return lines;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Trace> m_trace;
    std::string m_error;

private slots:
    void linesOfAllKindsAreRead_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("event");
        const auto row = [](const char* name, const char* line, const char* event) {
            QTest::newRow(name) << QByteArray(line) << QString(event);
        };
        row("with process and flags", "            bash-3091    (   3091) [000] d..2.  4233.397277: irq_handler_exit: irq=1 ret=handled",
            "4233397277000 [0] irq_handler_exit pid=3091 tid=3091 flags=d..2.: irq=1 ret=1");
        row("unknown process", "           <...>-19161 (-----) [001] ...1 683201.354908: cpu_idle: state=4294967295 cpu_id=1",
            "683201354908000 [1] cpu_idle tid=19161 flags=...1: state=4294967295 cpu_id=1");
        row("unknown process, wide", "          <idle>-0       (-------) [001] ...1.    93.872158: cpu_idle: state=1 cpu_id=1",
            "93872158000 [1] cpu_idle tid=0 flags=...1.: state=1 cpu_id=1");
        row("old kernel without flags", "   kworker/0:0-13696 [000] 50260.647590: sched_wakeup: comm=a-1 [0] pid=95 success=1",
            "50260647590000 [0] sched_wakeup tid=13696: comm=a-1 [0] pid=95 success=1");
        row("trace-cmd", "         mixwork-400   [013]    63.630351: sys_exit:             NR 1 = 1",
            "63630351000 [13] sys_exit tid=400: id=1 ret=1");
        row("ns", "  a-1 [000] 63.630351017: sys_exit: NR 1 = -11", "63630351017 [0] sys_exit tid=1: id=1 ret=-11");
        row("name with dashes, blanks and brackets", " my [1] -app-2 x-77 [000] .... 1.000000: print: hello there",
            "1000000000 [0] print tid=77 flags=....: buf=hello there");
        row("marker of a program", "  a-1 [000] ..... 1.5: tracing_mark_write: B|12|frame: a",
            "1500000000 [0] print tid=1 flags=.....: ip=tracing_mark_write buf=B|12|frame: a");
        row("marker of a program, trace-cmd", "  a-1 [000] 1.5: print:                tracing_mark_write: B|12|frame: a",
            "1500000000 [0] print tid=1: ip=tracing_mark_write buf=B|12|frame: a");
        row("call, trace-cmd", "  a-1 [000] 1.5: funcgraph_entry:                   |  do_one() {",
            "1500000000 [0] funcgraph_entry tid=1: func=do_one");
        row("end of a call, trace-cmd", "  a-1 [000] 1.5: funcgraph_exit:       + 11.382 us   |  }",
            "1500000000 [0] funcgraph_exit tid=1:");
        row("counter clock", "  a-1 [000] d..1 4711: sys_exit: NR 1 = 1", "4711 [0] sys_exit tid=1 flags=d..1: id=1 ret=1");
        row("switch of a latency tracer", "  a-1 [000] d..1 1.000001:     12:120:S ==> [003]  2448: 94:R a sleeper",
            "1000001000 [0] context_switch tid=1 flags=d..1: prev_pid=12 prev_prio=120 prev_state=S next_cpu=3 next_pid=2448 next_prio=94 "
            "next_state=R next_comm=a sleeper");
        row("option fields",
            "  a-1 [000] d..2. 1.5: sched_switch: prev_comm=a prev_pid=0x1 (1) prev_state=0x80 (128) next_comm=b next_pid=0x4165 (16741)",
            "1500000000 [0] sched_switch tid=1 flags=d..2.: prev_comm=a prev_pid=1 prev_state=128 next_comm=b next_pid=16741");
        row("option fields, negative", "  a-1 [000] ..... 1.5: sys_exit_read: __syscall_nr=0x0 (0) ret=0xfffffffffffffffe (-2) buf=(0x10)",
            "1500000000 [0] sys_exit_read tid=1 flags=.....: __syscall_nr=0 ret=-2 buf=(0x10)");
        row("system call", "  a-1 [000] ..... 1.5: sys_read(fd: 3, buf: 55aa, count: 400)",
            "1500000000 [0] sys_enter_read tid=1 flags=.....: args=fd: 3, buf: 55aa, count: 400");
        row("futex", "  a-1 [000] ..... 1.5: sys_futex(uaddr: 0x10, op: 0x80, val: 2, utime: 0, uaddr2: 0, val3: 0)",
            "1500000000 [0] sys_enter_futex tid=1 flags=.....: args=uaddr: 0x10, op: 0x80, val: 2, utime: 0, uaddr2: 0, val3: 0 uaddr=16 "
            "op=128 val=2");
        row("futex of an older kernel", "  a-1 [000] ..... 1.5: sys_futex(uaddr: 10, op: 81, val: 1f)",
            "1500000000 [0] sys_enter_futex tid=1 flags=.....: args=uaddr: 10, op: 81, val: 1f uaddr=16 op=129 val=31");
        row("end of a system call", "  a-1 [000] ..... 1.5: sys_read -> 0xfffffffffffffff5",
            "1500000000 [0] sys_exit_read tid=1 flags=.....: ret=-11");
        row("system call without arguments", "  a-1 [000] ..... 1.5: sys_getpid()",
            "1500000000 [0] sys_enter_getpid tid=1 flags=.....: args=");
        row("switch",
            " a b-1 [000] d..3 1.5: sched_switch: prev_comm=a b prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 "
            "next_prio=120",
            "1500000000 [0] sched_switch tid=1 flags=d..3: prev_comm=a b prev_pid=1 prev_prio=120 prev_state=256 next_comm=swapper/0 "
            "next_pid=0 "
            "next_prio=120");
    }
    void linesOfAllKindsAreRead()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, event);
        QCOMPARE(contentOf("# tracer: nop\n#\n" + line + "\n"), QStringList(event));
        QCOMPARE(contentOf(line), QStringList(event));
    }

    /// Input: text of the function_graph tracer with times; the thread is in a column or in separate lines. Property: each call has an
    /// entry event and an exit event. The exit of a call without callees follows its entry by the printed duration, but is not later than
    /// the CPU's next line.
    void callsOfTheGraphTracerAreEntriesAndExits()
    {
        const QStringList calls{
            "1000001000 [0] funcgraph_entry tid=12: func=outer",    "1000002000 [0] funcgraph_entry tid=12: func=leaf",
            "1000002119 [0] funcgraph_exit tid=12: func=leaf",      "1000003000 [0] funcgraph_entry tid=12: func=long_leaf",
            "1000004000 [0] funcgraph_exit tid=12: func=long_leaf", "1000004000 [0] funcgraph_exit tid=12: func=outer",
            "1000005000 [1] funcgraph_entry tid=0: func=idle",      "1000005050 [1] funcgraph_exit tid=0: func=idle"};
        QCOMPARE(contentOf("# tracer: function_graph\n#\n"
                           "    1.000001 |   0) my-app-12     |               |  outer() {\n"
                           "    1.000002 |   0) my-app-12     |   0.119 us    |    leaf();\n"
                           "    1.000003 |   0) my-app-12     | + 77.119 us   |    long_leaf();\n"
                           "    1.000004 |   0) my-app-12     |   3.000 us    |  } /* outer */\n"
                           "    1.000005 |   1)  <idle>-0     |   0.050 us    |  idle();\n"),
                 calls);
        QCOMPARE(contentOf("# tracer: function_graph\n#\n"
                           " ------------------------------------------\n"
                           " 0)   b-5   =>  my-app-12\n"
                           " ------------------------------------------\n\n"
                           " 1)   b-5   =>  <idle>-0\n"
                           "    1.000001 |   0)               |  outer() {\n"
                           "    1.000002 |   0)   0.119 us    |    leaf();\n"
                           "    1.000003 |   0) ! 177.119 us  |    long_leaf();\n"
                           "    1.000004 |   0)   3.000 us    |  } /* outer */\n"
                           "    1.000005 |   1)   0.050 us    |  idle(); /* ret=0x0 */\n"),
                 calls);
    }

    /// Property: an event of the function tracer has the function and its caller, as in trace.dat. A message says that there are no
    /// durations.
    void entriesOfTheFunctionTracerHaveTheirCaller()
    {
        const QStringList lines = contentOf("# tracer: function\n#\n  a-1 [000] d..1 1.000001: do_one <-do_two\n"
                                            "  a-1 [000] d..1 1.000002: do_more(a=1, b=2) <-do_one\n"
                                            "  a-1 [000] 1.000003: function:             do_three <-- do_one\n");
        QCOMPARE(lines.mid(0, 3),
                 QStringList({"1000001000 [0] function tid=1 flags=d..1: ip=do_one parent_ip=do_two",
                              "1000002000 [0] function tid=1 flags=d..1: ip=do_more(a=1, b=2) parent_ip=do_one",
                              "1000003000 [0] function tid=1: ip=do_three parent_ip=do_one"}));
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[3].startsWith("function-entries 1: ") && lines[3].contains("function_graph"));
    }

    /// Property: the functions of a stack are in one event, innermost first.
    void stacksAreEvents()
    {
        QCOMPARE(contentOf("  a-1 [000] 1.0: x: y=1\n  a-1 [000] 1.5: <stack trace>\n => do_one\n => do_two\n  a-1 [000] 2.0: x: y=1\n"
                           "  a-1 [000] 3.0: kernel_stack:         <stack trace >\n=> do_one (ffffffff81000000)\n"),
                 QStringList({"1000000000 [0] x tid=1: y=1", "1500000000 [0] kernel_stack tid=1: caller=do_one <- do_two",
                              "2000000000 [0] x tid=1: y=1", "3000000000 [0] kernel_stack tid=1: caller=do_one"}));
    }

    /// Input: texts of latency tracers. Property: times count from the start of the latency; its length and place are facts of the trace.
    void latencyTracersHaveRelativeTimes()
    {
        const QByteArray head = "# tracer: irqsoff\n#\n# irqsoff latency trace v1.1.5 on 6.1.0\n"
                                "# --------------------------------------------------------------------\n"
                                "# latency: 259 us, #4/6, CPU#2 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)\n#    -----------------\n"
                                "#    | task: ps-6143 (uid:0 nice:0 policy:0 rt_prio:0)\n#    -----------------\n"
                                "#  => started at: do_lock\n#  => ended at:   do_unlock\n#\n#\n"
                                "#                    _------=> CPU#\n#     \\   /        |||||  \\    |   /\n";
        const QStringList lines = contentOf(head
                                            + "  <idle>-0         2d...    0us!: trace_off <-do_lock\n"
                                              "my ps-6143      12dNh1.  259us+: trace_on <-do_unlock\n"
                                              "      ps-6143    2d..1  263us : sched_wakeup: comm=b pid=5 prio=1 target_cpu=000\n"
                                              "      ps-6143    2d..3  264us#:   6143:120:R   + [001]    12:  9:S b\n"
                                              "      ps-6143    2d..1  306us : <stack trace>\n => do_one\n => do_two\n");
        QCOMPARE(lines.mid(0, 5),
                 QStringList(
                     {"0 [2] function tid=0 flags=d...: ip=trace_off parent_ip=do_lock",
                      "259000 [12] function tid=6143 flags=dNh1.: ip=trace_on parent_ip=do_unlock",
                      "263000 [2] sched_wakeup tid=6143 flags=d..1: comm=b pid=5 prio=1 target_cpu=0",
                      "264000 [2] wakeup tid=6143 flags=d..3: prev_pid=6143 prev_prio=120 prev_state=R next_cpu=1 next_pid=12 next_prio=9 "
                      "next_state=S next_comm=b",
                      "306000 [2] kernel_stack tid=6143 flags=d..1: caller=do_one <- do_two"}));
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines.filter("overwritten 2").size(), 1);
        QCOMPARE(lines.filter("function-entries 1").size(), 1);
        const TraceInfo& info = m_trace->info();
        QCOMPARE(info.text("tracer"), std::string("irqsoff"));
        QCOMPARE(info.text("max_latency"), std::string("259 us"));
        QCOMPARE(info.text("latency_task"), std::string("ps-6143 (uid:0 nice:0 policy:0 rt_prio:0)"));
        QCOMPARE(info.text("latency_started_at"), std::string("do_lock"));
        QCOMPARE(info.text("latency_ended_at"), std::string("do_unlock"));
        QVERIFY(!info.clock.isAbsolute);
        QVERIFY(QString::fromStdString(info.clock.description).startsWith("since the start of the latency"));

        QCOMPARE(contentOf(head
                           + "        0 us |   0)   bash-1507    |  d... |   0.119 us    |  do_one();\n"
                             "       61 us |   0)   bash-1507    |  d..1 | + 15.2 us     |  } /* do_two */\n")
                     .mid(0, 3),
                 QStringList({"0 [0] funcgraph_entry tid=1507 flags=d...: func=do_one",
                              "119 [0] funcgraph_exit tid=1507 flags=d...: func=do_one",
                              "61000 [0] funcgraph_exit tid=1507 flags=d..1: func=do_two"}));
    }

    void callsWithoutTimesAreNamed()
    {
        const QStringList lines = contentOf("# tracer: function_graph\n#\n 0)               |  outer() {\n 0)   3.000 us    |  }\n");
        QCOMPARE(lines.size(), 1);
        QVERIFY(lines.front().startsWith("graph-without-time 2"));
    }

    /// Property: a loss lies between the CPU's events around its line; the others are named.
    void lossesAreGapsOfTheirCpu()
    {
        const auto event = [](int cpu, int second) {
            return "  a-1 [00" + QByteArray::number(cpu) + "] d..1 " + QByteArray::number(second) + ".000000: x: y=1\n";
        };
        const QStringList lines =
            contentOf("# tracer: nop\n# entries-in-buffer/entries-written: 5/12   #P:2\nCPU:1 [LOST 7 EVENTS]\n" + event(0, 1) + event(1, 2)
                      + "CPU:0 [LOST 34 EVENTS]\n" + event(1, 3) + event(0, 4) + "CPU:1 [LOST 2 EVENTS]\n" + event(0, 5));

        QCOMPARE(lines.filter("lost "),
                 QStringList({"lost 34 in 1000000000..4000000000 [0]", "lost 2 in 3000000000..5000000001 [1]"})
                     + lines.filter("were lost before"));
        QCOMPARE(lines.filter("overwritten 7").size(), 1);
        QCOMPARE(lines.filter("lost-before 7").size(), 1);
        QCOMPARE(lines.filter("] x ").size(), 5);
    }

    void lossesArePrintedInFourForms()
    {
        for (const auto& [line, count] : {std::pair("CPU:0 [LOST 34 EVENTS]", 34), std::pair("CPU:0 [LOST EVENTS]", 0),
                                          std::pair("CPU:0 [34 EVENTS DROPPED]", 34), std::pair("CPU:0 [EVENTS DROPPED]", 0)}) {
            const QStringList lines = contentOf(QByteArray("  a-1 [000] 1.000000: x: y=1\n") + line + "\n  a-1 [000] 2.000000: x: y=1\n");
            QCOMPARE(lines.filter("lost"), QStringList(QString("lost %1 in 1000000000..2000000000 [0]").arg(count)));
            QCOMPARE(lines.size(), 3);
        }
    }

    void systracePagesAreRead()
    {
        const QByteArray page =
            "<!DOCTYPE html>\n<script>var x = '[000] not an event';</script>\n"
            "<script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n#\n  a-1 [000] d..1 1.000000: x: y=1\n"
            "</script>\n<p>  a-1 [000] d..1 2.000000: x: y=1</p>\n";
        QCOMPARE(contentOf(page), QStringList("1000000000 [0] x tid=1 flags=d..1: y=1"));
        const QByteArray old = "# tracer: nop\\n\\\n#\\n\\\n  a-1 [000] 1.000000: x: y=1\\n\\\n";
        QCOMPARE(contentOf(old), QStringList("1000000000 [0] x tid=1: y=1"));
    }

    /// Property: the marker of atrace ties the clock to the wall clock.
    void clockSyncMarkerAnchorsTimes()
    {
        const QStringList lines = contentOf("  a-1 [000] d..1 10.000000: x: y=1\n  a-1 [000] d..1 10.500000: tracing_mark_write: "
                                            "trace_event_clock_sync: realtime_ts=1700000000123\n");
        QCOMPARE(lines.front(), QString("1699999999623000000 [0] x tid=1 flags=d..1: y=1"));
        QVERIFY(m_trace->info().clock.isAbsolute);
        QCOMPARE(m_trace->info().clock.offset, std::int64_t(1700000000123) * 1'000'000 - 10'500'000'000);
    }

    /// Property: where no event names threads, the names before the events do.
    void namesComeFromLinesWithoutSwitches()
    {
        const QByteArray line = "  worker-7 (12) [000] d..1 1.000000: x: y=1\n   <...>-8 [000] d..1 2.000000: x: y=1\n";
        contentOf(line);
        QCOMPARE(m_trace->processRecords().size(), std::size_t(1));
        QCOMPARE(m_trace->processRecords()[0].name, std::string("worker"));
        QCOMPARE(m_trace->processRecords()[0].pid, 12);
        contentOf(line
                  + " worker-7 [000] d..3 3.0: sched_switch: prev_comm=a prev_pid=7 prev_prio=1 prev_state=S ==> next_comm=b next_pid=8 "
                    "next_prio=1\n");
        QVERIFY(m_trace->processRecords().empty());
    }

    void otherLinesAreCounted()
    {
        const QStringList lines =
            contentOf("# tracer: nop\n  a-1 [000] d..1 1.0: x: y=1\n 0)   0.123 us    |  func\n 0)   0.123 us    |  func\n");
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[1].startsWith("unknown-line 2: line 3: not the line of an event: \"0)   0.123 us"));
    }

    void textsOfOtherFormatsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("perf script") << QByteArray("my-app  345 [001] 12.345678:     250000 cpu-clock: \n\tffff func+0x1 (a.out)\n\n");
        QTest::newRow("folded") << QByteArray("a;b;c 12\n");
        QTest::newRow("prose") << QByteArray("This text [1] mentions: brackets\n");
        QTest::newRow("strace") << QByteArray("123 12:00:01.123456 read(3, \"[000] \", 5) = 5\n");
        QTest::newRow("empty") << QByteArray();
    }
    void textsOfOtherFormatsAreRefused()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(contentOf(text), QStringList("not recognized"));
    }

    /// Property: for any bytes, reading ends and accesses no invalid memory. Run this test with the sanitizers.
    void damagedTextsAreReadWithoutHarm()
    {
        const QByteArray whole =
            "# tracer: nop\n# entries-in-buffer/entries-written: 5/12   #P:2\n  a-1 (2) [000] d..1 1.000000: x: y=1\n"
            "CPU:0 [LOST 34 EVENTS]\n  a-1 [000] d..3 3.0: sched_switch: prev_comm=a prev_pid=7 prev_prio=1 prev_state=S ==> "
            "next_comm=b next_pid=8 next_prio=1\n  a-1 [0] 5: sys_enter: NR 1 (1, 2)\n# latency: 259 us, #4/6\n"
            "  a-1  2d..1  6us+: f <-g\n  a-1  2d..1  7us : <stack trace>\n => f\n  a-1  2d..1  8us!: 1:2:R ==> [3] 4: 5:S b\n";
        for (qsizetype size = 0; size <= whole.size(); ++size)
            contentOf(whole.left(size));
        Dice dice(11);
        int opened = 0;
        for (int round = 0; round < 1000; ++round) {
            contentOf(dice.damaged(whole));
            opened += m_trace != nullptr;
        }
        QVERIFY(opened > 500);
    }
};

HELIO_TEST(FtraceTextTest)
#include "tst_ftrace_text.moc"
