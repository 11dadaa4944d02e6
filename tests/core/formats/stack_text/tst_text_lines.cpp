#include "core/formats/stack_text/frame_line.h"
#include "core/formats/stack_text/head_line.h"
#include "core/trace/tracepoint/printed_fields.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::stacktext;

namespace {

/// Fields of a sample's head as text: "comm|pid|tid|cpu|time|period|event|rest", with "-" for missing fields.
QString shown(const ParsedSampleHead& head)
{
    const auto text = [](std::string_view part) { return QString::fromUtf8(part.data(), qsizetype(part.size())); };
    return QStringList{text(head.comm),
                       QString::number(head.pid),
                       QString::number(head.tid),
                       QString::number(head.cpu),
                       head.time ? QString::number(*head.time) : "-",
                       head.period ? QString::number(*head.period) : "-",
                       text(head.event),
                       text(head.rest)}
        .join('|');
}

QString shown(const ParsedFrame& frame)
{
    const auto text = [](std::string_view part) { return QString::fromUtf8(part.data(), qsizetype(part.size())); };
    return QStringList{frame.address ? QString::number(*frame.address, 16) : "-", text(frame.function),
                       frame.offset ? QString::number(*frame.offset, 16) : "-", text(frame.module), frame.isInlined ? "inlined" : ""}
        .join('|');
}

} // namespace

class TextLinesTest : public QObject {
    Q_OBJECT

private slots:
    void headsAreReadInAllShapes_data()
    {
        QTest::addColumn<QString>("parts");
        const auto row = [](const char* line, const char* parts) { QTest::newRow(line) << QString(parts); };
        row("matinit  2652 [000]  1739.619353:    1001001 cpu-clock:ppp: ", "matinit|-1|2652|0|1739619353000|1001001|cpu-clock:ppp|");
        row("matinit  2677  1760.211624:    2004008 cpu-clock:ppp: ", "matinit|-1|2677|-1|1760211624000|2004008|cpu-clock:ppp|");
        row("bash  2659/2660  [001]  1744.811044: cpu-clock:ppp: ", "bash|2659|2660|1|1744811044000|-|cpu-clock:ppp|");
        row("bash  2659/ 2660  [001]  1744.811044: cpu-clock:ppp: ", "bash|2659|2660|1|1744811044000|-|cpu-clock:ppp|");
        row("matinit  2652 [000]  1739.619353302:    1001001 cycles:u: ", "matinit|-1|2652|0|1739619353302|1001001|cycles:u|");
        row("Web Content  77 [003] 12.5: 1 cycles: ", "Web Content|-1|77|3|12500000000|1|cycles|");
        row("a [1] 2  77 [003]  12.000001: 1 cycles: ", "a [1] 2|-1|77|3|12000001000|1|cycles|");
        row("[kworker]  5 [000]  1.000000: 1 cycles: ", "[kworker]|-1|5|0|1000000000|1|cycles|");
        row("            perf  4184 [000]  1815.038801: sched:sched_stat_runtime: comm=perf pid=4184",
            "perf|-1|4184|0|1815038801000|-|sched:sched_stat_runtime|comm=perf pid=4184");
        row("         matinit  2652 [000]  1739.619353:    1001001 cpu-clock:ppp:  ffffffff8171352d x+0x1 ([k])",
            "matinit|-1|2652|0|1739619353000|1001001|cpu-clock:ppp|ffffffff8171352d x+0x1 ([k])");
        row(" 1739.619353: ", "|-1|-1|-1|1739619353000|-||");
        row(" 2652  1739.619353: cpu-clock:ppp: ", "|-1|2652|-1|1739619353000|-|cpu-clock:ppp|");
        row("matinit  2652 ", "matinit|-1|2652|-1|-|-||");
        row("matinit  2652 [000] cpu-clock:ppp: ", "matinit|-1|2652|0|-|-|cpu-clock:ppp|");
        row("         matinit  2652    1001001 cpu-clock:ppp: ", "matinit|-1|2652|-1|-|1001001|cpu-clock:ppp|");
        row("swapper     0 [000]     0.000000: PERF_RECORD_FORK(2:3):(0:1)", "swapper|-1|0|0|0|-|PERF_RECORD_FORK|(2:3):(0:1)");
        row("perf 1 [000] 1.000000: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid: 1/2",
            "perf|-1|1|0|1000000000|-|PERF_RECORD_SWITCH_CPU_WIDE| OUT preempt  next pid/tid: 1/2");
        row("forker  9492 K      5175.321019: page-faults: ", "forker|-1|9492|-1|5175321019000|-|page-faults|");
        row("forker  9492/9493 [002] KGg    5175.321019: 1 page-faults: ", "forker|9492|9493|2|5175321019000|1|page-faults|");
        row("a K  9492 Sp     5175.321019: 1 page-faults: ", "a K|-1|9492|-1|5175321019000|1|page-faults|");
        row("forker  9492 U      page-faults: ", "forker|-1|9492|-1|-|-|page-faults|");
        row("forker  9492 U      ", "forker|-1|9492|-1|-|-||");
        row("forker K  5.5: x: ", "forker K|-1|-1|-1|5500000000|-|x|");
        row("ls 7 [000] 2026-11-28 15:30:01.5973 1801.59: 1 x: ", "ls|-1|7|0|1801590000000|1|x|");
        row("ls 7 2026-11-28 15:30:01.5973 x: ", "ls|-1|7|-1|-|-|x|");
        row("#hash 123  1.500000:    1000000 cpu-clock: ", "#hash|-1|123|-1|1500000000|1000000|cpu-clock|");
        row("ls  17.000001:           566707 fun (/bin/x)", "ls|-1|-1|-1|17000001000|-||566707 fun (/bin/x)");
        row("ls  17.000001:    1001001            566707 fun (/bin/x)", "ls|-1|-1|-1|17000001000|1001001||566707 fun (/bin/x)");
        row("              ls           aadcfe f+0x1 (/bin/x)", "ls|-1|-1|-1|-|-||aadcfe f+0x1 (/bin/x)");
        row("              ls   77 [001] ffffffff8162ff76 f ([kernel.kallsyms])", "ls|-1|77|1|-|-||ffffffff8162ff76 f ([kernel.kallsyms])");
        row(":-1    -1 [001]  1.000000: 1 cycles: ", ":-1|-1|-1|1|1000000000|1|cycles|");
    }
    void headsAreReadInAllShapes()
    {
        QFETCH(QString, parts);
        ParsedSampleHead head;

        QVERIFY(parseHead(QTest::currentDataTag(), head));

        QCOMPARE(shown(head), parts);
    }

    void whatIsNoHeadIsNone_data()
    {
        QTest::addColumn<int>("unused");
        for (const char* line :
             {"", "matinit ", "hello: world", "a.b:c", "1.2.3: x", "  initprm.c:38", "x 99999999999 ", "99999999999.0: x"})
            QTest::newRow(line) << 0;
    }
    void whatIsNoHeadIsNone()
    {
        ParsedSampleHead head;

        QVERIFY(!parseHead(QTest::currentDataTag(), head));
    }

    void framesAreReadInAllShapes_data()
    {
        QTest::addColumn<QString>("parts");
        const auto row = [](const char* line, const char* parts) { QTest::newRow(line) << QString(parts); };
        row("\t           9f2f7 __strncasecmp_l+0x7 (/usr/lib/libc.so.6)", "9f2f7|__strncasecmp_l|7|/usr/lib/libc.so.6|");
        row("\tffffffff815e52d7 do_wp_page+0x387 ([kernel.kallsyms])", "ffffffff815e52d7|do_wp_page|387|[kernel.kallsyms]|");
        row("\t           27304 __libc_start_main_impl+0x84 (inlined)", "27304|__libc_start_main_impl|84||inlined");
        row("\t    7f771a2138a8 [unknown] ([unknown])", "7f771a2138a8||-||");
        row("\t          146f2c [unknown] (/usr/bin/perf)", "146f2c||-|/usr/bin/perf|");
        row("\t 1 std::f<int (*)(char)>(int) const+0x1f (/a b/x.so (deleted))",
            "1|std::f<int (*)(char)>(int) const|1f|/a b/x.so (deleted)|");
        row("\t 1 (anonymous namespace)::f(int) (/x)", "1|(anonymous namespace)::f(int)|-|/x|");
        row("\t 1 (anonymous namespace)::f(int)", "1|(anonymous namespace)::f(int)|-||");
        row("\t 1 main", "1|main|-||");
        row("\t 1", "1||-||");
        row("\tmain+0x2", "-|main|2||");
    }
    void framesAreReadInAllShapes()
    {
        QFETCH(QString, parts);
        ParsedFrame frame;

        QVERIFY(parseFrame(QTest::currentDataTag(), frame));

        QCOMPARE(shown(frame), parts);
    }

    void theFrameOfAHeadStandsBehindItsOtherData_data()
    {
        QTest::addColumn<QString>("frame");
        QTest::addColumn<bool>("isPadded");
        const auto row = [](const char* rest, const char* frame, bool isPadded = false) {
            QTest::newRow(rest) << QString(frame) << isPadded;
        };
        row("12 leaf+0x1 (/a)", "12 leaf+0x1 (/a)");
        row("55ff4122f050 end+0x0 (/a) ffffffff81752b6a elf_load+0x28a ([kernel.kallsyms])",
            "ffffffff81752b6a elf_load+0x28a ([kernel.kallsyms])");
        row("7fa7fde01110 data     7fa7fdde87ad f(int) const+0x3d (/x (deleted))", "7fa7fdde87ad f(int) const+0x3d (/x (deleted))");
        row("7f12         5080144 |OP LOAD|BLK  N/A              45         7f00 getNode+0x1 (/lib/b)", "7f00 getNode+0x1 (/lib/b)");
        row("7f00 main+0x10 (/bin/x) => 7f20 foo+0x0 (/bin/x)", "7f00 main+0x10 (/bin/x)");
        row("7f00 main+0x10 (/bin/x) 0x7f00/0x7f20/P/-/-/0  0x7f01/0x7f21/P/-/-/0", "7f00 main+0x10 (/bin/x)");
        row("7f00 main+0x10 (/bin/x)  ABI:2    AX:0x0    BX:0x12", "7f00 main+0x10 (/bin/x)");
        row("7f00 main+0x10 (/bin/x)  insn: 48 89 e5", "7f00 main+0x10 (/bin/x)");
        row("aadcfe f (/bin/x)", "aadcfe f (/bin/x)");
        row("7f00 data (/bin/x)           aadcfe f (/bin/x)", "aadcfe f (/bin/x)");
        row("7f00 add b (/bin/x)", "7f00 add b (/bin/x)"); // The function's name consists of hexadecimal digits, like an address.
        row("7f00 ([unknown])", "7f00 ([unknown])");
        row("7f00", "7f00");
        row("7f00 main", "7f00 main");
        row("no address (/bin/x)", "");
        row("", "");
        row("next_pid=0 next_prio=120 ffffffff8200a0b0 __schedule+0x1 ([kernel.kallsyms])",
            "ffffffff8200a0b0 __schedule+0x1 ([kernel.kallsyms])", true);
        row("NR 231 (0, 7f00, 0)", "", true);
        row("len 12 (of 12)", "", true);
    }
    void theFrameOfAHeadStandsBehindItsOtherData()
    {
        QFETCH(QString, frame);
        QFETCH(bool, isPadded);

        const std::string_view found = frameInHead(QTest::currentDataTag(), isPadded);

        QCOMPARE(QString::fromUtf8(found.data(), qsizetype(found.size())), frame);
    }

    void fieldsOfTracepointsAreRead_data()
    {
        QTest::addColumn<QString>("event");
        QTest::addColumn<QString>("parts");
        const auto row = [](const char* event, const char* text, const char* parts) {
            QTest::newRow(text) << QString(event) << QString(parts);
        };
        row("sched:sched_switch",
            "prev_comm=Web Content prev_pid=18 prev_prio=0 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120",
            "prev_comm='Web Content' prev_pid=18 prev_prio=0 prev_state=256 next_comm='swapper/0' next_pid=0 next_prio=120");
        row("sched:sched_switch", "migration/0:18 [0] S ==> swapper/0:0 [120]",
            "prev_comm='migration/0' prev_pid=18 prev_prio=0 prev_state=1 next_comm='swapper/0' next_pid=0 next_prio=120");
        row("sched:sched_switch", "a:18 [0] Z ==> b:2 [120]",
            "prev_comm='a' prev_pid=18 prev_prio=0 prev_state=16 next_comm='b' next_pid=2 next_prio=120");
        row("sched:sched_switch", "a:18 [0] W ==> b:2 [120]",
            "prev_comm='a' prev_pid=18 prev_prio=0 prev_state=128 next_comm='b' next_pid=2 next_prio=120");
        row("sched:sched_switch", "a:18 [0] R ==> b:2 [120]",
            "prev_comm='a' prev_pid=18 prev_prio=0 prev_state=0 next_comm='b' next_pid=2 next_prio=120");
        row("sched:sched_stat_runtime", "comm=12 pid=4184 runtime=55513 [ns]", "comm='12' pid=4184 runtime=55513");
        row("raw_syscalls:sys_enter", "NR 231 (0, 7f00, 0)", "id=231 args='(0, 7f00, 0)'");
        row("raw_syscalls:sys_exit", "NR 0 = -11", "id=0 ret=-11");
        row("irq:softirq_entry", "vec=1 [action=TIMER]", "vec=1");
        row("irq:irq_handler_exit", "irq=24 ret=handled", "irq=24 ret=1");
        row("irq:irq_handler_exit", "irq=24 ret=unhandled", "irq=24 ret=0");
        row("x:y", "free words, a = b", "text='free words, a = b'");
        row("x:y", "=1 = =", "text='=1 = ='");
        row("x:y", "a=0x1f b= c=x=y", "a=31 b='' c='x=y'");
    }
    void fieldsOfTracepointsAreRead()
    {
        QFETCH(QString, event);
        QFETCH(QString, parts);
        std::vector<StoredField> fields;

        tracepoint::parsePrintedFields(event.toStdString(), QTest::currentDataTag(), fields);

        QStringList all;
        for (const StoredField& field : fields) {
            const QString text = QString::fromUtf8(field.text.data(), qsizetype(field.text.size()));
            all << QString::fromUtf8(field.name.data(), qsizetype(field.name.size())) + '='
                    + (field.isNumber() ? QString::number(field.number) : '\'' + text + '\'');
        }
        QCOMPARE(all.join(' '), parts);
    }
};

HELIO_TEST(TextLinesTest)
#include "tst_text_lines.moc"
