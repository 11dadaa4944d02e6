#include "core/experiment/timeline.h"
#include "core/profiling/samples/amount_text.h"
#include "core/query/rows/messages.h"
#include "core/store/store.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

using namespace helio;

namespace {

const QByteArray TwoEvents = "# ========\n"
                             "# hostname : box\n"
                             "# ========\n"
                             "#\n"
                             "Web Content  12 [001]  10.000002:    1001001 cpu-clock:ppp: \n"
                             "\t            1234 leaf+0x4 (/opt/app)\n"
                             "\t            1234 wrapped+0x4 (inlined)\n"
                             "\t            1234 outer+0x14 (/opt/lib.so)\n"
                             "\t             10 main+0x2 (/opt/app)\n"
                             "\n"
                             "other  13 [000]  10.000001:          1 page-faults: \n"
                             "\tffffffff81000000 [unknown] ([kernel.kallsyms])\n"
                             "\t             10 main+0x2 (/opt/app)\n"
                             "\n"
                             "Web Content  12 [001]  10.000003:    2000000 cpu-clock:ppp: \n"
                             "\t             10 main+0x8 (/opt/app)\n";

QByteArray repeated(const QByteArray& text, int times)
{
    QByteArray all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

} // namespace

class StackTextTest : public QObject {
    Q_OBJECT

private slots:
    /// Input: frames without leading blanks, as mail programs and wikis leave them; stackcollapse-perf.pl reads such frames, too.
    void framesWithoutBlanksBeforeThemAreFrames()
    {
        const OpenedText opened("\njava 19983 cycles:\n"
                                "ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])\n"
                                "7f7241fbe6d8 arrayOopDesc::base(BasicType) const (/opt/jre/libjvm.so)\n"
                                "7f722d119786 Ljava/io/FileOutputStream;::writeBytes (/tmp/perf-19982.map)\n"
                                "7f722d000001 [unknown] ([unknown])\n"
                                "7f72432b4e9a start_thread (/lib/libpthread-2.15.so)\n"
                                "\n"
                                "dd 7 cycles:\n"
                                "7f72432b4e9a start_thread (/lib/libpthread-2.15.so)\n"
                                "dd 8 cycles:\n"
                                "7f72432b4e9a start_thread (/lib/libpthread-2.15.so)\n");

        QCOMPARE(opened.folded(),
                 "dd;start_thread 2\n"
                 "java;start_thread;[unknown];Ljava/io/FileOutputStream:::writeBytes;arrayOopDesc::base(BasicType) "
                 "const;native_write_msr_safe 1\n");
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    void samplesOfEachEventKeepStacksPeriodsAndThreads()
    {
        const OpenedText opened(TwoEvents);
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(opened.folded("cpu-clock"), "Web Content;main 1\nWeb Content;main;outer;wrapped;leaf 1\n");
        QCOMPARE(opened.folded("cpu-clock", WeightBy::Weight), "Web Content;main 2000000\nWeb Content;main;outer;wrapped;leaf 1001001\n");
        QCOMPARE(opened.folded("cpu-clock", WeightBy::Samples, false), "Web Content;main 1\nWeb Content;main;outer;leaf 1\n");
        QCOMPARE(opened.folded("page-faults"), "other;main;[[kernel.kallsyms]] 1\n"); // The line that stackcollapse-perf.pl prints.
        const StackProfile profile = opened.profile("cpu-clock");
        QVERIFY(profile.kind.isTime);
        QCOMPARE(nanoseconds(profile.range.begin), 10'000'002'000);
        QCOMPARE(profile.stacks.front().cpu, 1);
        QCOMPARE(profile.threads.front().tid, 12);
        QCOMPARE(opened.trace().info().hostname, "box");
        QVERIFY(opened.trace().diagnostics().empty());
    }

    void timesThatGoBackAreSorted()
    {
        const OpenedText opened(TwoEvents);

        QCOMPARE(nanoseconds(opened.facts().summary().range.begin), 10'000'001'000);
        QCOMPARE(opened.facts().summary().events, std::uint64_t(3));
    }

    void frameNamesKeepTheirModules()
    {
        const OpenedText opened(TwoEvents);
        const StackProfile profile = opened.profile("cpu-clock");
        const StackNames names = nameStacks(profile, *opened.timeline);

        QVERIFY(names.isComplete);
        QStringList functions;
        for (const SampledFunction& f : names.functions)
            functions << QString::fromStdString(f.name + ':' + f.module + (f.isInlined ? ":inlined" : ""));
        functions.sort();
        QCOMPARE(functions, QStringList({":", "leaf:app", "main:app", "outer:lib.so", "wrapped:lib.so:inlined"}));
    }

    void inlinedFramesAreInTheModuleOfTheirCaller()
    {
        const OpenedText opened("app  7 [000]  1.000001: 5 cycles: \n"
                                "\t 12 [unknown] (inlined)\n"
                                "\t 12 small (inlined)\n"
                                "\t 12 middle (inlined)\n"
                                "\t 12 outer+0x14 (/opt/lib.so)\n\n");
        const StackProfile profile = opened.profile("cycles");
        const StackNames names = nameStacks(profile, *opened.timeline);

        QStringList functions;
        for (const SampledFunction& f : names.functions)
            functions << QString::fromStdString(f.name + ':' + f.module);
        functions.sort();
        QCOMPARE(functions, QStringList({":", ":lib.so", "middle:lib.so", "outer:lib.so", "small:lib.so"}));
    }

    void fieldsThatWereNotPrintedAreNotNeeded_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("base");
        QTest::addColumn<bool>("hasTimes");
        QTest::newRow("comm") << QByteArray("app ") << QByteArray("app") << false;
        QTest::newRow("comm, time") << QByteArray("app   17.000001: ") << QByteArray("app") << true;
        QTest::newRow("comm, tid, mode, time") << QByteArray("app  7 K       17.000001: ") << QByteArray("app") << true;
        QTest::newRow("comm, tid") << QByteArray("app  7 ") << QByteArray("app") << false;
        QTest::newRow("comm, tid, event") << QByteArray("app  7 cycles: ") << QByteArray("app") << false;
        QTest::newRow("time") << QByteArray(" 17.000001: ") << QByteArray("[unknown]") << true;
        QTest::newRow("tid, time") << QByteArray(" 7  17.000001: ") << QByteArray("[unknown]") << true;
        QTest::newRow("comm, pid, tid, time") << QByteArray("app 6/7  17.000001: ") << QByteArray("app") << true;
    }
    void fieldsThatWereNotPrintedAreNotNeeded()
    {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, base);
        QFETCH(bool, hasTimes);
        const OpenedText opened(head + "\n\t  12 leaf\n\t  13 main\n\n" + head + "\n\t  12 leaf\n\n");
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(QByteArray::fromStdString(opened.folded()), base + ";leaf 1\n" + base + ";main;leaf 1\n");
        QCOMPARE(opened.trace().info().hasTimes, hasTimes);
        QVERIFY(opened.trace().diagnostics().empty());
    }

    void linesBetweenFramesThatAreNoneAreSkipped()
    {
        const OpenedText opened("app 6/7  17.000001: cycles: \n\t  12 leaf+0x1 (/a)\n  leaf.c:12\n\t  13 main+0x2 (/a)\n  :0\n\n");

        QCOMPARE(opened.folded(), "app;main;leaf 1\n");
        QVERIFY(opened.trace().diagnostics().empty());
    }

    void samplesWithoutCallChainHaveTheirAddress()
    {
        const OpenedText opened(
            "     app  7 [000]  17.000001:  5 cycles:  12 leaf+0x1 (/a)\n     app  7 [000]  17.000002:  6 cycles:  13 leaf+0x2 (/a)\n");

        QCOMPARE(opened.folded("cycles", WeightBy::Weight), "app;leaf 11\n");
    }

    /// Input: page faults with -F +addr, and samples of memory accesses. Property: data addresses are not read as functions.
    void dataOnTheHeadsLineIsNoFrame()
    {
        const QByteArray head =
            "java 12 [001] 1.5: 100 cpu/mem-loads,ldlat=30/P:     7f1200000010 data+0x10 ([heap])         5080144 |OP LOAD|   45 ";
        const OpenedText opened(head + "\n\t    7f00 getNode+0x1 (/lib/b)\n\t    7f10 main+0x1 (/lib/b)\n\n" + head
                                + "            7f00 getNode+0x1 (/lib/b)\n\n" + head + "\n\n");

        QCOMPARE(opened.folded(), "java 1\njava;getNode 1\njava;main;getNode 1\n");
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    /// Input: numbers and bytes below the frames, as printed with -F +phys_addr, +insn and +insnlen. Property: they are not read as
    /// frames.
    void linesBelowTheFramesAreNone()
    {
        const OpenedText opened("app 6/7  17.000001: cycles: \n\t  12 leaf+0x1 (/a)\n\t  13 main+0x2 (/a)\n               0\n"
                                " ilen: 3 insn: 0f 05 c3\n ABI:2    AX:0x0\n\n|38       f(1);\n\n");

        QCOMPARE(opened.folded(), "app;main;leaf 1\n");
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    void fieldsOfATracepointEndWhereItsFrameBegins()
    {
        const OpenedText opened("a  1 [000]  1.000000: sched:sched_wakeup: comm=a pid=1 target_cpu=003 ffffffff8200a0b0 try_to_wake_up+0x1 "
                                "([kernel.kallsyms])\n");
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(opened.folded(), "a;try_to_wake_up 1\n");
        MergedEvents events(opened.trace());
        QVERIFY(events.next());
        QCOMPARE(FieldRef(*events.event().type, Section::Payload, "target_cpu").integer(events.event()), std::optional<std::int64_t>(3));
    }

    void samplesWithoutTimesAreOfTheCommandThatTheyName()
    {
        const OpenedText opened("bash 123 cpu-clock: \n\t 1000 aaa+0x1 (/bin/bash)\n\nbash 123 cpu-clock: \n\t 1000 aaa+0x1 (/bin/bash)\n\n"
                                "ls 123 cpu-clock: \n\t 2000 bbb+0x1 (/bin/ls)\n\n:124 124 cpu-clock: \n\t 2000 bbb+0x1 (/bin/ls)\n\n");

        QCOMPARE(opened.folded(), "[unknown];bbb 1\nbash;aaa 2\nls;bbb 1\n");
        const StackProfile profile = opened.profile();
        QVERIFY(std::ranges::all_of(profile.threads, [](const SampledThread& it) { return it.tid == 123 || it.tid == 124; }));
    }

    /// Property: with -F comm,event,ip,sym, the head consists of a command, whose name may contain blanks, and an event.
    void headsMayHaveOnlyCommandAndEvent()
    {
        const OpenedText opened(
            "my reader cpu-clock:ppp: \n\t    7f00 burn+0x1 (/bin/x)\n\nls cpu-clock:ppp: \n\t    7f00 burn+0x1 (/bin/x)\n\n");

        QCOMPARE(opened.folded(), "ls;burn 1\nmy reader;burn 1\n");
        QCOMPARE(opened.trace().samples()->events().front().name, std::string("cpu-clock:ppp"));
    }

    void namesOfThreadsMayBeginWithAHash()
    {
        const OpenedText opened("# captured on    : Sat Nov 28 15:05:00 2026\n# nrcpus online : 2\n#\n"
                                "#hash 123  1.500000:    1000000 cpu-clock: \n\t    7f00 burn+0x1 (/bin/x)\n\n"
                                "sh 124  1.600000:    1000000 cpu-clock: \n\t    7f00 burn+0x1 (/bin/x)\n\n");

        QCOMPARE(opened.folded(), "#hash;burn 1\nsh;burn 1\n");
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    void samplesWithoutCallChainNeedNoOtherFields_data()
    {
        QTest::addColumn<QByteArray>("front");
        QTest::newRow("comm") << QByteArray("              ls ");
        QTest::newRow("comm, tid") << QByteArray("              ls    7 ");
        QTest::newRow("comm, tid, mode") << QByteArray("              ls    7 K     ");
        QTest::newRow("comm, time") << QByteArray("              ls  17.000001: ");
    }
    void samplesWithoutCallChainNeedNoOtherFields()
    {
        QFETCH(QByteArray, front);
        const OpenedText opened(front + "ffffffff8162ff76 f ([kernel.kallsyms])\n" + front + "    7fa7fdde87ad g(int) const (/lib/a)\n");
        QVERIFY2(opened.timeline && !opened.timeline->traces.empty(), opened.error.c_str());

        QCOMPARE(opened.folded(), "ls;f 1\nls;g(int) const 1\n");
        QVERIFY2(opened.trace().diagnostics().empty(), opened.firstComplaint().c_str());
    }

    void switchesOfTheTextGiveThreadsTheirStates()
    {
        const OpenedText opened("a  1 [000]  1.000000: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> "
                                "next_comm=b next_pid=2 next_prio=120\n"
                                "b  2 [000]  2.000000: sched:sched_wakeup: comm=a pid=1 prio=120 target_cpu=000\n"
                                "b  2 [000]  3.000000: sched:sched_switch: prev_comm=b prev_pid=2 prev_prio=120 prev_state=R ==> "
                                "next_comm=a next_pid=1 next_prio=120\n");
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(opened.profile("off-cpu:blocked").weight, std::uint64_t(1'000'000'000));
        std::size_t threads = 0;
        for (const Track& track : opened.store().tracks())
            threads += track.kind == "thread" && track.tid > 0;
        QCOMPARE(threads, std::size_t(2));
    }

    void switchesShowWhichThreadsWereRecorded_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isAll");
        const auto switchTo = [](const char* at, const char* from, int fromTid, const char* to, int toTid) {
            return QByteArray(from) + "  " + QByteArray::number(fromTid) + " [000]  " + at + ": sched:sched_switch: prev_comm=" + from
                + " prev_pid=" + QByteArray::number(fromTid) + " prev_prio=120 prev_state=S ==> next_comm=" + to
                + " next_pid=" + QByteArray::number(toTid) + " next_prio=120\n";
        };
        const QByteArray leaving = switchTo("1.000000", "a", 1, "b", 2);
        const QByteArray elsewhere = "a  1 [001]  2.000000: 1 cycles: \n\n";
        const QByteArray command = "# cmdline : /usr/bin/perf record -g -e cycles -a sleep 1\n";
        QTest::newRow("the other thread leaves, too") << leaving + switchTo("2.000000", "b", 2, "a", 1) << true;
        QTest::newRow("the other thread is never seen") << leaving + elsewhere << false;
        QTest::newRow("all threads by the command") << command + leaving + elsewhere << true;
        QTest::newRow("option of the program") << "# cmdline : perf record -- ls -a\n" + leaving + elsewhere << false;
        QTest::newRow("contradiction") << leaving + switchTo("2.000000", "a", 1, "b", 2) << false;
        QTest::newRow("contradiction of the command") << command + leaving + switchTo("2.000000", "a", 1, "b", 2) << false;
        QTest::newRow("idle thread") << leaving + switchTo("2.000000", "swapper", 0, "c", 3) + elsewhere << true;
    }
    /// Property: if the switches do not show that all threads were recorded, threads without samples have no states, instead of running
    /// from the switch to them to the end.
    void switchesShowWhichThreadsWereRecorded()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, isAll);
        const OpenedText opened(text);
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(opened.trace().info().part.isAll(), isAll);
        QCOMPARE(std::ranges::any_of(opened.trace().diagnostics(), [](const Diagnostic& it) { return it.kind == "recorded-in-part"; }),
                 !isAll);
        if (!isAll)
            QCOMPARE(opened.trace().info().part.threads, std::vector<std::int32_t>{1});
    }

    void namesAndFamiliesOfRecordsAreTaken()
    {
        const OpenedText opened("init  0 [000]     0.000000: PERF_RECORD_COMM: a:b:7/8\n"
                                "x  8 [000]  1.000000: PERF_RECORD_FORK(9:9):(7:8)\n"
                                "x  8 [000]  1.000001: 1 cycles: \n\t 1 f\n\n");

        const auto records = opened.trace().processRecords();

        QCOMPARE(records.size(), std::size_t(3));
        QCOMPARE(records[0].name, "a:b");
        QCOMPARE(records[0].pid, 7);
        QCOMPARE(records[1].parentTid, 8);
        QCOMPARE(records[2].name, "x");
    }

    void foldedStacksKeepTheirCountsAndHaveNoTimes()
    {
        const OpenedText opened("app;main;a b 12\napp;main 3\n\n# note\napp;main;a b 1.5\napp;copy_[k] 4294967296\n[unknown];x_[i] 1\n");
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(opened.folded(), "[unknown];x 1\napp;copy_[k] 4294967296\napp;main 3\napp;main;a b 13.5\n");
        // Number of samples in tenths, because some weights have a decimal.
        QCOMPARE(opened.profile().samples, std::uint64_t(120 + 30 + 15 + 42949672960 + 10));
        QCOMPARE(sampleKinds(*opened.timeline).front().samples, opened.profile().samples);
        QVERIFY(!opened.trace().info().hasTimes);
        QCOMPARE(opened.complaints("rounded"), std::uint64_t(0));
        QVERIFY(!opened.timeline->traces.front().missing.empty());
        QCOMPARE(opened.timeline->traces.front().missing.front().view, "control-flow");
    }

    void countsKeepTheirDecimals_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("folded");
        QTest::addColumn<QString>("sum");
        QTest::newRow("thousandths") << QByteArray("a;b 0.156\na;a;b 0.98\na;a;a;b 0.343\na;a;a;a;b 0.888\n")
                                     << QByteArray("a;a;a;a;b 0.888\na;a;a;b 0.343\na;a;b 0.98\na;b 0.156\n") << "2.367 samples";
        QTest::newRow("summed") << repeated("a;b 0.4\n", 10) + "a;c 5\n" << QByteArray("a;b 4\na;c 5\n") << "9 samples";
        QTest::newRow("a point at the end") << QByteArray("a;b 2.\na;c 3.50\n") << QByteArray("a;b 2\na;c 3.5\n") << "5.5 samples";
        QTest::newRow("one") << QByteArray("a;b 0.5\na;c 0.5\n") << QByteArray("a;b 0.5\na;c 0.5\n") << "1 sample";
        QTest::newRow("rounded to what is kept")
            << QByteArray("a;b 0.1234567896\n") << QByteArray("a;b 0.12345679\n") << "0.12345679 samples";
        QTest::newRow("rounded beside a large one") << QByteArray("a;b 0.123456789\na;c 9007199254.5\n")
                                                    << QByteArray("a;b 0.12346\na;c 9007199254.5\n") << "9007199254.62346 samples";
    }
    void countsKeepTheirDecimals()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, folded);
        QFETCH(QString, sum);

        const OpenedText opened(text);

        QVERIFY2(opened.timeline && !opened.timeline->traces.empty(), opened.error.c_str());
        QCOMPARE(QByteArray::fromStdString(opened.folded()), folded);
        const StackProfile profile = opened.profile();
        QCOMPARE(QString::fromStdString(amountWords(sumOf(profile), WeightBy::Samples, profile.kind)), sum);
    }

    void filesWithAndWithoutDecimalsAddUp()
    {
        QTemporaryDir folder;
        std::vector<std::filesystem::path> paths;
        for (const char* count : {"2", "0.25", "1.5"}) {
            paths.emplace_back((folder.path() + '/' + count + ".folded").toStdString());
            QFile file(QString::fromStdString(paths.back().string()));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray("a;b ") + count + '\n');
            file.close();
        }
        ExperimentOptions options;
        options.storeDirectory = (folder.path() + "/stores").toStdString();
        auto experiment = Experiment::open(paths, options);
        QVERIFY(experiment);
        (*experiment)->start();
        QVERIFY((*experiment)->wait());

        const auto timeline = (*experiment)->timeline();
        const StackProfile profile = collectStacks(*timeline, {});

        QCOMPARE(QString::fromStdString(amountWords(sumOf(profile), WeightBy::Samples, profile.kind)), QString("3.75 samples"));
        QCOMPARE(exactCount(sampleKinds(*timeline).front().samples, sampleKinds(*timeline).front().kind.divisor()), "3.75");
    }

    void foldedStacksAreTakenInAllShapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("folded");
        const auto row = [](const char* shape, const char* text, const char* folded, const char* name = "samples.txt") {
            QTest::newRow(shape) << QByteArray(text) << QString(name) << QByteArray(folded);
        };
        row("a bad line in three", "a;b 1\na;c 2\ninvalid line\n", "a;b 1\na;c 2\n");
        row("comments", "// note\n//\n# note 1\n#\n#note\na;b 1\n", "a;b 1\n");
        row("names like comments", "#worker;f 1\n//anon;g 2\n", "#worker;f 1\n//anon;g 2\n");
        row("a byte order mark",
            "\xef\xbb\xbf"
            "a;b 1\na;b 2\n",
            "a;b 3\n");
        row("roots alone", "a 4\nb 5\n", "a 4\nb 5\n", "samples.folded");
        row("a root alone", "a 4\n", "a 4\n", "samples.collapsed");
        row("kinds of code", "a;b_[k] 1\na;c_[j] 2\na;d_[i] 3\na;e_[w] 4\n", "a;b_[k] 1\na;c_[j] 2\na;d 3\na;e_[w] 4\n");
    }
    void foldedStacksAreTakenInAllShapes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, name);
        QFETCH(QByteArray, folded);

        const OpenedText opened(text, name);

        QVERIFY2(opened.timeline && !opened.timeline->traces.empty(), opened.error.c_str());
        QCOMPARE(QByteArray::fromStdString(opened.folded()), folded);
    }

    void eachOfTwoColumnsIsAnEvent()
    {
        const OpenedText opened("a;b 1 20\na;c 3 0\na;d 0 7\n");
        QVERIFY2(opened.timeline, opened.error.c_str());

        QCOMPARE(opened.folded("first"), "a;b 1\na;c 3\n");
        QCOMPARE(opened.folded("second"), "a;b 20\na;d 7\n");
        QCOMPARE(sampleKinds(*opened.timeline).front().kind.name, "first");
    }

    void compressedTextsAreTheirContents_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("gzip") << "gzip";
        QTest::newRow("zstd") << "zstd";
        QTest::newRow("xz") << "xz";
    }
    void compressedTextsAreTheirContents()
    {
        QFETCH(QString, program);
        QProcess process;
        process.start(program, {"-c"});
        if (!process.waitForStarted())
            QSKIP("the program is not installed");
        process.write("a;b 2\na;c 3\n" + repeated("a;d 1\n", 100'000));
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished());

        const OpenedText opened(process.readAllStandardOutput(), "samples.bin");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.folded(), "a;b 2\na;c 3\na;d 100000\n");
    }

    void aCompressedTextThatIsCutKeepsWhatIsThere_data() { compressedTextsAreTheirContents_data(); }
    void aCompressedTextThatIsCutKeepsWhatIsThere()
    {
        QFETCH(QString, program);
        QProcess process;
        process.start(program, {"-c"});
        if (!process.waitForStarted())
            QSKIP("the program is not installed");
        Dice dice(1);
        QByteArray text;
        for (int i = 0; i < 300'000; ++i)
            text += "a;b" + QByteArray::number(qulonglong(dice.below(1'000'000))) + " 1\n";
        process.write(text);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(-1));
        const QByteArray whole = process.readAllStandardOutput();

        const OpenedText opened(whole.chopped(whole.size() / 4), "samples.bin");

        QVERIFY2(opened.timeline && !opened.timeline->traces.empty(), opened.error.c_str());
        const std::uint64_t samples = opened.profile().samples;
        QVERIFY2(samples > 10'000 && samples < 300'000, qPrintable(QString::number(samples)));
        QCOMPARE(opened.complaints("cut-compressed"), std::uint64_t(1));
    }

    void aCountAtTheEndMayBeCut()
    {
        const OpenedText opened("a;b 12\na;c 12");

        QCOMPARE(opened.folded(), "a;b 12\na;c 12\n");
        QCOMPARE(opened.complaints("cut-text"), std::uint64_t(1));
    }

    void reopenedTextsAreTheSame()
    {
        QTemporaryDir folder;
        const QString path = folder.path() + "/a.txt";
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(TwoEvents);
        file.close();
        ExperimentOptions options;
        options.storeDirectory = (folder.path() + "/stores").toStdString();
        std::vector<std::string> texts;

        for (int i = 0; i < 2; ++i) {
            auto experiment = Experiment::open({path.toStdString()}, options);
            QVERIFY(experiment);
            (*experiment)->start();
            QVERIFY((*experiment)->wait());
            const auto timeline = (*experiment)->timeline();
            const StackProfile profile = collectStacks(*timeline, {});
            texts.emplace_back();
            writeFolded(buildCallTree(profile, nameStacks(profile, *timeline)), WeightBy::Samples, [&](std::string_view part) {
                texts.back() += part;
                return true;
            });
        }

        QCOMPARE(texts[0], texts[1]);
        QVERIFY(!texts[0].empty());
    }

    /// Property: a message names the opened file, even if the facts of a file with equal content were stored before.
    void messagesNameTheFileThatWasOpened()
    {
        QTemporaryDir folder;
        ExperimentOptions options;
        options.storeDirectory = (folder.path() + "/stores").toStdString();
        for (const char* name : {"first.folded", "second.folded"}) {
            const QString path = folder.path() + '/' + name;
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("a;b 1\na;c 2\ninvalid line\n");
            file.close();
            auto experiment = Experiment::open({path.toStdString()}, options);
            QVERIFY(experiment);
            (*experiment)->start();
            QVERIFY((*experiment)->wait());

            const std::vector<Message> found = damages(*(*experiment)->timeline());

            QCOMPARE(found.size(), std::size_t(1));
            QVERIFY2(QString::fromStdString(found.front().text).startsWith(path + ": Line 3"), found.front().text.c_str());
        }
    }

    void otherTextsAreNotTaken_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("words") << QByteArray("hello world\nand more\n");
        QTest::newRow("log") << QByteArray("[   12.345678] usb 1-1: new device\n[   13.0] x: y\n");
        QTest::newRow("numbers") << QByteArray("a 1\nb 2\n");
        QTest::newRow("code") << QByteArray("int main()\n{\n\treturn 1;\n}\n");
        QTest::newRow("assembly") << QByteArray("main:\n\tadd r1, r2\n\tsub r1, r2\n\tadd r3, r2\n");
        QTest::newRow("prose") << QByteArray("And so:\n\ta list\n\tof things\n");
        QTest::newRow("csv") << QByteArray("a;b;c\nd;e;f\n");
        QTest::newRow("zeros") << QByteArray(100'000, '\0');
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("header alone") << QByteArray("# a : b\n");
    }
    void otherTextsAreNotTaken()
    {
        QFETCH(QByteArray, text);

        const OpenedText opened(text);

        QVERIFY(!opened.timeline || opened.timeline->traces.empty());
    }
};

HELIO_TEST(StackTextTest)
#include "tst_stack_text.moc"
