#include "core/experiment/timeline.h"
#include "core/profiling/samples/annotation.h"
#include "core/profiling/samples/source_text.h"
#include "core/profiling/samples/stack_names.h"
#include "core/symbol/files/elf_file.h"
#include "core/trace/process/recorded_names.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace helio;

namespace {

class FakeTrace : public Trace {
public:
    FakeTrace()
    {
        modules_.resize(2);
        modules_[1].kind = Module::Kind::File;
        modules_[1].path = "/bin/prog";
    }
    const TraceInfo& info() const override { return info_; }
    const EventTypes& eventTypes() const override { return types_; }
    std::span<const StreamInfo> streams() const override { return {}; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return nullptr; }
    std::span<const Diagnostic> diagnostics() const override { return {}; }
    std::span<const Module> modules() const override { return modules_; }
    Module& program() { return modules_[1]; }

private:
    TraceInfo info_;
    EventTypes types_;
    std::vector<Module> modules_;
};

/// Symbols of a function with four instructions of 4 bytes each, from 0x100 to 0x10f. Their source lines are 10, 11, 5 (an inlined function
/// from a header) and 11.
class FakeSymbols : public Symbolizer {
public:
    bool hasCode = true;

    const SymbolOptions& options() const override { return options_; }
    Symbol resolve(const Module&, std::uint64_t address, bool) override
    {
        Symbol symbol;
        if (address < 0x100 || address >= 0x110) {
            symbol.frames.push_back({"g", "g", {}, false});
            return symbol;
        }
        if (address >= 0x108 && address < 0x10c)
            symbol.frames.push_back({"small", "small", {"/src/small.h", 5}, true});
        symbol.frames.push_back({"f", "f", {"/src/f.c", 10}, false});
        symbol.begin = 0x100;
        symbol.size = 0x10;
        return symbol;
    }
    ModuleSymbols symbolsOf(const Module&) override { return {}; }
    std::optional<Symbol> find(const Module&, std::string_view) override { return {}; }
    FunctionCode codeOf(const Module& module, std::uint64_t) override
    {
        FunctionCode code;
        code.symbol = resolve(module, 0x100, true);
        if (!hasCode) {
            code.noCodeReason = "gone";
            return code;
        }
        for (std::uint64_t at = 0x100; at < 0x110; at += 4) {
            Instruction instruction;
            instruction.address = at;
            instruction.size = 4;
            code.instructions.push_back(instruction);
        }
        code.lines = {{0x100, 0x104, {"/src/f.c", 10}},
                      {0x104, 0x108, {"/src/f.c", 11}},
                      {0x108, 0x10c, {"/src/small.h", 5}},
                      {0x10c, 0x110, {"/src/f.c", 11}}};
        return code;
    }
    std::shared_ptr<const ElfFile> fileOf(const Module&) override { return nullptr; }
    std::shared_ptr<const ElfFile> debugFileOf(const Module&) override { return nullptr; }

private:
    SymbolOptions options_;
};

/// Stacks of f: 3 samples at 0x105, 2 at 0x109, and 5 in g, which f calls at 0x104 (return address 0x108).
StackProfile madeProfile()
{
    StackProfile profile;
    profile.nodes.resize(1);
    profile.nodes.push_back({0, {}, {ModuleId{1}, false, 0x105}});
    profile.nodes.push_back({0, {}, {ModuleId{1}, false, 0x109}});
    profile.nodes.push_back({0, {}, {ModuleId{1}, true, 0x108}});
    profile.nodes.push_back({3, {}, {ModuleId{1}, false, 0x900}});
    profile.nodes.push_back({3, {}, {ModuleId{1}, false, 0x10c}}); // f calls itself: line 11 occurs twice in the stack.
    const auto add = [&](std::uint32_t node, std::uint32_t samples) {
        profile.stacks.push_back({node, 0, 0, samples, samples * 10ull});
        profile.samples += samples;
    };
    add(1, 3);
    add(2, 2);
    add(4, 5);
    add(5, 1);
    return profile;
}

} // namespace

class AnnotationTest : public QObject {
    Q_OBJECT

private:
    Annotation annotation(const StackProfile& profile)
    {
        return annotate(profile, nameStacks(profile, m_timeline, {m_expandsInlined}), m_timeline, m_function);
    }

    bool m_expandsInlined = true;
    Timeline m_timeline;
    std::shared_ptr<FakeSymbols> m_symbols = std::make_shared<FakeSymbols>();
    SampledFunction m_function;

private slots:
    void init()
    {
        m_symbols->hasCode = true;
        m_expandsInlined = true;
        m_timeline.symbolizer = m_symbols;
        m_timeline.traces.resize(1);
        m_timeline.stores.resize(1);
        m_timeline.traces[0].trace = std::make_shared<FakeTrace>();
        m_function = {};
        m_function.name = m_function.linkageName = "f";
        m_function.module = "prog";
        m_function.moduleId = ModuleId{1};
        m_function.address = 0x100;
    }

    void samplesAreThoseTakenAtTheInstruction()
    {
        const Annotation it = annotation(madeProfile());

        QCOMPARE(it.addresses.size(), std::size_t(4));
        QCOMPARE(it.addresses[0].sums.self.samples, 0u);
        QCOMPARE(it.addresses[1].sums.self.samples, 3u);
        QCOMPARE(it.addresses[2].sums.self.samples, 2u);
        QCOMPARE(it.addresses[3].sums.self.samples, 1u);
        QCOMPARE(it.addresses[1].sums.self.weight, 30u);
        QCOMPARE(it.taken.samples, 6u);
        QCOMPARE(it.whole.samples, 11u);
    }

    /// Property: the function's sums equal those of the function table. They exclude the samples of inlined functions only if these
    /// functions are expanded.
    void whatWasInlinedIntoAFunctionIsNotItsOwn()
    {
        QCOMPARE(annotation(madeProfile()).sums.self.samples, 4u);
        m_expandsInlined = false;
        const Annotation it = annotation(madeProfile());
        QCOMPARE(it.sums.self.samples, 6u);
        QCOMPARE(it.taken.samples, 6u);
        QCOMPARE(it.sums.total.samples, 11u);
    }

    void anInlinedFunctionHasItsCopiesAlone()
    {
        m_function.name = m_function.linkageName = "small";
        m_function.isInlined = true;
        const Annotation it = annotation(madeProfile());

        QCOMPARE(it.sums.self.samples, 2u);
        QCOMPARE(it.sums.total.samples, 2u);
        QCOMPARE(it.addresses.size(), std::size_t(1));
        QCOMPARE(it.addresses[0].address, 0x108u);
        QCOMPARE(it.addresses[0].sums.self.samples, 2u);
        QVERIFY(!it.addresses[0].isInlined);
        QCOMPARE(it.lines.size(), std::size_t(1));
        QCOMPARE(it.lines[0].line, 5u);
        QCOMPARE(it.lines[0].sums.self.samples, 2u);
        QCOMPARE(it.copies.size(), std::size_t(1));
        QCOMPARE(it.copies[0].into, std::string("f"));
    }

    void whatWasCalledCountsAtTheCallAndAStackOnce()
    {
        const Annotation it = annotation(madeProfile());

        // Samples of callees count at the call instruction, not at the return address.
        QCOMPARE(it.addresses[1].sums.total.samples, 3u + 5 + 1);
        QCOMPARE(it.sums.total.samples, 11u);
        const auto line11 = it.lines[it.lineOf[1]];
        QCOMPARE(line11.line, 11u);
        QCOMPARE(line11.sums.total.samples, 3u + 5 + 1);
        QCOMPARE(line11.sums.self.samples, 3u + 1);
    }

    void linesAddUpToTheFunction()
    {
        const Annotation it = annotation(madeProfile());

        std::uint64_t sum = 0;
        for (const AnnotatedLine& line : it.lines)
            sum += line.sums.self.samples;
        QCOMPARE(sum, it.taken.samples);
        QCOMPARE(it.files, (std::vector<std::string>{"/src/f.c", "/src/small.h"}));
        QVERIFY(it.addresses[2].isInlined);
        QVERIFY(!it.addresses[1].isInlined);
        QVERIFY(it.lines[it.lineOf[2]].isInlined);
        QVERIFY(!it.lines[it.lineOf[1]].isInlined);
    }

    void withoutCodeTheSampledAddressesStay()
    {
        m_symbols->hasCode = false;
        const Annotation it = annotation(madeProfile());

        QCOMPARE(it.addresses.size(), std::size_t(4)); // Addresses 0x105, 0x107 (inside the call instruction), 0x109, 0x10c.
        QCOMPARE(it.addresses[0].address, 0x105u);
        QCOMPARE(it.taken.samples, 6u);
        QVERIFY(it.lines.empty());
        QCOMPARE(it.code.noCodeReason, std::string("gone"));
    }

    void anotherModulesAddressesDoNotCount()
    {
        StackProfile profile = madeProfile();
        for (CollectedNode& node : profile.nodes)
            node.frame.module = UnknownModule;
        QCOMPARE(annotation(profile).sums.total.samples, 0u);
    }

    void whatWasInlinedCountsForTheFunctionThatHasItsCode()
    {
        auto names = std::make_shared<RecordedNames>();
        const std::uint64_t inF = names->add({"f", 8, false});
        const std::uint64_t inlined = names->add({"small", {}, true});
        const auto trace = std::make_shared<FakeTrace>();
        trace->program().names = names;
        m_timeline.traces[0].trace = trace;
        StackProfile profile;
        profile.nodes = {
            {}, {0, {}, {ModuleId{1}, false, inF}}, {1, {}, {ModuleId{1}, false, inlined}}, {2, {}, {ModuleId{1}, false, inF}}};
        profile.stacks.push_back({2, 0, 0, 3, 30});
        profile.stacks.push_back({3, 0, 0, 1, 10}); // f calls itself.

        m_function.linkageName.clear();
        const Annotation it = annotation(profile);

        QCOMPARE(it.sums.self.samples, 1u);
        QCOMPARE(it.taken.samples, 4u);
        QCOMPARE(it.sums.total.samples, 4u);
    }

    void nothingIsNamedWhereThereAreNoTraces()
    {
        m_timeline.stores.clear();
        m_timeline.traces.clear();
        StackProfile profile;
        profile.nodes.resize(1);

        QCOMPARE(nameStacks(profile, m_timeline).frames.size(), std::size_t(0));
    }

    void aSourceIsReadLineByLineAndAMissingOneSaysWhere()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.c").toStdString();
        std::ofstream(path) << "one\ntwo\r\nthree";

        const SourceText found = readSource(path, {});
        QCOMPARE(found.lines, (std::vector<std::string>{"one", "two", "three"}));
        const SourceText missing = readSource("/nowhere/at/all.c", {});
        QVERIFY(missing.file.empty());
        QVERIFY(!missing.looked.empty());
        QVERIFY(!missing.problem.empty());
    }
};

HELIO_TEST(AnnotationTest)
#include "tst_annotation.moc"
