#include "core/formats/profiles/callgrind_costs.h"
#include "core/formats/profiles/callgrind_reader.h"
#include "core/profiling/samples/annotation.h"
#include "tests/support/dice.h"
#include "tests/support/indexed.h"
#include "tests/support/opened_text.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace helio;

namespace {

const QByteArray Head = "# callgrind format\nevents: Ir Dr\n\n";

/// Callgrind profile: main calls work once and helper twice; work calls helper twice.
const QByteArray SmallProfile = Head
    + "ob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\n10 5 1\ncfn=(2) work\ncalls=1 20\n+1 30 4\ncfn=(3) helper\ncalls=2 30\n* 20\n"
      "fn=(2)\n20 10 4\ncfn=(3)\ncalls=2 30\n+2 20\n\nfn=(3)\n30 25\n+1 15\n\ntotals: 55 5\n";

/// Costs of functions, in counts of one profiled event (e.g. Ir, instructions), keyed by function name.
using CostByName = std::map<QString, qint64>;

/// Runs a program in a folder and returns its standard output; empty if the program does not end within 120 s.
QByteArray outputOf(const QString& program, const QStringList& arguments, const QString& folder)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    return process.waitForFinished(120'000) ? process.readAllStandardOutput() : QByteArray();
}

/// Returns the costs of functions in the output of callgrind_annotate. For a function that is listed for several files: the sum of its
/// costs if `addsUp`; otherwise the function is omitted, because its inclusive costs in the files overlap.
CostByName costsIn(const QByteArray& output, bool addsUp)
{
    static const QRegularExpression line(R"(^\s*([\d,]+) *\( *[\d.]+%\)\s+[^:]*:(.*?)(?: \[.*\])?$)");
    CostByName costs;
    std::map<QString, int> files;
    for (const QString& text : QString::fromUtf8(output).split('\n')) {
        const auto match = line.match(text);
        if (!match.hasMatch())
            continue;
        const QString name = match.captured(2);
        costs[name] += match.captured(1).remove(',').toLongLong();
        ++files[name];
    }
    std::erase_if(costs, [&](const auto& it) { return !addsUp && files[it.first] > 1; });
    return costs;
}

/// Returns the inclusive costs of functions if `isInclusive`, else their self costs, computed from folded stacks. The first frame is
/// ignored: it names the thread.
CostByName costsIn(const std::string& folded, bool isInclusive)
{
    CostByName costs;
    for (const QString& line : QString::fromStdString(folded).split('\n', Qt::SkipEmptyParts)) {
        const QStringList frames = line.section(' ', 0, -2).split(';').mid(1);
        const qint64 cost = line.section(' ', -1).toLongLong();
        if (!isInclusive)
            costs[frames.back()] += cost;
        else
            for (const QString& frame : QSet<QString>(frames.begin(), frames.end()))
                costs[frame] += cost;
    }
    return costs;
}

std::string folded(const QByteArray& text, const std::string& event = "Ir")
{
    return OpenedText(text, "callgrind.out").folded(event, WeightBy::Weight);
}

} // namespace

/// Input: profiles of Callgrind.
class CallgrindTest : public QObject {
    Q_OBJECT

private slots:
    void costsAreDividedAmongCallers()
    {
        const OpenedText opened(SmallProfile, "callgrind.out");

        QVERIFY2(opened.timeline, opened.error.c_str());
        QCOMPARE(opened.trace().info().format, "callgrind");
        QVERIFY(!opened.trace().info().hasTimes);
        QCOMPARE(opened.folded("Ir", WeightBy::Weight),
                 "program;main 5\nprogram;main;helper 20\n"
                 "program;main;work 10\nprogram;main;work;helper 20\n");
        QCOMPARE(opened.folded("Dr", WeightBy::Weight), "program;main 1\nprogram;main;work 4\n");
        QCOMPARE(opened.complaints("estimated-stacks"), std::uint64_t(1));
        const auto kinds = sampleKinds(*opened.timeline);
        QCOMPARE(kinds.at(0).kind.name, "Ir");
        QCOMPARE(kinds.at(0).kind.unit, "Ir");
        QCOMPARE(kinds.at(0).kind.origin, SampleKind::Origin::Summed);
    }

    void callsAreCounted()
    {
        const QByteArray text = "cmd: /usr/bin/app --x\n" + SmallProfile + "fn=(2)\n40 1\ncfn=(2)\ncalls=7 20\n40 1\n";
        const OpenedText opened(text, "callgrind.out");

        QCOMPARE(opened.folded("calls", WeightBy::Weight), "app;main;helper 2\napp;main;work 1\napp;work;helper 2\napp;work;work 7\n");
        QCOMPARE(OpenedText(Head + "fn=f\n1 1\ncfn=g\ncalls=x 2\n1 3\n", "c").complaints("bad-calls"), std::uint64_t(1));
    }

    /// Property: nothing is said to record times that the format cannot have; texts of perf's samples can have them.
    void noCommandPromisesTimes()
    {
        const auto commandFor = [](const OpenedText& opened) {
            return QString::fromStdString(test::analysisOf("kernel").missing(opened.trace()).front().command);
        };
        QCOMPARE(commandFor(OpenedText(SmallProfile, "callgrind.out")), QString());
        QCOMPARE(commandFor(OpenedText("app;main;work 3\n", "a.folded")), QString("perf script"));
    }

    void linesHaveTheirCosts()
    {
        const OpenedText opened(SmallProfile, "callgrind.out");
        const StackProfile profile = opened.profile("Ir");
        const StackNames names = nameStacks(profile, *opened.timeline);
        const auto main = std::ranges::find(names.functions, "main", &SampledFunction::name);
        QVERIFY(main != names.functions.end());

        const Annotation annotation = annotate(profile, names, *opened.timeline, *main);

        QCOMPARE(annotation.files, std::vector<std::string>{"a.c"});
        QCOMPARE(annotation.lines.size(), std::size_t(2));
        QCOMPARE(annotation.lines[0].line, 10u);
        QCOMPARE(annotation.lines[0].sums.self.weight, std::uint64_t(5));
        QCOMPARE(annotation.lines[0].sums.total.weight, std::uint64_t(5));
        QCOMPARE(annotation.lines[1].line, 11u);
        QCOMPARE(annotation.lines[1].sums.self.weight, std::uint64_t(0));
        QCOMPARE(annotation.lines[1].sums.total.weight, std::uint64_t(50));
        QVERIFY(!annotation.lines[1].isInlined);
    }

    void positionsAreRelativeAndNamesAreCompressed()
    {
        const QByteArray text = "positions: instr line\nevents: Ir\nfl=(2) x.c\nfn=(7) f\n0x10 5 1\n+4 +1 2\n* -2 4\njump=3 0x10 5\n* *\n"
                                "fi=(3) y.h\n+8 * 8\nfe=(2)\nob=lib\nfn=(9) g\n0x90 1 16\n";
        QCOMPARE(folded(text), "program;f 15\nprogram;g 16\n");
    }

    void recursionAddsNoFrames()
    {
        const QByteArray text = Head + "fn=main\n1 1\ncfn=f\ncalls=1 2\n1 30\nfn=f\n2 30\ncfn=f\ncalls=9 2\n2 200\n";
        QCOMPARE(folded(text), "program;main 1\nprogram;main;f 30\n");
    }

    void functionsInACircleAreOneFrame()
    {
        const QByteArray text = Head
            + "fn=main\n1 1\ncfn=f\ncalls=1 2\n1 30\nfn=f\n2 10\ncfn=g\ncalls=1 3\n2 20\nfn=g\n3 15\ncfn=f\n"
              "calls=1 2\n3 9\ncfn=h\ncalls=1 4\n3 5\nfn=h\n4 5\n";
        QCOMPARE(folded(text),
                 "program;main 1\nprogram;main;<cycle 1>;f 10\nprogram;main;<cycle 1>;g 15\n"
                 "program;main;<cycle 1>;g;h 5\n");
    }

    void sumsAreKeptWithManyCallers()
    {
        QByteArray text = Head;
        for (int i = 0; i < 200; ++i)
            text += "fn=f" + QByteArray::number(i) + "\n1 1\ncfn=h\ncalls=1 5\n1 " + QByteArray::number(i) + '\n';
        const CostByName costs = costsIn(folded(text + "fn=h\n5 10000\n6 9900\n"), true);

        QCOMPARE(costs.at("h"), qint64(19'900));
        for (int i = 0; i < 200; ++i)
            QCOMPARE(costs.at('f' + QString::number(i)), qint64(i + 1));
    }

    void theLeastOfTooManyCallersAreJoined()
    {
        constexpr int Callers = 3000;
        QByteArray text = Head;
        for (int i = 0; i < Callers; ++i)
            text += "fn=f" + QByteArray::number(i) + "\n1 1\ncfn=h\ncalls=1 5\n1 " + QByteArray::number(i) + '\n';
        text += "fn=h\n";
        for (int line = 1; line < Callers / 2; ++line)
            text += QByteArray::number(line) + ' ' + QByteArray::number(Callers) + '\n';
        const CostByName costs = costsIn(folded(text + "5 " + QByteArray::number(Callers / 2) + '\n'), true);

        QCOMPARE(costs.at("h"), qint64(Callers) * (Callers - 1) / 2);
        QCOMPARE(costs.at("f2999"), qint64(Callers));
        QCOMPARE(costs.at("f0"), qint64(1));
        QVERIFY(costs.at("[other callers]") > 0);
    }

    void badLinesAreReported()
    {
        const OpenedText opened("events: Ir\n5 7\nfn=(1) f\n1 2\nnonsense\n1 x\ny=3\n+z 1\ncfn=(8)\ncalls=1 1\n1 5\ncalls=1 1\n1 9\n1 1",
                                "c");

        QCOMPARE(opened.profile("Ir").weight, std::uint64_t(3));
        for (const char* kind :
             {"no-function", "bad-line", "bad-cost", "unknown-line", "bad-position", "unknown-name", "unknown-callee", "missing-costs"})
            QVERIFY2(opened.complaints(kind) == 1, kind);
        QCOMPARE(opened.complaints("cut-text"), std::uint64_t(1));
        QVERIFY(QString::fromStdString(opened.firstComplaint()).startsWith("line 2:"));
    }

    /// Property: the targets of jumps (--collect-jumps=yes) define names to which later lines refer.
    void targetsOfJumpsDefineNames()
    {
        const QByteArray text = Head + "fn=(1) a\n1 1\njfi=(7) b.c\njfn=(8) b\njcnd=1/1 +3\n1\nfi=(7)\n4 2\nfn=(8)\n5 4\n";
        QCOMPARE(OpenedText(text, "c").complaints("unknown-name"), std::uint64_t(0));
        QCOMPARE(folded(text), "program;a 3\nprogram;b 4\n");
    }

    void callsThatCostMoreThanTheFunctionAreScaled()
    {
        const QByteArray text = Head + "fn=a\n1 1\ncfn=h\ncalls=1 5\n1 30\nfn=b\n1 1\ncfn=h\ncalls=1 5\n1 10\nfn=h\n5 8\n";
        QCOMPARE(OpenedText(text, "c").complaints("missing-costs"), std::uint64_t(1));
        QCOMPARE(folded(text), "program;a 1\nprogram;a;h 6\nprogram;b 1\nprogram;b;h 2\n");
    }

    void damageIsSurvived()
    {
        Dice dice(9);
        const auto read = [](const QByteArray& bytes) {
            const std::string_view view(bytes.data(), std::size_t(bytes.size()));
            SampleRecording recording("x");
            (void)profiles::isCallgrind(view);
            (void)profiles::readCallgrind(view, recording, {});
            recording.finish();
            QVERIFY(recording.events.events().size() <= 100);
        };
        for (qsizetype size = 0; size < SmallProfile.size(); ++size)
            read(SmallProfile.first(size));
        for (int round = 0; round < 3000; ++round)
            read(dice.damaged(SmallProfile, "0123456789+-*=()\n"));
    }

    /// Property: costs that a line does not contain need no memory, however many events the profile names.
    void missingCostsAreNotStored()
    {
        const QByteArray text = "events:" + QByteArray(" E").repeated(64) + "\nfn=a\n" + QByteArray("1 7\n").repeated(1000);
        SampleRecording recording("x");
        const auto costs = profiles::readCallgrindCosts({text.data(), std::size_t(text.size())}, recording, {});

        QVERIFY(costs);
        QCOMPARE(costs->events.size(), std::size_t(64));
        QCOMPARE(costs->costs.size(), std::size_t(1000));
        QCOMPARE(costs->values.size(), std::size_t(1000));
    }

    void readingIsStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        SampleRecording recording("x");
        QVERIFY(!profiles::readCallgrind({SmallProfile.data(), std::size_t(SmallProfile.size())}, recording, stop.get_token()));
    }

    void aRecordedProfileEqualsCallgrindAnnotate()
    {
        if (QStandardPaths::findExecutable("valgrind").isEmpty() || QStandardPaths::findExecutable("callgrind_annotate").isEmpty())
            QSKIP("valgrind is not installed");
        QTemporaryDir folder;
        const QString file = folder.filePath("callgrind.out");
        outputOf("valgrind", {"--tool=callgrind", "--dump-instr=yes", "--callgrind-out-file=" + file, "sort", "--version"}, folder.path());
        if (!QFile::exists(file))
            QSKIP("valgrind cannot run here");
        const QStringList options{"--threshold=100", "--auto=no"};
        const CostByName self = costsIn(outputOf("callgrind_annotate", options + QStringList{file}, folder.path()), true);
        CostByName inclusive =
            costsIn(outputOf("callgrind_annotate", options + QStringList{"--inclusive=yes", file}, folder.path()), false);
        const auto opened = OpenedText::ofFile(file);
        QVERIFY2(opened->timeline, opened->error.c_str());
        const std::string stacks = opened->folded("Ir", WeightBy::Weight);

        QVERIFY(self.size() > 50);
        CostByName own = costsIn(stacks, false);
        std::erase_if(own, [](const auto& it) { return it.second == 0; });
        QCOMPARE(own.size(), self.size());
        for (const auto& [name, cost] : self)
            QVERIFY2(own[name] == cost, qPrintable(QString("%1: %2, not %3").arg(name).arg(own[name]).arg(cost)));
        CostByName total = costsIn(stacks, true);
        // callgrind_annotate counts recursive calls again; such functions are named "f'2", or are in a circle. Functions of several objects
        // with one name, as "(below main)" and addresses, are one to it, so that their calls of each other are counted again, too.
        int compared = 0;
        for (const auto& [name, cost] : inclusive) {
            if (name.contains('\'') || name == "(below main)" || name.startsWith("0x") || stacks.find("<cycle") != std::string::npos)
                continue;
            QVERIFY2(total[name] == cost, qPrintable(QString("%1: %2, not %3").arg(name).arg(total[name]).arg(cost)));
            ++compared;
        }
        QVERIFY(compared > 30 || stacks.find("<cycle") != std::string::npos);
    }

    void theExamplesOfItsManualAreExact()
    {
        for (const char* name : {"callgrind.example.log", "callgrind.name-compression.log"}) {
            const QString path = sharedFile(QString("formats/profiles/") + name);
            if (path.isEmpty())
                QSKIP(qPrintable(missingTrace("formats")));
            QCOMPARE(OpenedText::ofFile(path)->folded("Instructions", WeightBy::Weight),
                     "program;main 20\nprogram;main;func1 100\n"
                     "program;main;func1;func2 300\nprogram;main;func2 400\n");
        }
    }
};

HELIO_TEST(CallgrindTest)
#include "tst_callgrind.moc"
