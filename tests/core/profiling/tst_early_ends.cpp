#include "core/experiment/timeline.h"
#include "core/profiling/samples/sample_messages.h"
#include "core/profiling/samples/truncated_stacks.h"
#include "tests/support/fake_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// A trace with a list of modules.
class TraceWithModules final : public Trace {
public:
    explicit TraceWithModules(std::vector<Module> modules)
        : m_modules(std::move(modules))
        , m_rest(TraceInfo{}, {}, {})
    {
    }

    const TraceInfo& info() const override { return m_rest.info(); }
    const EventTypes& eventTypes() const override { return m_rest.eventTypes(); }
    std::span<const StreamInfo> streams() const override { return m_rest.streams(); }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override
    {
        return m_rest.openStream(stream, from);
    }
    std::span<const Diagnostic> diagnostics() const override { return {}; }
    std::span<const Module> modules() const override { return m_modules; }

private:
    std::vector<Module> m_modules;
    test::FakeTrace m_rest;
};

Timeline timelineWith(const std::vector<std::string>& paths)
{
    std::vector<Module> modules(1);
    for (const std::string& path : paths) {
        modules.emplace_back().kind = Module::Kind::File;
        modules.back().path = path;
    }
    Timeline timeline;
    timeline.traces.emplace_back().trace = std::make_shared<TraceWithModules>(std::move(modules));
    timeline.stores.emplace_back();
    return timeline;
}

/// Stacks of two frames: a function of module 1 and its caller in another module.
class Stacks {
public:
    Stacks() { profile.nodes.emplace_back(); }

    Stacks& add(UnwindEnd end, std::uint64_t samples, std::uint32_t callersModule)
    {
        const auto caller = static_cast<std::uint32_t>(profile.nodes.size());
        profile.nodes.push_back({0, {}, {ModuleId{callersModule}, true, 20}});
        profile.nodes.push_back({caller, {}, {ModuleId{1}, false, 10}});
        CollectedStack stack;
        stack.node = caller + 1;
        stack.samples = samples;
        stack.end = end;
        profile.stacks.push_back(stack);
        profile.samples += samples;
        return *this;
    }

    StackProfile profile;
};

} // namespace

class EarlyEndsTest : public QObject {
    Q_OBJECT

private slots:
    void endsAreAddedUpByReasonAndTheModulesOfTheirLastFrames()
    {
        const Timeline timeline = timelineWith({"/bin/prog", "/lib/liba.so", "/lib/libb.so"});
        Stacks made;
        made.add(UnwindEnd::Complete, 100, 1).add(UnwindEnd::NoFile, 3, 2).add(UnwindEnd::NoFile, 5, 3).add(UnwindEnd::NoFile, 1, 2);
        made.add(UnwindEnd::Truncated, 20, 1);

        const TruncatedStacks ends = findTruncatedStacks(made.profile, timeline);

        QCOMPARE(ends.all, std::uint64_t(129));
        QCOMPARE(ends.samples, std::uint64_t(29));
        QVERIFY((ends.reasons
                 == std::vector<StackTruncation>{{UnwindEnd::Truncated, 20, {"prog"}}, {UnwindEnd::NoFile, 9, {"libb.so", "liba.so"}}}));
    }

    void eachReasonIsASentenceWithWhatCanBeDone_data()
    {
        QTest::addColumn<int>("why");
        QTest::addColumn<QString>("sentence");
        const auto row = [](UnwindEnd why, const char* sentence) { QTest::newRow(sentence) << int(why) << QString(sentence); };
        row(UnwindEnd::Truncated,
            "2 of 9 stacks are truncated: the recorded stack copy is too short; record with --call-graph "
            "dwarf,65528 to copy as much as possible");
        row(UnwindEnd::NoFile,
            "2 of 9 stacks are truncated: the file of the last frame was not found (liba.so); add a folder that "
            "contains the recorded files with --symbols DIR or File > Symbol paths");
        row(UnwindEnd::NoModule, "2 of 9 stacks are truncated: a return address is in no mapped file");
        row(UnwindEnd::TooDeep, "2 of 9 stacks are truncated: the stack is deeper than the limit");
        row(UnwindEnd::NotRecorded,
            "2 of 9 stacks are truncated: the stack is deeper than the recorder's limit; raise the limit before "
            "recording: sysctl kernel.perf_event_max_stack=512");
        row(UnwindEnd::BrokenChain,
            "2 of 9 stacks are truncated: the chain of frame pointers is broken (liba.so); record with "
            "--call-graph dwarf, or compile the code with -fno-omit-frame-pointer");
    }
    void eachReasonIsASentenceWithWhatCanBeDone()
    {
        QFETCH(int, why);
        QFETCH(QString, sentence);

        QCOMPARE(QString::fromStdString(sentenceOf({UnwindEnd(why), 2, {"liba.so"}}, 9)), sentence);
    }

    void aPhraseSaysTheReasonOfANumberOfStacks()
    {
        QCOMPARE(QString::fromStdString(phraseOf({UnwindEnd::BrokenChain, 1803, {"liba.so"}})),
                 QString("1803 because the chain of frame pointers is broken (liba.so)"));
    }

    void aNotableShareIsAWarningALesserOneANote()
    {
        const auto severities = [](std::uint64_t ended, std::uint64_t nameless) {
            QStringList all;
            const TruncatedStacks ends{{{UnwindEnd::Truncated, ended, {}}}, ended, 1000};
            for (const Message& message : sampleMessages(ended > 0 ? ends : TruncatedStacks{}, {{nameless, 0}, {"prog"}}, 1000))
                all << QString::fromStdString(message.kind) + (message.severity == Diagnostic::Severity::Warning ? " warning" : " note");
            return all;
        };

        QCOMPARE(severities(0, 0), QStringList());
        QCOMPARE(severities(1, 529), (QStringList{"early-ends note", "nameless-code warning"}));
        QCOMPARE(severities(500, 9), (QStringList{"early-ends warning"}));
        QCOMPARE(severities(0, 11), (QStringList{"nameless-code note"}));
        const auto message = sampleMessages({}, {{529, 0}, {"prog", "liba.so"}}, 1000);
        QCOMPARE(QString::fromStdString(message.front().text),
                 QString("52.9 % of samples are in functions without symbols: prog, liba.so."));
    }
};

HELIO_TEST(EarlyEndsTest)
#include "tst_early_ends.moc"
