#include "tests/app/cli/program.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace helio;

namespace {

ProgramResult compare(const QStringList& more, const QStringList& a = {sampleTrace()}, const QStringList& b = {sampleTrace()})
{
    return heliograph(QStringList{"compare", "--quiet", "--a"} + a + QStringList{"--b"} + b + more);
}

/// Number of matinit's samples by innermost function, from stackcollapse-perf's output.
QMap<QByteArray, qint64> foldedLeaves(const QString& path)
{
    QFile file(path);
    QMap<QByteArray, qint64> leaves;
    if (!file.open(QIODevice::ReadOnly))
        return leaves;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const qsizetype space = line.lastIndexOf(' ');
        if (space > 0 && line.startsWith("matinit"))
            leaves[line.left(space).split(';').last()] += line.mid(space + 1).toLongLong();
    }
    return leaves;
}

/// Writes a recording with one sample of period 250,000 in perf script's format; returns its path.
QString script(const QTemporaryDir& folder, const QString& name, const QByteArray& event)
{
    QFile file(folder.path() + '/' + name);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write");
    file.write("prog  10 [000] 1.000000: 250000 " + event + ": \n\t55d1 main+0x10 (/bin/prog)\n\n");
    return file.fileName();
}

} // namespace

class CompareOutputTest : public QObject {
    Q_OBJECT

private slots:
    void theSameTraceOnBothSidesDiffersInNothing()
    {
        const auto rows = csvRows(compare({"--process", "mixwork", "--format", "csv"}));
        QVERIFY(rows.size() > 5);
        qint64 a = 0, b = 0, difference = 0;
        for (const CsvRow& row : rows.first(rows.size() - 1)) {
            a += row["a_ns"].toLongLong();
            b += row["b_ns"].toLongLong();
            difference += row["difference_ns"].toLongLong();
            QCOMPARE(row["a_ns"], row["b_ns"]); // The durations are equal, because both sides are the same trace.
        }
        QCOMPARE(rows.last()["state"], "sum");
        QCOMPARE(rows.last()["a_ns"].toLongLong(), a);
        QCOMPARE(rows.last()["b_ns"].toLongLong(), b);
        QCOMPARE(difference, 0);
    }

    void theDurationsOfAStateEqualItsIntervals()
    {
        const auto rows = csvRows(compare({"--process", "mixwork", "--durations", "--format", "csv"}));
        qint64 syscalls = 0;
        for (const CsvRow& row : rows) {
            QCOMPARE(row["count_a"], row["count_b"]); // The counts are equal, because both sides are the same trace.
            QCOMPARE(row["p99_a_ns"], row["p99_b_ns"]);
            QVERIFY(row["min_a_ns"].toLongLong() <= row["median_a_ns"].toLongLong());
            QVERIFY(row["median_a_ns"].toLongLong() <= row["max_a_ns"].toLongLong());
            syscalls += row["kind"] == "syscall";
        }
        QVERIFY(syscalls > 10);
    }

    void theLinesOfAProcessWithOneThreadEqualItsStates()
    {
        const auto rows = csvRows(compare({"--process", "sleep", "--end", "+1s", "--format", "csv"}));
        // In the first second of the sample trace, the program sleep runs once, in thread 250. The run ends when the thread ends.
        const auto states =
            csvRows(heliograph({"states", sampleTrace(), "--view", "control-flow", "--thread", "250", "--format", "csv", "--quiet"}));
        QVERIFY(!states.isEmpty());
        const qint64 begin = states.last()["end_ns"].toLongLong() - rows.last()["a_ns"].toLongLong();
        QMap<QByteArray, qint64> expected;
        for (const CsvRow& state : states)
            expected[state["state"] + ' ' + state["detail"]] +=
                std::max(qint64(0), state["end_ns"].toLongLong() - std::max(begin, state["begin_ns"].toLongLong()));
        qint64 sum = 0;
        for (const CsvRow& row : rows.first(rows.size() - 1)) {
            QCOMPARE(row["a_ns"].toLongLong(), expected.take(row["state"] + ' ' + row["detail"]));
            sum += row["a_ns"].toLongLong();
        }
        QVERIFY(sum > 300'000'000); // The sum covers the sleep of 0.3 s of the compared program "sleep".
        for (const qint64 rest : expected)
            QCOMPARE(rest, 0);
    }

    void withoutANameTheBusiestCommonProgramIsCompared()
    {
        const ProgramResult answer = compare({});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.out.contains(" in A, ") && answer.out.contains("wall time per run"), answer.out);
    }

    void aTracerIsNotWhatIsComparedWithoutAName()
    {
        HELIO_REQUIRE_TRACE(a, "ust-callstack", "callstack");
        HELIO_REQUIRE_TRACE(b, "ust-callstack", "python-fullstack");
        // lttng-consumerd uses more CPU time than sleep. It is not compared, because a program that records traces is chosen only after all
        // other programs.
        const ProgramResult answer = compare({"--json"}, {a}, {b});
        QCOMPARE(QJsonDocument::fromJson(answer.out).object()["program"].toString(), "sleep");
    }

    void functionsOfTwoRecordingsAreThoseOfOneRunOnEachSide()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const QStringList symbols{"--symbols", recordings + "/bin", "--kallsyms", recordings + "/text/kallsyms.txt"};
        const auto rows =
            csvRows(compare(QStringList{"--process", "matinit", "--functions", "--format", "csv"} + symbols, {solo}, {parallel}));
        int found = 0;
        for (const CsvRow& row : rows) {
            if (row["function"] == "initprm_" && row["module"] == "matinit") {
                ++found;
                QCOMPARE(row["samples_a"], "940"); // Number of samples that perf report prints for initprm_ in the recording "solo".
                QCOMPARE(row["self_a"].toLongLong(), 940 * 1'001'001LL);
                QCOMPARE(row["total_a"].toLongLong(), 2563 * 1'001'001LL);
                QCOMPARE(row["total_b"].toLongLong(), std::llround(10574 * 1'001'001LL / 4.0));
            }
        }
        QCOMPARE(found, 1);

        qint64 a = 0, b = 0;
        for (const QByteArray& line :
             compare(QStringList{"--process", "matinit", "--format", "folded"} + symbols, {solo}, {parallel}).lines()) {
            const auto parts = line.split(' ');
            a += parts[parts.size() - 2].toLongLong();
            b += parts.last().toLongLong();
        }
        QCOMPARE(a, 4395); // Number of all samples of the program matinit in recording A.
        QCOMPARE(b, 4534 + 4528 + 4524 + 4541);
    }

    void foldedStacksAreTheOnesOfPerfScriptOnBothSides()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QStringList symbols{"--symbols",          recordings + "/bin", "--symbols",
                                  recordings + "/libs", "--kallsyms",        recordings + "/text/kallsyms.txt"};
        const QByteArrayList lines = compare(QStringList{"--process", "matinit", "--format", "folded"} + symbols,
                                             {recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"})
                                         .lines();
        // Only stacks that end in the program's own functions are compared: names of functions in the kernel and in libraries may differ.
        const std::pair<int, QMap<QByteArray, qint64>> sides[] = {{1, foldedLeaves(recordings + "/text/solo.folded.txt")},
                                                                  {0, foldedLeaves(recordings + "/text/parallel4.folded.txt")}};
        for (const auto& [fromEnd, expected] : sides) {
            QMap<QByteArray, qint64> leaves;
            for (const QByteArray& line : lines) {
                const auto parts = line.split(' ');
                const QByteArray leaf = line.left(line.size() - parts.last().size() - parts[parts.size() - 2].size() - 2).split(';').last();
                leaves[leaf] += parts[parts.size() - 1 - fromEnd].toLongLong();
            }
            for (const char* name : {"initprm_", "gradient_", "energy_"}) {
                QVERIFY2(expected[name] > 0, name);
                QCOMPARE(leaves[name], expected[name]);
            }
        }
    }

    void theDifferentialFlameGraphIsWellFormed()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const ProgramResult answer = compare({"--format", "svg", "--elided", "--symbols", recordings + "/bin"},
                                             {recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"});
        QCOMPARE(answer.status, 0);
        QXmlStreamReader reader(answer.out);
        int frames = 0, outlines = 0;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("g")) {
                ++frames;
                outlines += reader.attributes().hasAttribute("data-o") ? 1 : 0;
            }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QVERIFY(frames > 30 && outlines > 0 && outlines < frames / 2);
        QVERIFY(answer.out.contains("matinit, per process"));
    }

    void jsonIsOneDocumentWithItsHeadline()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const auto document = [&](const QStringList& more) {
            return QJsonDocument::fromJson(
                       compare(QStringList{"--json"} + more, {recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"}).out)
                .object();
        };
        const QJsonObject breakdown = document({});
        QCOMPARE(breakdown["program"].toString(), "matinit");
        QCOMPARE(breakdown["unit"].toString(), "ns");
        QCOMPARE(breakdown["runs_b"].toInt(), 4);
        const double a = breakdown["wall_a_ns"].toDouble(), b = breakdown["wall_b_ns"].toDouble();
        QVERIFY(a > 4.39e9 && b > 9e9);
        QCOMPARE(breakdown["ratio"].toDouble(), b / a);
        QCOMPARE(breakdown["parallel_efficiency"].toDouble(), a / b);
        const QJsonArray rows = breakdown["rows"].toArray();
        QVERIFY(rows.size() >= 4);
        double shares = 0;
        for (qsizetype i = 0; i + 1 < rows.size(); ++i)
            shares += rows[i]["share_b"].toDouble();
        QVERIFY(std::abs(shares - 1) < 1e-9);
        QCOMPARE(rows.last()["b_ns"].toDouble(), b);

        const QJsonObject functions = document({"--functions"});
        QCOMPARE(functions["unit"].toString(), "ns");
        QCOMPARE(functions["per"].toString(), "process");
        QCOMPARE(functions["samples_a"].toInt(), 4395);
        QCOMPARE(functions["whole_a"].toDouble(), 4395 * 1'001'001.0);
        double self = 0;
        for (const QJsonValue& row : functions["rows"].toArray())
            self += row["self_a"].toDouble();
        QCOMPARE(self, functions["whole_a"].toDouble());
        QCOMPARE(document({"--functions", "--per", "share"})["whole_b"].toDouble(), 1.0);

        const QJsonObject nothing = document({"--durations"}); // The recordings have no states, so the table of durations is empty.
        QCOMPARE(nothing["program"].toString(), "matinit");
        QVERIFY(nothing["rows"].isArray() && nothing["rows"].toArray().isEmpty());
        const QJsonObject durations = QJsonDocument::fromJson(compare({"--json", "--durations", "--process", "mixwork"}).out).object();
        QVERIFY(durations["rows"].toArray().size() > 10);
        QCOMPARE(durations["runs_a"].toInt(), 1);
    }

    void amountsAreOfWhatIsAskedFor()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const auto initprm = [&](const QStringList& more) {
            for (const CsvRow& row : csvRows(compare(QStringList{"--functions", "--format", "csv", "--symbols", recordings + "/bin"} + more,
                                                     {recordings + "/data/solo.data"}, {recordings + "/data/parallel4.data"})))
                if (row["function"] == "initprm_")
                    return std::pair(row["self_a"].toDouble(), row["self_b"].toDouble());
            return std::pair(-1.0, -1.0);
        };
        const auto [samplesA, samplesB] = initprm({"--per", "samples"});
        QCOMPARE(samplesA, 940.0);
        QVERIFY(samplesB > 3 * samplesA); // Recording B has four processes that run matinit, recording A has one.
        const auto [shareA, shareB] = initprm({"--per", "share"});
        QVERIFY(std::abs(shareA - 940.0 / 4395) < 1e-6);
        QVERIFY(std::abs(shareB - samplesB / (4534 + 4528 + 4524 + 4541)) < 1e-6);
        const auto [unitA, unitB] = initprm({"--units-a", "10", "--units-b", "40"});
        QCOMPARE(unitA, 94.0 * 1'001'001);
        QCOMPARE(unitB, std::round(samplesB * 1'001'001 / 40));
        QCOMPARE(compare({"--per", "mile"}).status, 2);
        QCOMPARE(compare({"--units-a", "0"}).status, 2);
        QCOMPARE(compare({"--units-b", "nan"}).status, 2);
    }

    void theWaitForACpuIsWhatMadeFourTakeTwiceAsLong()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QString parallel = recordings + "/data/parallel4.data";
        const auto rows = csvRows(compare({"--process", "matinit", "--format", "csv"}, {solo}, {parallel}));
        QCOMPARE(rows.first()["state"], "waiting");
        QVERIFY(rows.first()["part_of_difference"].toDouble() > 0.9);
        QVERIFY(rows.last()["b_ns"].toLongLong() > 9'000'000'000 && rows.last()["b_ns"].toLongLong() < 9'200'000'000);
    }

    void bothColumnsOfFoldedStacksAreCompared()
    {
        QTemporaryDir folder;
        QFile file(folder.path() + "/two.folded");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a;b 1 20\na;c 3 0\na;d 0 7\n");
        file.close();

        const ProgramResult folded = heliograph({"compare", "--quiet", "--a", file.fileName(), "--format", "folded"});
        const ProgramResult table = heliograph({"compare", "--quiet", "--a", file.fileName(), "--format", "csv"});

        QCOMPARE(folded.status, 0);
        QCOMPARE(QSet<QByteArray>({"a;b 1 20", "a;c 3 0", "a;d 0 7"}), [&] {
            const auto lines = folded.out.trimmed().split('\n');
            return QSet<QByteArray>(lines.begin(), lines.end());
        }());
        QVERIFY(table.out.contains("b,,1,20,19,1,20,19,1,20,"));
    }

    void foldedStacksCompareWithTheRecordingTheyWereMadeOf()
    {
        HELIO_REQUIRE_TRACE(folder, "solo-vs-parallel-perf");
        const QStringList symbols{"--symbols", folder + "/bin", "--symbols", folder + "/libs", "--kallsyms", folder + "/text/kallsyms.txt"};

        const auto rows = csvRows(compare(symbols + QStringList{"--functions", "--per", "share", "--format", "csv"},
                                          {folder + "/text/solo.folded.txt"}, {folder + "/data/solo.data"}));

        const auto initprm = std::find_if(rows.begin(), rows.end(), [](const CsvRow& row) { return row["function"] == "initprm_"; });
        QVERIFY(initprm != rows.end());
        QCOMPARE((*initprm)["samples_a"], (*initprm)["samples_b"]);
        QVERIFY((*initprm)["samples_a"].toLongLong() > 900);
    }

    void truncatedSideIsReported()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        QTemporaryDir folder;
        QFile whole(recordings + "/data/solo.data");
        QFile cut(folder.path() + "/cut.data");
        QVERIFY(whole.open(QIODevice::ReadOnly) && cut.open(QIODevice::WriteOnly));
        cut.write(whole.read(300'000));
        cut.close();
        const auto answer = [&](const QStringList& a, const QStringList& b) {
            return heliograph(QStringList{"compare", "--a"} + a + QStringList{"--b"} + b);
        };
        const ProgramResult inA = answer({cut.fileName()}, {whole.fileName()});
        QCOMPARE(inA.status, 0); // The exit status is 0, because compare uses the readable part of the damaged file, like other commands.
        QVERIFY2(inA.err.contains("heliograph: A: " + cut.fileName().toUtf8())
                     && inA.err.contains("The file ends within its data, at offset 300000: "),
                 inA.err);
        QVERIFY2(!inA.err.contains("times"), inA.err); // The message is printed once, without a number of repetitions such as "2 times".
        QVERIFY2(!inA.err.contains("B: "), inA.err);
        const ProgramResult inB = answer({whole.fileName()}, {cut.fileName()});
        QVERIFY2(inB.err.contains("heliograph: B: " + cut.fileName().toUtf8()), inB.err);
        QVERIFY2(heliograph({"flame", cut.fileName()}).err.contains(cut.fileName().toUtf8()), "flame says nothing");
        // compare() runs the program with --quiet, which suppresses the message.
        QVERIFY(compare({}, {cut.fileName()}, {whole.fileName()}).err.isEmpty());
    }

    void framesWithoutNamesAreSaidOfTheirSide()
    {
        HELIO_REQUIRE_TRACE(recordings, "solo-vs-parallel-perf");
        const QString solo = recordings + "/data/solo.data";
        const QStringList sides{"compare", "--a", solo, "--b", solo};
        const ProgramResult answer = heliograph(sides + QStringList{"--functions"});
        for (const char* side : {"A: ", "B: "})
            QVERIFY2(answer.err.contains(QByteArray("heliograph: ") + side) && answer.err.contains("addresses have no name"), answer.err);
        // Without --functions, compare prints no names of functions, so it does not complain about missing names.
        QVERIFY(!heliograph(sides).err.contains("no name"));
    }

    void unlikeCountersAreNotSubtracted()
    {
        QTemporaryDir folder;
        const QString a = script(folder, "a.txt", "cache-misses");
        const QString b = script(folder, "b.txt", "cycles");
        const QStringList all{"--all", "--format", "csv"};
        for (const char* per : {"process", "samples", "unit"}) {
            const ProgramResult answer = compare(all + QStringList{"--per", per}, {a}, {b});
            QCOMPARE(answer.status, 2);
            QVERIFY2(answer.err.contains("cache-misses in A and cycles in B do not count the same thing"), answer.err);
        }
        QCOMPARE(compare(all + QStringList{"--per", "share"}, {a}, {b}).status, 0);
        QCOMPARE(compare(all, {b}, {b}).status, 0);
        const QString user = script(folder, "user.txt", "cycles:u");
        QCOMPARE(compare(all + QStringList{"--per", "process"}, {b}, {user}).status, 2);
        QCOMPARE(compare(all + QStringList{"--event", "cycles"}, {b}, {user}).status, 0);
    }

    void whatDoesNotCountTheSameComparesByShares()
    {
        QTemporaryDir folder;
        const auto document = [&](const QString& a, const QString& b) {
            const ProgramResult answer = heliograph({"compare", "--all", "--functions", "--json", "--a", a, "--b", b});
            const QJsonObject object = QJsonDocument::fromJson(answer.out).object();
            return object["notes"].toArray().isEmpty() || answer.err.contains(object["notes"][0].toString().toUtf8()) ? object
                                                                                                                      : QJsonObject();
        };
        const QString misses = script(folder, "misses.txt", "cache-misses");
        const QString cycles = script(folder, "cycles.txt", "cycles");
        QFile file(folder.path() + "/stacks.folded");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("prog;main 7\n");
        file.close();
        const QJsonObject counters = document(misses, cycles);
        QCOMPARE(counters["per"].toString(), "share");
        QCOMPARE(counters["notes"][0].toString(), "cache-misses in A and cycles in B do not count the same thing: shares are compared");
        QCOMPARE(counters["rows"][0]["self_b"].toDouble(), 1.0);
        const QJsonObject text = document(file.fileName(), cycles);
        QCOMPARE(text["per"].toString(), "share");
        QCOMPARE(text["notes"][0].toString(), "A has no times: shares are compared");
        QCOMPARE(document(cycles, cycles)["per"].toString(), "process");
        QCOMPARE(heliograph({"compare", "--functions", "--per", "samples", "--a", file.fileName(), "--b", cycles}).status, 2);
        const ProgramResult svg = compare({"--format", "svg"}, {file.fileName()}, {cycles});
        QVERIFY(svg.out.contains("all, share of all") && svg.out.contains("A has no times"));
        QCOMPARE(compare({"--format", "folded"}, {file.fileName()}, {cycles}).out, "prog;main 7 1\n");
    }

    void inlinedFunctionsOfOneSideAreNoDifference()
    {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& top) {
            QFile file(folder.path() + '/' + name);
            if (file.open(QIODevice::WriteOnly))
                file.write("prog  10 [000] 1.000000: 250000 cycles: \n" + top + "\t55d1 main+0x10 (/bin/prog)\n\n");
            return file.fileName();
        };
        const QString a = write("a.txt", "");
        const QString b = write("b.txt", "\t55d1 sum (inlined)\n");
        const ProgramResult folded = compare({"--all", "--format", "folded"}, {a}, {b});
        QCOMPARE(folded.out, "prog;main 1 1\n");
        const ProgramResult json = heliograph({"compare", "--all", "--functions", "--json", "--a", a, "--b", b});
        const QByteArray note = "inlined functions count for their callers: A has none";
        QCOMPARE(QJsonDocument::fromJson(json.out)["notes"][0].toString().toUtf8(), note);
        QVERIFY2(json.err.contains(note), json.err);
        QVERIFY(compare({"--all", "--format", "svg"}, {a}, {b}).out.contains("1 samples in A, 1 in B; " + note));
        QCOMPARE(compare({"--all", "--format", "folded"}, {b}, {b}).out, "prog;main;sum 1 1\n");
    }

    void amountsOfAUnitOfWorkAreAsSmallAsTheyAre()
    {
        QTemporaryDir folder;
        const QString a = script(folder, "a.txt", "cycles");
        const QStringList units{"--all", "--units-a", "1000000", "--units-b", "4000000", "--format"};
        const auto rows = csvRows(compare(units + QStringList{"csv"}, {a}, {a}));
        QVERIFY(!rows.isEmpty());
        QCOMPARE(rows.first()["self_a"], "0.25");
        QCOMPARE(rows.first()["self_b"], "0.0625");
        QCOMPARE(rows.first()["self_difference"], "-0.1875");
        const ProgramResult json = compare(units + QStringList{"json"}, {a}, {a});
        QVERIFY2(json.out.contains("\"self_a\":0.25,"), json.out);
    }

    void allSamplesAreOfNoRuns()
    {
        QTemporaryDir folder;
        const QString a = script(folder, "a.txt", "cycles");
        const ProgramResult answer = compare({"--all", "--format", "svg"}, {a}, {a});
        QVERIFY2(answer.out.contains("1 samples in A, 1 in B"), answer.out);
    }

    void whatExcludesEachOtherIsRefused()
    {
        QCOMPARE(compare({"--durations", "--all"}).status, 2);
        QCOMPARE(compare({"--per", "share", "--units-a", "5"}).status, 2);
        QCOMPARE(compare({"--per", "process", "--units-b", "5"}).status, 2);
        QTemporaryDir folder;
        QFile file(folder.path() + "/two.folded");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("a;b 1 20\n");
        file.close();
        const ProgramResult durations = heliograph({"compare", "--quiet", "--a", file.fileName(), "--durations"});
        QCOMPARE(durations.status, 1);
        QVERIFY(durations.out.isEmpty());
    }

    void whatIsMissingIsSaid()
    {
        QCOMPARE(heliograph({"compare", "--a", sampleTrace()}).status, 2);
        const ProgramResult unknown = compare({"--process", "no-such-program"});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains("no process \"no-such-program\" ran in A"), unknown.err);
        const ProgramResult nothing = compare({}, {"/no/such/file"});
        QCOMPARE(nothing.status, 1);
        QVERIFY(nothing.err.contains("/no/such/file"));
    }
};

HELIO_TEST(CompareOutputTest)
#include "tst_compare_output.moc"
