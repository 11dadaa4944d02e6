#include "core/experiment/timeline.h"
#include "core/query/filters/expression.h"
#include "tests/core/formats/trace_dat/made_trace_dat_reader.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace helio;

namespace {

/// Returns the events' texts, a line each; "-" for an event without a text.
QStringList textsOf(const Trace& trace)
{
    QStringList lines;
    const auto texts = trace.makeEventTexts();
    MergedEvents events(trace);
    while (events.next()) {
        std::string text;
        lines << (texts->append(text, events.event()) ? QString::fromStdString(text) : "-");
    }
    return lines;
}

} // namespace

/// Input: files of trace-cmd built byte by byte, with print formats.
class TraceDatTextsTest : public QObject, private MadeTraceDatReader {
    Q_OBJECT

private slots:
    /// Property: texts follow the print formats, with the names of the kernel's functions and the formats of trace_printk().
    void textsFollowPrintFormats()
    {
        for (const int version : {6, 7}) {
            for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
                MadeTraceDat made = madeFile(order);
                made.version = version;
                made.symbols = "ffffffff81000000 T first\nffffffff81000100 t second\nffffffff81000200 T _etext\n";
                made.printkFormats = "0xffffffff82000000 : \"x=%d %s\\n\"\n0xffffffff82000010 : \"\"\nbad\n0x\n : \n";
                made.ftraceFormats.push_back(MadeTraceDat::format("bprint", 6,
                                                                  "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
                                                                  "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
                                                                  "\tfield:u32 buf;\toffset:24;\tsize:0;\tsigned:0;\n",
                                                                  "\"%ps: %s\", (void *)REC->ip, REC->fmt"));
                made.formats = {
                    MadeTraceDat::format("mark", SwitchId,
                                         "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
                                         "\tfield:char next_comm[16];\toffset:12;\tsize:16;\tsigned:0;\n",
                                         "\"%s goes on as %03d, a %s\", REC->next_comm, REC->next_pid, "
                                         "__print_symbolic(REC->next_pid, { 8, \"worker\" }, { 9, \"boss\" })"),
                    MadeTraceDat::format("function", 400, "\tfield:void * where;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%pS\", REC->where")};
                const QByteArray symbol = MadeBytes(order).u16(400).u16(0).u32(1).u64(0xffffffff81000104).bytes;
                const QByteArray printk =
                    MadeBytes(order).u16(6).u16(0).u32(1).u64(0xffffffff81000108).u64(0xffffffff82000000).u32(42).raw("yes\0").u8(0).bytes;
                made.instances = {{"",
                                   "mono",
                                   {{0,
                                     MadeRingPage(1000, order)
                                         .event(10, switchData(order, 7, 8, "work"))
                                         .event(10, symbol)
                                         .largeEvent(10, printk)
                                         .event(10, switchData(order, 7, 9, "b"))
                                         .bytes()}}}};

                const auto trace = open(made.bytes());

                QVERIFY2(trace, m_error.c_str());
                QCOMPARE(textsOf(*trace),
                         QStringList({"work goes on as 008, a worker", "second+0x4", "second: x=42 yes", "b goes on as 009, a boss"}));
            }
        }
    }

    /// Property: the events of ftrace's own tracers have the texts of `trace-cmd report`; calls of the function graph tracer, which
    /// trace-cmd prints as a tree, have the times, nesting and names of that tree.
    void eventsOfTracersAreThoseOfTraceCmd()
    {
        if (QStandardPaths::findExecutable("trace-cmd").isEmpty())
            QSKIP("trace-cmd is missing");
        MadeTraceDat made = madeFile();
        made.symbols = "ffffffff81000000 T do_one\nffffffff81000100 t do_two\nffffffff81000200 T do_three\n"
                       "ffffffff81000300 T tracing_mark_write\nffffffff81000400 T _etext\n";
        made.printkFormats = "0xffffffff82000000 : \"x=%d s=%s l=%lx\\n\"\n0xffffffff82000010 : \"just puts\\n\"\n";
        const QByteArray address = "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n";
        const QByteArray schedule = "\tfield:unsigned int prev_pid;\toffset:8;\tsize:4;\tsigned:0;\n"
                                    "\tfield:unsigned int next_pid;\toffset:12;\tsize:4;\tsigned:0;\n"
                                    "\tfield:unsigned char prev_state;\toffset:16;\tsize:1;\tsigned:0;\n";
        const QByteArray call = "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
                                "\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n";
        made.ftraceFormats = {
            MadeTraceDat::format("function", 1, address + "\tfield:unsigned long parent_ip;\toffset:16;\tsize:8;\tsigned:0;\n",
                                 "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip"),
            MadeTraceDat::format("context_switch", 2, schedule, "\"%u:%u  ==+ %u\", REC->prev_pid, REC->prev_state, REC->next_pid"),
            MadeTraceDat::format("wakeup", 3, schedule, "\"%u:%u  ==+ %u\", REC->prev_pid, REC->prev_state, REC->next_pid"),
            MadeTraceDat::format("print", 5, address + "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n",
                                 "\"%ps: %s\", (void *)REC->ip, REC->buf"),
            MadeTraceDat::format("bprint", 6,
                                 address
                                     + "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
                                       "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n",
                                 "\"%ps: %s\", (void *)REC->ip, REC->fmt"),
            MadeTraceDat::format("bputs", 14, address + "\tfield:const char * str;\toffset:16;\tsize:8;\tsigned:0;\n",
                                 "\"%ps: %s\", (void *)REC->ip, REC->str"),
            MadeTraceDat::format("funcgraph_entry", 11, call, "\"--> %ps (%d)\", (void *)REC->func, REC->depth"),
            MadeTraceDat::format("funcgraph_exit", 10,
                                 call
                                     + "\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n"
                                       "\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
                                       "\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n",
                                 "\"<-- %ps (%d)\", (void *)REC->func, REC->depth")};
        constexpr std::uint64_t Start = 1'000'000'000;
        const auto of = [](int id) { return MadeBytes().u16(std::uint64_t(id)).u16(0).u32(12); };
        const auto function = [](int number) { return 0xffffffff81000000 + std::uint64_t(number) * 0x100; };
        std::uint64_t now = Start;
        MadeRingPage page(Start);
        const auto enter = [&](std::uint64_t after, int number, int depth) {
            now += after;
            page.event(after, of(11).u64(function(number)).u32(std::uint64_t(depth)).bytes);
        };
        const auto leave = [&](std::uint64_t after, int number, int depth, std::uint64_t begin) {
            now += after;
            page.event(after, of(10).u64(function(number)).u32(std::uint64_t(depth)).u32(0).u64(begin).u64(now).bytes);
        };
        enter(1000, 0, 0);
        enter(1000, 1, 1);
        leave(119, 1, 1, now);
        enter(881, 2, 1);
        enter(100, 1, 2);
        leave(200, 1, 2, now);
        leave(11'700, 2, 1, Start + 3000);
        leave(1000, 0, 0, Start + 1000);
        page.event(10, of(1).u64(function(0) + 4).u64(function(1) + 9).bytes)
            .event(10, of(2).u32(12).u32(13).u8(1).u8(0).u16(0).bytes)
            .event(10, of(3).u32(12).u32(13).u8(0).u8(0).u16(0).bytes)
            .event(10, of(5).u64(function(3)).raw(QByteArray("B|12|frame one\n\0", 16)).bytes)
            .event(10, of(6).u64(function(0) + 4).u64(0xffffffff82000000).u32(42).raw(QByteArray("hey\0", 4)).u64(0xabc).bytes)
            .event(10, of(14).u64(function(0) + 4).u64(0xffffffff82000010).bytes);
        made.instances = {{"", "local", {{0, page.bytes()}}}};

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        QProcess process;
        process.start("trace-cmd", {"report", "-t", m_folder.filePath("trace.dat")});
        QVERIFY(process.waitForFinished());
        const QByteArray printed = process.readAllStandardOutput();
        QStringList theirs;
        static const QRegularExpression line(R"re(\.(\d{9}): (\w+):\s*(.*)$)re");
        for (const QString& it : QString::fromUtf8(printed).split('\n'))
            if (const auto match = line.match(it); match.hasMatch() && !match.captured(2).startsWith("funcgraph"))
                theirs << match.captured(1) + ' ' + match.captured(2) + ' ' + match.captured(3);
        QFile text(m_folder.filePath("report.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write(printed) == printed.size());
        text.close();
        const auto report = openTrace("ftrace text", m_folder.filePath("report.txt").toStdString());
        QVERIFY(report);
        QStringList callsOfReport;
        MergedEvents reported(*report);
        while (reported.next())
            if (const EventView& event = reported.event(); event.type->name.starts_with("funcgraph")) {
                const auto fields = decodeSection(event, Section::Payload);
                callsOfReport << QString("%1 %2 %3")
                                     .arg(nanoseconds(event.time()))
                                     .arg(QString::fromStdString(event.type->name))
                                     .arg(fields.empty() ? QString("?") : QString::fromStdString(displayText(fields[0].value)));
            }
        QStringList ours;
        QStringList calls;
        const auto texts = trace->makeEventTexts();
        MergedEvents events(*trace);
        while (events.next()) {
            const EventView& event = events.event();
            const QString name = QString::fromStdString(event.type->name);
            const qint64 time = nanoseconds(event.time());
            std::string own;
            QVERIFY(texts->append(own, event));
            if (!name.startsWith("funcgraph")) {
                ours << QString("%1 %2 %3").arg(time % 1'000'000'000, 9, 10, QChar('0')).arg(name, QString::fromStdString(own));
                continue;
            }
            const auto fields = decodeSection(event, Section::Payload);
            const auto address = std::get<std::uint64_t>(fields[0].value.value);
            // trace-cmd prints the ends of calls with callees without a name.
            const bool isNamed = callsOfReport.value(calls.size()).endsWith('?');
            calls
                << QString("%1 %2 %3").arg(time).arg(name).arg(isNamed ? QString("?") : QString::fromUtf8(trace->kernelFunction(address)));
        }
        QCOMPARE(theirs.size(), 6);
        QCOMPARE(ours, theirs);
        QCOMPARE(calls.size(), 8);
        QCOMPARE(calls.filter("?").size(), 2);
        QCOMPARE(calls, callsOfReport);
    }

    /// Property: a function ends at the next symbol of the kernel or of its module. Addresses behind the last one have no name.
    void kernelFunctionsEndAtTheNextSymbol()
    {
        MadeTraceDat made = madeFile();
        made.symbols = "ffffffff81000000 T do_one\nffffffff81000100 t do_two\nffffffff81000200 D data\nffffffff81000300 T do_last\n"
                       "ffffffff81000310 T _etext\nffffffffa0000000 t in_module\t[m]\nffffffffa0000100 t last_of_module\t[m]\n"
                       "ffffffffb0000000 t in_other\t[n]\n";
        made.instances = {{"", "mono", {{0, MadeRingPage(1000).event(10, switchData(ByteOrder::Little, 7, 8, "a")).bytes()}}}};
        const auto trace = open(made.bytes());
        QVERIFY2(trace, m_error.c_str());
        const auto nameAt = [&](std::uint64_t at) { return QString::fromUtf8(trace->kernelFunction(at)); };
        QCOMPARE(nameAt(0xffffffff810001ff), "do_two");
        QCOMPARE(nameAt(0xffffffff81000200), "");
        QCOMPARE(nameAt(0xffffffff8100030f), "do_last");
        QCOMPARE(nameAt(0xffffffff81000310), "");
        QCOMPARE(nameAt(0xffffffff90000000), "");
        QCOMPARE(nameAt(0xffffffffa00000ff), "in_module");
        QCOMPARE(nameAt(0xffffffffa0000fff), "last_of_module");
        QCOMPARE(nameAt(0xffffffffa0001100), "");
        QCOMPARE(nameAt(0xffffffffb0001000), "");
        QCOMPARE(nameAt(0xffffffff80ffffff), "");
    }

    /// Property: an event of the function tracer is found by the names of its function and caller, which its fields contain as addresses.
    /// A message says that there are no durations.
    void entriesOfTheFunctionTracerAreFoundByName()
    {
        MadeTraceDat made = madeFile();
        made.symbols = "ffffffff81000000 T do_one\nffffffff81000100 t do_two\nffffffff81000200 T _etext\n";
        const QByteArray address = "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
                                   "\tfield:unsigned long parent_ip;\toffset:16;\tsize:8;\tsigned:0;\n";
        made.ftraceFormats = {MadeTraceDat::format("function", 1, address, "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip")};
        const auto entry = [](std::uint64_t ip, std::uint64_t parent) {
            return MadeBytes().u16(1).u16(0).u32(12).u64(ip).u64(parent).bytes;
        };
        MadeRingPage page(1000);
        page.event(10, entry(0xffffffff81000004, 0xffffffff81000109)).event(10, entry(0xffffffff81000104, 0xffffffff81000010));
        made.instances = {{"", "local", {{0, page.bytes()}}}};
        const auto trace = open(made.bytes());
        QVERIFY2(trace, m_error.c_str());

        QCOMPARE(messagesOf(*trace), QStringList("function-entries 1"));
        // The texts are those of trace-cmd report, which indents a function below its caller.
        QCOMPARE(textsOf(*trace), QStringList({"do_one", "   do_two"}));
        Timeline timeline;
        timeline.traces.resize(1);
        timeline.traces[0].trace = trace;
        const auto found = [&](const char* filter) {
            const auto expression = Expression::parse(filter);
            const auto matcher = expression ? EventMatcher::make(*expression, timeline, 0) : nullptr;
            QString all;
            for (MergedEvents events(*trace); matcher && events.next();)
                all += matcher->canMatch(events.event().record->type) && matcher->matches(events.event()) ? 'y' : '-';
            return all;
        };
        QCOMPARE(found("ip == \"do_one\""), "y-");
        QCOMPARE(found("parent_ip =~ \"_one$\""), "-y");
        QCOMPARE(found("parent_ip != \"do_two\""), "-y");
        QCOMPARE(found("do_two"), "yy");
        QCOMPARE(found("do_last"), "--");
        QCOMPARE(found("ip == 0xffffffff81000004"), "y-");
    }

    void formatsThatCannotBePrintedHaveNoText_data()
    {
        QTest::addColumn<QByteArray>("print");
        QTest::newRow("not a format") << QByteArray("((((");
        QTest::newRow("unknown function") << QByteArray("\"%d\", __unheard_of(REC->next_pid)");
        QTest::newRow("nested deeply") << "\"%d\", " + QByteArray(60'000, '(');
        QTest::newRow("unary minus, repeated") << "\"%d\", " + QByteArray(60'000, '-') + "1";
    }
    /// Property: formats that libtraceevent refuses, or of which it dies, leave the events of other formats as they are.
    void formatsThatCannotBePrintedHaveNoText()
    {
        QFETCH(QByteArray, print);
        MadeTraceDat made = madeFile();
        const QByteArray fields = "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
                                  "\tfield:char next_comm[16];\toffset:12;\tsize:16;\tsigned:0;\n";
        made.formats = {MadeTraceDat::format("mark", SwitchId, fields, "\"to %d\", REC->next_pid"),
                        MadeTraceDat::format("bad", 400, fields, print)};
        QByteArray bad = switchData(ByteOrder::Little, 7, 8, "a");
        bad.replace(0, 2, MadeBytes().u16(400).bytes);
        const QByteArray good = switchData(ByteOrder::Little, 7, 8, "a");
        made.instances = {{"", "mono", {{0, MadeRingPage(1000).event(10, good).event(10, bad).event(10, good).event(10, bad).bytes()}}}};

        const auto trace = open(made.bytes());

        QVERIFY2(trace, m_error.c_str());
        QCOMPARE(textsOf(*trace), QStringList({"to 8", "-", "to 8", "-"}));
    }
};

HELIO_TEST(TraceDatTextsTest)
#include "tst_trace_dat_texts.moc"
