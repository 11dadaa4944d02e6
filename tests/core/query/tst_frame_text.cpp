// Property: values that are stack frames are shown as text. Input: also modules that only a store contains, not the trace.

#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/trace/process/recorded_names.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

namespace {

Module moduleNamed(Module::Kind kind, std::string path)
{
    Module module;
    module.kind = kind;
    module.path = std::move(path);
    return module;
}

/// A trace with two modules. Module 0 is the unknown module, module 1 is given by the test.
class TraceWithModules final : public MadeTrace {
public:
    explicit TraceWithModules(Module module)
        : m_modules{{}, std::move(module)}
    {
    }
    std::span<const Module> modules() const override { return m_modules; }

private:
    std::vector<Module> m_modules;
};

/// A store with a row whose values are two stacks: one with a frame at 0x180 of module 1, and one in which this frame called a function in
/// the unknown module.
struct Made {
    explicit Made(const std::vector<Module>& own)
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        for (const Module& module : own)
            builder->modules().add(module);
        Track track;
        track.view = "calls";
        track.key = "calls:1";
        track.states = *builder->stateSet({"call", {{"call"}}, {}});
        track.valueKind = ValueKind::Frame;
        row = {StoreIndex{}, builder->addTrack(track)};
        outer = builder->stacks().stack(NoStack, {ModuleId{1}, true, Address + 1});
        inner = builder->stacks().stack(outer, {UnknownModule, false, 0x1234});
        builder->set(hostTime(0), row.track, State{}, std::uint32_t(outer));
        builder->set(hostTime(10), row.track, State{}, std::uint32_t(inner));
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(20)};
        store = *builder->finish(summary);
    }

    Timeline timeline(std::shared_ptr<const Trace> trace) const
    {
        Timeline timeline;
        addTrace(timeline, {store, std::move(trace)});
        return timeline;
    }

    static constexpr std::uint64_t Address = 0xffffffff81000180;
    TrackRef row;
    StackId outer{}, inner{};
    std::shared_ptr<const Store> store;
};

/// Makes symbols for two functions of the kernel, at 0x100 and 0x200.
std::shared_ptr<Symbolizer> symbolsIn(const QTemporaryDir& folder)
{
    QFile file(folder.filePath("kallsyms"));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write");
    file.write("ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t first_one\nffffffff81000200 T second\n");
    file.close();
    SymbolOptions options;
    options.kallsyms = file.fileName().toStdString();
    return Symbolizer::make(options);
}

const Module Kernel = moduleNamed(Module::Kind::Kernel, "[kernel.kallsyms]");

} // namespace

class FrameTextTest : public QObject {
    Q_OBJECT

private slots:
    void aFrameIsItsPlaceWhereNothingNamesIt()
    {
        const Made made({});
        const Module library = moduleNamed(Module::Kind::File, "/usr/lib/libwork.so");
        const Timeline timeline = made.timeline(std::make_shared<TraceWithModules>(library));

        QCOMPARE(valueText(timeline, made.row, std::uint32_t(made.outer)), std::string("libwork.so+0xffffffff81000180"));
        QCOMPARE(valueText(timeline, made.row, std::uint32_t(made.inner)), std::string("0x1234"));
        QCOMPARE(valueText(timeline, made.row, 0), std::string());
        QCOMPARE(valueText(timeline, made.row, 77), std::string());
    }

    void aFrameHasItsNameOnceItsSymbolsWereRead()
    {
        const QTemporaryDir folder;
        const Made made({});
        Timeline timeline = made.timeline(std::make_shared<TraceWithModules>(Kernel));
        timeline.symbolizer = symbolsIn(folder);
        QCOMPARE(valueText(timeline, made.row, std::uint32_t(made.outer)), std::string("[kernel.kallsyms]+0xffffffff81000180"));

        timeline.symbolizer->resolve(Kernel, Made::Address); // Resolves the name now, like a view's query on a background thread.

        QCOMPARE(valueText(timeline, made.row, std::uint32_t(made.outer)), std::string("first_one"));
    }

    void whyAFrameHasNoNameIsKnown()
    {
        const QTemporaryDir folder;
        const Made made({});
        Timeline timeline = made.timeline(std::make_shared<TraceWithModules>(Kernel));
        timeline.symbolizer = symbolsIn(folder);
        QCOMPARE(frameModuleText(timeline, StoreIndex{}, made.outer), std::string("[kernel.kallsyms]"));
        QCOMPARE(unnamedReason(timeline, StoreIndex{}, made.outer), std::string()); // The reason is empty, because the frame has a name.
        QCOMPARE(frameModuleText(timeline, StoreIndex{}, made.inner), std::string());
        QCOMPARE(unnamedReason(timeline, StoreIndex{}, made.inner), std::string("No known file is mapped at this address."));
        QCOMPARE(frameModuleText(timeline, StoreIndex{}, StackId{77}), std::string());

        Timeline other = made.timeline(std::make_shared<TraceWithModules>(moduleNamed(Module::Kind::File, "/nowhere/libwork.so")));
        other.symbolizer = symbolsIn(folder);
        QCOMPARE(frameModuleText(other, StoreIndex{}, made.outer), std::string("libwork.so"));
        QVERIFY(!unnamedReason(other, StoreIndex{}, made.outer).empty());
        QCOMPARE(frameModules(other, "calls"), (std::vector<FrameModule>{{"libwork.so"}}));
        QCOMPARE(frameModules(other, "threads"), std::vector<FrameModule>());
    }

    void aFrameHasTheNameThatItsRecordingBrings()
    {
        Module module = moduleNamed(Module::Kind::File, "/usr/lib/libwork.so");
        auto names = std::make_shared<RecordedNames>();
        names->add({"work()", {}, false});
        module.names = names;
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const StackId stack = builder->stacks().stack(NoStack, {ModuleId{1}, false, 0});
        Timeline timeline;
        addTrace(timeline, {*builder->finish({}), std::make_shared<TraceWithModules>(module)});

        QCOMPARE(frameText(timeline, StoreIndex{}, stack), std::string("work()"));
    }

    void aStoresOwnModulesComeBeforeTheTraces()
    {
        const QTemporaryDir folder;
        const Made made({Kernel});
        const auto trace = std::make_shared<TraceWithModules>(moduleNamed(Module::Kind::File, "/usr/lib/libwork.so"));
        Timeline timeline = made.timeline(trace);
        timeline.stores.push_back({0, *makeMemoryStoreBuilder(hostTime(0))->finish({}), true}); // Adds the store of another analysis.
        timeline.symbolizer = symbolsIn(folder);

        QCOMPARE(moduleAt(timeline, StoreIndex{0}, ModuleId{1})->path, Kernel.path);
        QCOMPARE(moduleAt(timeline, StoreIndex{1}, ModuleId{1})->path, std::string("/usr/lib/libwork.so"));
        QVERIFY(!moduleAt(timeline, StoreIndex{0}, ModuleId{2}));
        QVERIFY(!moduleAt(timeline, StoreIndex{2}, ModuleId{1}));
        StackProfile profile;
        profile.nodes = {{}, {0, StoreIndex{0}, {ModuleId{1}, false, Made::Address}}, {0, StoreIndex{1}, {ModuleId{1}, false, 0x10}}};
        const StackNames names = nameStacks(profile, timeline);
        const auto nameOf = [&](std::uint32_t node) {
            return names.functions[static_cast<std::size_t>(names.framesOf(node).front().function)].label();
        };
        QCOMPARE(nameOf(1), std::string("first_one"));
        QCOMPARE(nameOf(2), std::string("libwork.so+0x10"));
    }
};

HELIO_TEST(FrameTextTest)
#include "tst_frame_text.moc"
