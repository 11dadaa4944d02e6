// Input: damaged or malicious texts. Property: the readable part is read, the rest is reported with its line number, and memory is
// bounded.

#include "core/experiment/timeline.h"
#include "core/formats/stack_text/folded_reader.h"
#include "core/formats/stack_text/script_reader.h"
#include "core/io/spill_buffer.h"
#include "tests/support/dice.h"
#include "tests/support/opened_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace helio;

namespace {

const QByteArray Sample = "app  7 [000]  1.000001: 5 cycles: \n\t 12 leaf+0x1 (/a)\n\t 13 main+0x2 (/a)\n\n";

/// Peak resident memory of the process in KiB.
long mostMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

class HostileTextTest : public QObject {
    Q_OBJECT

private slots:
    void aTextWithoutItsLastLinesKeepsTheRest()
    {
        const OpenedText opened(Sample + Sample.chopped(10));

        QCOMPARE(opened.profile().samples, std::uint64_t(2));
        QCOMPARE(opened.complaints("cut-text"), std::uint64_t(1));
        QVERIFY(QString::fromStdString(opened.firstComplaint()).contains("line 7"));
    }

    void everyPrefixOfATextIsRead()
    {
        const QByteArray whole = "# a : b\n" + Sample + "other  8 [001]  1.000002: sched:sched_wakeup: comm=a pid=1\n\n" + Sample;
        for (qsizetype size = 60; size < whole.size(); size += 7) {
            const OpenedText opened(whole.first(size));
            QVERIFY(opened.timeline);
            if (!opened.timeline->traces.empty() && opened.timeline->traces[0].facts)
                QVERIFY(opened.profile("cycles").samples <= 2);
        }
    }

    void linesThatAreNoneAreCountedAndPlaced()
    {
        const OpenedText opened(Sample + "garbage\nmore garbage\n" + Sample + QByteArray("z\0z\n\t 1 f\n", 10) + Sample);

        QCOMPARE(opened.profile().samples, std::uint64_t(3));
        QCOMPARE(opened.complaints("bad-line"), std::uint64_t(2));
        QCOMPARE(opened.complaints("binary"), std::uint64_t(1));
        QCOMPARE(opened.complaints("frame-without-sample"), std::uint64_t(1));
        QVERIFY(QString::fromStdString(opened.firstComplaint()).startsWith("line 5:"));
        QCOMPARE(opened.trace().diagnostics().front().offset, std::uint64_t(Sample.size()));
    }

    void numbersThatAreTooLargeAreNoNumbers()
    {
        const OpenedText opened(Sample
                                + "app  99999999999 [000]  99999999999999.1: 99999999999999999999999 cycles: \n\t 12 f\n\n"
                                  "app  8 [99999999999999]  1.000003: 99999999999999999999999 cycles: \n"
                                  "\tffffffffffffffffffffffff f+0xffffffffffffffffffffffff (/a)\n\n"
                                + Sample);

        QVERIFY(opened.timeline);
        QCOMPARE(opened.profile("cycles").samples, std::uint64_t(2));
        QCOMPARE(opened.profile("cycles").weight, std::uint64_t(10));
        QCOMPARE(opened.complaints("large-count"), std::uint64_t(1));
    }

    void countsThatAreTooLargeAreLeftOut()
    {
        QByteArray good;
        for (int i = 0; i < 20; ++i)
            good += "a;b 1\n";
        const OpenedText opened(good + "a;c 99999999999999999999999\na;d 9007199254740993\na;e -1\na;f 1e9\na;g nan\na;h 2.\na;i\n1\n");

        QCOMPARE(opened.folded(), "a;b 20\na;h 2\n"); // Expected text: flamegraph.pl reads this text in the same way.
        QCOMPARE(opened.complaints("large-count"), std::uint64_t(2));
        QCOMPARE(opened.complaints("bad-line"), std::uint64_t(5));
    }

    void sumsOfPeriodsDoNotOverflow()
    {
        QByteArray text;
        for (int i = 0; i < 600; ++i)
            text += "app  7 [000]  1.000001: 9007199254740992 cycles: \n\t 12 f\n\n";
        const OpenedText opened(text + "app  7 [000]  1.000002: 18446744073709551615 cycles: \n\t 12 f\n\n");

        QCOMPARE(opened.profile("cycles").weight, std::uint64_t(512) << 53);
        QCOMPARE(opened.complaints("large-count"), std::uint64_t(600 - 512 + 1));
    }

    /// Input: a long line of blanks and colons. Property: reading is fast; a search of the blanks for each colon would take hours.
    void aLineOfBlanksAndColonsIsRead_data()
    {
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("times") << QByteArray(" 1:");
        QTest::newRow("events") << QByteArray(" x:");
        QTest::newRow("colons") << QByteArray(" :");
    }
    void aLineOfBlanksAndColonsIsRead()
    {
        QFETCH(QByteArray, part);
        const QByteArray line = QByteArray(600'000, ' ') + "a" + QByteArray(100'000, ' ') + part.repeated(300'000 / int(part.size()));

        const OpenedText opened(Sample + line + '\n' + Sample + line.trimmed() + '\n' + Sample);

        QCOMPARE(opened.profile("cycles").samples, std::uint64_t(3));
    }

    void aTreeOfStacksIsBoundedAndKeepsWhatItKnows()
    {
        TextStacks stacks;
        const auto parse = [](std::string_view line, ParsedFrame& frame, Module::Kind&) {
            frame.function = line;
            return true;
        };
        const auto a = std::uint32_t(stacks.findOrAddFrame("a", parse));
        const auto b = std::uint32_t(stacks.findOrAddFrame("b", parse));
        bool isCut = false;
        const std::uint32_t first = stacks.call(0, a, isCut);
        std::uint32_t stack = first;
        for (std::size_t i = 2; i < TextStacks::MostNodes; ++i)
            stack = stacks.call(stack, a, isCut);
        QVERIFY(!isCut);

        QCOMPARE(stacks.call(0, a, isCut), first);
        QVERIFY(!isCut);
        QCOMPARE(stacks.call(0, b, isCut), std::uint32_t(0));
        QVERIFY(isCut);
        QCOMPARE(stacks.takeTree().size(), TextStacks::MostNodes);
    }

    void aFullDiskIsReportedAndWhatIsKeptIsCounted()
    {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        rlimit small = before;
        small.rlim_cur = std::size_t{20} << 20;
        setrlimit(RLIMIT_FSIZE, &small);
        SpillBuffer other; // Takes the memory of small buffers, so that the recording's events go to a file.
        QVERIFY(other.extend(std::size_t{255} << 20));
        SampleRecording recording("x");
        NewSample event;
        event.name = "samples";
        event.period = 3;
        event.hasPeriod = event.isCounted = true;
        constexpr std::size_t Events = 4'000'000; // Number of events, 20 bytes each.
        std::size_t taken = 0;
        for (std::size_t i = 0; i < Events; ++i)
            taken += recording.add(event, {}) ? 1 : 0;
        recording.finish();
        setrlimit(RLIMIT_FSIZE, &before);

        QCOMPARE(taken, Events);
        const std::size_t stored = recording.events.events().size();
        QVERIFY(stored > 0 && stored < Events);
        QCOMPARE(recording.samples[0].counted, 3 * std::uint64_t(stored));
        QCOMPARE(recording.events.diagnostics().size(), std::size_t(1));
        QCOMPARE(recording.events.diagnostics()[0].kind, "no-room");
    }

    void lostEventsAreCounted()
    {
        const OpenedText opened(Sample + "app  7 [000]  1.000002: PERF_RECORD_LOST lost 12\n"
                                + "app  7 [000]  1.000002: PERF_RECORD_LOST lost 3\n" + Sample);

        QCOMPARE(opened.complaints("lost-events"), std::uint64_t(15));
        QCOMPARE(opened.profile("cycles").samples, std::uint64_t(2));
    }

    void theFirstSampleMayLackItsTime()
    {
        const OpenedText opened("app  7 cycles: \n\t 12 cut\n\n" + Sample + Sample);

        QCOMPARE(opened.folded("cycles"), "app;main;leaf 2\n");
        QCOMPARE(opened.complaints("no-time"), std::uint64_t(1));
        QVERIFY(opened.trace().info().hasTimes);
    }

    void eventsOfManyShapesKeepTheirStacks()
    {
        QByteArray text;
        for (int i = 0; i < 6000; ++i)
            text += "app  7 [000]  1.000001: 5 a:event: f" + QByteArray::number(i) + "=1\n\t 12 leaf+0x1 (/a)\n\n";
        const OpenedText opened(text);

        QCOMPARE(opened.profile("a:event").samples, std::uint64_t(6000));
        QCOMPARE(opened.complaints("many-events"), std::uint64_t(0));
    }

    void sumsDoNotOverflow()
    {
        QByteArray text;
        for (int i = 0; i < 2000; ++i)
            text += "a;b 9007199254740992\n";
        const OpenedText opened(text);

        QCOMPARE(opened.profile().samples, std::uint64_t(512) << 53);
        QCOMPARE(opened.complaints("large-count"), std::uint64_t(2000 - 512));
    }

    void stacksOfAHundredThousandFramesAreWhole_data()
    {
        QTest::addColumn<bool>("isFolded");
        QTest::newRow("script") << false;
        QTest::newRow("folded") << true;
    }
    void stacksOfAHundredThousandFramesAreWhole()
    {
        QFETCH(bool, isFolded);
        constexpr int Depth = 100'000;
        QByteArray text = isFolded ? QByteArray() : QByteArray("app  7 [000]  1.000001: 5 cycles: \n");
        for (int i = 0; i < Depth; ++i)
            text += isFolded ? (i ? ";f" : "f") + QByteArray::number(i % 1000) : "\t 1 f" + QByteArray::number(i % 1000) + " (/a)\n";
        text += isFolded ? " 1\n" : "\n";

        const OpenedText opened(text);

        QVERIFY2(opened.timeline, opened.error.c_str());
        const StackProfile profile = opened.profile();
        QCOMPARE(profile.nodes.size(), std::size_t(Depth + 1));
        const CallTree tree = buildCallTree(profile, nameStacks(profile, *opened.timeline));
        QCOMPARE(tree.depth, std::uint32_t(isFolded ? Depth : Depth + 1));
        QCOMPARE(qsizetype(opened.folded().size()) > Depth, true);
    }

    void aLineWithoutEndIsLeftOut_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<char>("filler");
        QTest::addColumn<QByteArray>("last");
        QTest::newRow("script") << Sample << 'x' << QByteArray("\n" + Sample);
        QTest::newRow("script, a frame") << Sample.chopped(1) << '\t' << QByteArray("\n\n" + Sample);
        QTest::newRow("folded") << QByteArray("a;b 1\n") << ';' << QByteArray(" 1\na;c 1\n");
    }
    void aLineWithoutEndIsLeftOut()
    {
        QFETCH(QByteArray, first);
        QFETCH(char, filler);
        QFETCH(QByteArray, last);
        constexpr long Megabytes = 300;
        QTemporaryDir folder;
        QFile file(folder.path() + "/long.txt");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(first);
        const QByteArray part(1 << 20, filler);
        for (long i = 0; i < Megabytes; ++i)
            QCOMPARE(file.write(part), part.size());
        file.write(last);
        file.close();
        const long before = mostMemory();

        const auto opened = OpenedText::ofFile(file.fileName());

        QVERIFY2(opened->timeline, opened->error.c_str());
        QCOMPARE(opened->profile().samples, std::uint64_t(2));
        QCOMPARE(opened->complaints("long-line"), std::uint64_t(1));
        // Allowance: 100 MiB and the mapped file's size, which counts as resident memory.
        QVERIFY2(mostMemory() - before < (Megabytes + 100) * 1024, qPrintable(QString::number(mostMemory() - before)));
    }

    void manyKindsOfEventsAreBounded()
    {
        QByteArray text;
        for (int i = 0; i < 10'000; ++i)
            text += "app  7 [000]  1.000001: 5 event" + QByteArray::number(i) + ": \n\t 12 leaf+0x1 (/a)\n\n";
        const OpenedText opened(text);

        QVERIFY2(opened.timeline, opened.error.c_str());
        QVERIFY(opened.trace().eventTypes().size() <= 4096);
        QCOMPARE(opened.complaints("many-events"), std::uint64_t(10'000 - 4096));
    }

    void randomDamageIsSurvived()
    {
        Dice dice(1);
        const QByteArray whole =
            "# a : b\n" + Sample + "other  8 [001]  1.000002: sched:sched_wakeup: comm=a pid=1\n" + Sample + "a;b;c 1 2\n";
        for (int round = 0; round < 300; ++round) {
            QByteArray text = whole;
            for (int i = 0; i < 8; ++i)
                text[qsizetype(dice.below(std::uint64_t(text.size())))] = char(dice.below(256));
            const std::string_view view(text.data(), std::size_t(text.size()));
            SampleRecording script("x");
            SampleRecording folded("x");
            (void)stacktext::isScript(view, true);
            (void)stacktext::countFoldedColumns(view, true, true);

            QVERIFY(stacktext::readScript(view, script, {}));
            QVERIFY(stacktext::readFolded(view, 1 + round % 2, folded, {}));

            script.finish();
            folded.finish();
            QVERIFY(script.events.events().size() <= 10);
        }
    }

    void readingIsStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        QByteArray text;
        for (int i = 0; i < 5000; ++i)
            text += "a;b 1\n\n";
        SampleRecording recording("x");
        const std::string_view view(text.data(), std::size_t(text.size()));

        QVERIFY(!stacktext::readScript(view, recording, stop.get_token()));
        QVERIFY(!stacktext::readFolded(view, 1, recording, stop.get_token()));
    }

    void compressedDamageIsReportedNotRead()
    {
        QByteArray zstd("\x28\xb5\x2f\xfd", 4);
        zstd += QByteArray(1000, 'x');

        const OpenedText opened(zstd);

        QVERIFY(!opened.timeline || opened.timeline->traces.empty());
    }
};

HELIO_TEST(HostileTextTest)
#include "tst_hostile_text.moc"
