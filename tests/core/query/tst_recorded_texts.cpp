// Property: a recording and the texts that perf script and a folding script print of it have equal samples.

#include "core/experiment/timeline.h"
#include "core/profiling/samples/annotation.h"
#include "tests/support/opened_text.h"
#include "tests/support/perf_recording.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

using namespace helio;

namespace {

const char* const Collection = "solo-vs-parallel-perf";

using Lines = std::map<QString, qint64>;

/// Replaces modules by "[unknown]" in frames without a name: Heliograph shows the module, like stackcollapse-perf.pl; the reference texts
/// do not.
QString withoutModules(const QString& stack)
{
    QStringList frames = stack.split(';');
    for (qsizetype i = 1; i < frames.size(); ++i)
        if (frames[i].startsWith('['))
            frames[i] = "[unknown]";
    return frames.join(';');
}

void addLines(const QString& text, Lines& lines)
{
    for (const QString& line : text.split('\n', Qt::SkipEmptyParts))
        lines[withoutModules(line.section(' ', 0, -2))] += line.section(' ', -1).toLongLong();
}

Lines linesOfFile(const QString& path)
{
    QFile file(path);
    Lines lines;
    if (file.open(QIODevice::ReadOnly))
        addLines(QString::fromUtf8(file.readAll()), lines);
    return lines;
}

QString folder() { return realTrace(Collection); }

std::unique_ptr<OpenedText> opened(const QString& name)
{
    auto text = OpenedText::ofFile(folder() + '/' + name, recordingOptions(folder()).symbols);
    if (!text->timeline)
        qFatal("%s", text->error.c_str());
    return text;
}

/// Sums of samples by process, thread, CPU and event, which do not depend on symbols.
std::map<QString, quint64> sumsOf(const OpenedText& text)
{
    std::map<QString, quint64> sums;
    for (const SampleKindFacts& facts : sampleKinds(*text.timeline)) {
        if (facts.kind.origin != SampleKind::Origin::Event)
            continue;
        const StackProfile profile = text.profile(facts.kind.name);
        for (const CollectedStack& stack : profile.stacks) {
            const SampledThread& thread = profile.threads[stack.thread];
            const QString who =
                QString::fromStdString(facts.kind.name + ' ' + thread.comm) + QStringLiteral(" %1 %2").arg(thread.tid).arg(stack.cpu);
            sums[who + " samples"] += stack.samples;
            sums[who + " weight"] += stack.weight;
        }
    }
    return sums;
}

} // namespace

class RecordedTextsTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        if (realTrace(Collection).isEmpty())
            QSKIP(qPrintable(missingTrace(Collection)));
    }

    void stacksOfTheTextEqualTheFoldedReference_data()
    {
        QTest::addColumn<int>("unused");
        for (const char* name : {"solo", "parallel4", "solo-z", "solo-noa", "solo-dwarf", "parallel4-multi3"})
            QTest::newRow(name) << 0;
    }
    void stacksOfTheTextEqualTheFoldedReference()
    {
        const QString name = QTest::currentDataTag();
        const auto text = opened("text/" + name + ".script.txt");
        Lines ours;

        for (const SampleKindFacts& facts : sampleKinds(*text->timeline))
            addLines(QString::fromStdString(text->folded(facts.kind.name)), ours);

        QCOMPARE(ours, linesOfFile(folder() + "/text/" + name + ".folded.txt"));
        QVERIFY(!ours.empty());
        QVERIFY2(text->trace().diagnostics().empty(), text->firstComplaint().c_str());
    }

    void foldedStacksComeBackAsTheyWere_data() { stacksOfTheTextEqualTheFoldedReference_data(); }
    void foldedStacksComeBackAsTheyWere()
    {
        const QString path = QStringLiteral("text/%1.folded.txt").arg(QTest::currentDataTag());
        const auto text = opened(path);
        Lines ours;

        addLines(QString::fromStdString(text->folded()), ours);

        QCOMPARE(ours, linesOfFile(folder() + '/' + path));
    }

    void sumsOfTheTextEqualThoseOfTheRecording_data()
    {
        QTest::addColumn<int>("unused");
        for (const char* name : {"solo", "parallel4", "solo-z", "solo-noa", "solo-dwarf", "parallel4-multi3"})
            QTest::newRow(name) << 0;
    }
    void sumsOfTheTextEqualThoseOfTheRecording()
    {
        const QString name = QTest::currentDataTag();
        const auto text = opened("text/" + name + ".script.txt");
        const auto recording = opened("data/" + name + ".data");

        QCOMPARE(sumsOf(*text), sumsOf(*recording));
    }

    void switchesOfTheTextAreThoseOfTheRecording()
    {
        const auto text = opened("text/parallel4-sched.script.txt");
        const auto recording = opened("data/parallel4-sched.data");

        for (const char* kind : {"off-cpu:preempted", "off-cpu:blocked", "off-cpu:waiting"}) {
            const StackProfile ours = text->profile(kind);
            const StackProfile theirs = recording->profile(kind);

            QCOMPARE(ours.samples, theirs.samples);
            // The text contains times in µs, so that each sample may differ by up to 1,000 ns.
            QVERIFY2(std::abs(double(ours.weight) - double(theirs.weight)) < 1000.0 * double(theirs.samples), kind);
        }
    }

    void linesOfAFunctionAreThoseOfTheRecording()
    {
        const auto annotated = [](const OpenedText& opened) {
            const StackProfile profile = opened.profile("cpu-clock");
            const StackNames names = nameStacks(profile, *opened.timeline);
            const auto function =
                std::find_if(names.functions.begin(), names.functions.end(), [](const auto& f) { return f.name == "initprm_"; });
            return annotate(profile, names, *opened.timeline, *function);
        };
        const auto text = opened("text/solo.script.txt");
        const auto recording = opened("data/solo.data");

        const Annotation ours = annotated(*text);
        const Annotation theirs = annotated(*recording);

        QVERIFY(!theirs.addresses.empty());
        QCOMPARE(ours.sums.self, theirs.sums.self);
        QCOMPARE(ours.sums.total, theirs.sums.total);
        QCOMPARE(ours.addresses.size(), theirs.addresses.size());
        for (std::size_t i = 0; i < theirs.addresses.size(); ++i)
            QCOMPARE(ours.addresses[i].sums.self, theirs.addresses[i].sums.self);
        for (std::size_t i = 0; i < theirs.addresses.size(); ++i)
            QCOMPARE(ours.addresses[i].sums.total, theirs.addresses[i].sums.total);
    }
};

HELIO_TEST(RecordedTextsTest)
#include "tst_recorded_texts.moc"
