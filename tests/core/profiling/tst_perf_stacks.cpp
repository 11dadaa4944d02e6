// Input: recordings whose callers must be found by unwinding. Property: all call stacks equal those that `perf script` prints for the
// same file.

#include "core/experiment/experiment.h"
#include "core/experiment/timeline.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/function_table.h"
#include "core/profiling/samples/stack_names.h"
#include "core/profiling/samples/truncated_stacks.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_script.h"
#include "tests/support/real_traces.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

#include <fstream>
#include <numeric>

using namespace helio;

// Functions of this program: code for synthetic samples.
extern "C" {
__attribute__((noinline)) int heliographTestInner(int n) { return n * 3 + 1; }
__attribute__((noinline)) int heliographTestMiddle(int n) { return heliographTestInner(n + 1) + 1; }
__attribute__((noinline)) int heliographTestOuter(int n) { return heliographTestMiddle(n + 1) + 1; }
}

namespace {

const char* const Cases = "perf-cases";
/// Context markers PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER in call chains.
constexpr std::uint64_t InKernel = -128ull, InUser = -512ull;
constexpr std::uint64_t Kernel = 0xffffffff81000000;
constexpr std::uint64_t Callchain = 0x20, BranchStack = 0x800;
constexpr std::uint64_t UserBranches = 1, CallStack = 1 << 11, HardwareIndex = 1 << 17;

/// A mapping of this program's code and the path of its file.
struct OwnCode {
    std::uint64_t begin = 0, end = 0, offset = 0;
    QString path;
};

OwnCode ownCode()
{
    const auto here = reinterpret_cast<std::uint64_t>(&heliographTestInner);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0, offset = 0;
        char path[4096] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %*s %lx %*s %*s %4095s", &begin, &end, &offset, path) == 4 && here >= begin && here < end)
            return {begin, end, offset, path};
    }
    return {};
}

std::uint64_t at(int (*function)(int), std::uint64_t offset) { return reinterpret_cast<std::uint64_t>(function) + offset; }

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write");
}

constexpr std::uint64_t Compiled = 0x7f1200000000; ///< Address of compiled (JIT) code in memory without a file.

/// Adds mappings of this program's code, from the file at `path`, and of memory with compiled code.
void addMappings(MadePerfData& made, const QString& path)
{
    const OwnCode own = ownCode();
    const auto map = [&](std::uint64_t begin, std::uint64_t size, std::uint64_t offset, const QString& file) {
        MadeBytes body = made.make().u32(7).u32(7).u64(begin).u64(size).u64(offset).u64(0).u64(0).u64(0).u32(5).u32(2);
        made.add(10, 2, made.trailer(body.text(file.toStdString()), 7, 7, 1, 0));
    };
    map(own.begin, own.end - own.begin, own.offset, path);
    map(Compiled, 0x10000, Compiled, "//anon");
    made.add(3, 0, made.trailer(made.make().u32(7).u32(7).text("worker"), 7, 7, 1, 0));
}

/// A recording with user call chains by frame pointers, innermost address first.
QByteArray recordingOf(const QString& path, const std::vector<std::vector<std::uint64_t>>& chains)
{
    MadePerfData made;
    MadeAttribute attribute;
    attribute.sampleType |= Callchain;
    made.addAttribute(attribute);
    addMappings(made, path);
    std::uint64_t time = 1'000'000'000;
    for (const std::vector<std::uint64_t>& chain : chains) {
        time += 1000;
        MadeBytes body = made.make().u64(chain.front()).u32(7).u32(7).u64(time).u32(0).u32(0).u64(1000).u64(chain.size() + 1).u64(InUser);
        for (const std::uint64_t word : chain)
            body.u64(word);
        made.add(9, 2, body);
    }
    return made.file();
}

/// A recording with call chains in code without names.
QByteArray namelessRecording(const QString& path)
{
    std::vector<std::vector<std::uint64_t>> chains;
    for (const std::uint64_t within : {0, 1, 3}) // Offsets of three addresses in one function, in bytes.
        chains.push_back({at(heliographTestInner, within), at(heliographTestMiddle, 5), at(heliographTestOuter, 5)});
    chains.push_back({at(heliographTestMiddle, 2), at(heliographTestOuter, 5)});
    chains.push_back({Compiled + 0x10, at(heliographTestOuter, 5)});
    chains.push_back({Compiled + 0x20, at(heliographTestOuter, 5)});
    return recordingOf(path, chains);
}

/// A recording by `perf record --call-graph lbr`: each sample has the calls that the processor recorded (LBR), and a chain of frame
/// pointers that breaks after the first address.
QByteArray lbrRecording(bool hasIndex)
{
    MadePerfData made;
    MadeAttribute attribute;
    attribute.sampleType |= Callchain | BranchStack;
    attribute.branchType = UserBranches | CallStack | (hasIndex ? HardwareIndex : 0);
    made.addAttribute(attribute);
    made.add(1, 1, made.trailer(made.make().u32(-1u).u32(0).u64(Kernel).u64(0x900).u64(Kernel).text("[kernel.kallsyms]_text"), 0, 0, 0, 0));
    addMappings(made, ownCode().path);
    std::uint64_t time = 1'000'000'000;
    const auto add = [&](const std::vector<std::uint64_t>& chain, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& calls) {
        time += 1000;
        const bool isKernel = chain.front() == InKernel;
        MadeBytes body = made.make().u64(chain[1]).u32(7).u32(7).u64(time).u32(0).u32(0).u64(1000).u64(chain.size());
        for (const std::uint64_t word : chain)
            body.u64(word);
        body.u64(calls.size());
        if (hasIndex)
            body.u64(0);
        for (const auto& [from, to] : calls)
            body.u64(from).u64(to).u64(0);
        made.add(9, isKernel ? 1 : 2, body);
    };
    const std::pair intoInner{at(heliographTestMiddle, 4), at(heliographTestInner, 0)};
    const std::pair intoMiddle{at(heliographTestOuter, 4), at(heliographTestMiddle, 0)};
    for (int i = 0; i < 3; ++i)
        add({InUser, at(heliographTestInner, 1), 0x1234}, {intoInner, intoMiddle});
    add({InUser, at(heliographTestMiddle, 1)}, {intoMiddle});
    for (int i = 0; i < 2; ++i)
        add({InKernel, Kernel + 0x210, Kernel + 0x110, InUser, at(heliographTestInner, 2), 0x1234}, {intoInner, intoMiddle});
    return made.file();
}

/// Removes frames in stubs (PLT entries): Heliograph names them after their functions, perf has no names for stubs made by lld.
FoldedStacks withoutStubs(const FoldedStacks& stacks)
{
    FoldedStacks all;
    for (auto it = stacks.begin(); it != stacks.end(); ++it) {
        const qsizetype last = it.key().lastIndexOf(';') + 1;
        const bool isStub = it.key().endsWith("@plt") || it.key().endsWith(";[work_lld]");
        all[isStub ? it.key().first(last) + "@plt" : it.key()] += it.value();
    }
    return all;
}

/// Stacks of a recording, as read by Heliograph.
struct Collected {
    FoldedStacks stacks;
    TruncatedStacks ends;
    QStringList places; ///< Addresses of innermost frames without a name, each with its sample count.
};

Collected collect(const QString& recording, SymbolOptions symbols)
{
    QTemporaryDir stores;
    ExperimentOptions options;
    options.storeDirectory = stores.path().toStdString();
    options.symbols = std::move(symbols);
    auto opened = Experiment::open({recording.toStdString()}, options);
    if (!opened)
        qFatal("%s", opened.error().what.c_str());
    (*opened)->start();
    if (const auto done = (*opened)->wait(); !done)
        qFatal("%s", done.error().what.c_str());
    const auto timeline = (*opened)->timeline();
    const StackProfile profile = collectStacks(*timeline, {});
    const StackNames names = nameStacks(profile, *timeline, {.expandsInlined = false});
    std::string text;
    writeFolded(buildCallTree(profile, names), WeightBy::Samples, [&](std::string_view part) {
        text += part;
        return true;
    });
    QStringList places;
    const FunctionTable table = buildFunctionTable(profile, names, {});
    for (const FunctionRow& row : table.rows)
        if (const SampledFunction& function = table.functions[static_cast<std::size_t>(row.function)];
            row.self.samples > 0 && function.name.empty())
            places << QString::fromStdString(function.label()) + ' ' + QString::number(row.self.samples);
    places.sort();
    return {foldedStacks(QByteArray::fromStdString(text)), findTruncatedStacks(profile, *timeline), places};
}

} // namespace

class PerfStacksTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        if (!hasPerf())
            QSKIP("there is no perf to compare with (Debian's linux-perf)");
    }

    /// Input: programs linked by lld and gold, whose data begins on the last page of their code.
    void unwoundStacksEqualPerfs_data()
    {
        QTest::addColumn<int>("samples");
        QTest::newRow("gold-dwarf.data") << 265;
        QTest::newRow("lld-dwarf.data") << 345;
    }
    void unwoundStacksEqualPerfs()
    {
        QFETCH(int, samples);
        const QString folder = realTrace(Cases);
        if (folder.isEmpty())
            QSKIP(qPrintable(missingTrace(Cases)));
        const QString recording = folder + '/' + QTest::currentDataTag();
        for (const char* program : {"work_gold", "work_lld"})
            perf(path("ids"), {"buildid-cache", "--add", folder + '/' + program});
        const FoldedStacks theirs = stacksOfPerfScript(path("ids"), {"-i", recording});

        SymbolOptions symbols;
        symbols.directories = {folder.toStdString()};
        const Collected ours = collect(recording, symbols);

        QCOMPARE(std::accumulate(theirs.begin(), theirs.end(), 0), samples);
        const QByteArray difference = differenceOf(withoutStubs(ours.stacks), withoutStubs(theirs));
        QVERIFY2(difference.isEmpty(), difference);
        QCOMPARE(ours.ends.all, std::uint64_t(samples));
        QCOMPARE(ours.ends.samples, std::uint64_t(0));
    }

    void callersAreTheCallsThatTheProcessorKept_data()
    {
        QTest::addColumn<bool>("hasIndex");
        QTest::newRow("with the newest one's index") << true;
        QTest::newRow("without") << false;
    }
    void callersAreTheCallsThatTheProcessorKept()
    {
        QFETCH(bool, hasIndex);
        write(path("lbr.data"), lbrRecording(hasIndex));
        write(path("kallsyms"),
              "ffffffff81000000 T _text\nffffffff81000100 T outer\nffffffff81000200 T middle\nffffffff81000900 T _etext\n");
        const FoldedStacks theirs = stacksOfPerfScript(path("ids"), {"-i", path("lbr.data"), "--kallsyms", path("kallsyms")});
        SymbolOptions symbols;
        symbols.kallsyms = path("kallsyms").toStdString();

        const FoldedStacks ours = collect(path("lbr.data"), symbols).stacks;

        const QByteArray user = "worker;heliographTestOuter;heliographTestMiddle";
        QCOMPARE(ours, (FoldedStacks{{user + ";heliographTestInner", 3}, {user, 1}, {user + ";heliographTestInner;outer;middle", 2}}));
        const QByteArray difference = differenceOf(ours, theirs);
        QVERIFY2(difference.isEmpty(), difference);
    }

    /// Input: chains from broken frame pointers, which repeat an address outside of any code. Property: the chain is cut at the first
    /// repetition.
    void aBrokenChainIsCutAtTheFirstAddressThatRepeats()
    {
        const std::uint64_t inner = at(heliographTestInner, 1), middle = at(heliographTestMiddle, 5), nowhere = 0x10303;
        std::vector<std::uint64_t> deep{inner};
        deep.insert(deep.end(), 126, nowhere); // Makes a chain of 127 addresses, the most that perf records.
        write(path("broken.data"),
              recordingOf(ownCode().path,
                          {{inner, middle, nowhere, nowhere, 0xe5010303, nowhere},
                           {inner, nowhere, 0xe5010303, nowhere, 0xe5010303},
                           deep,
                           {inner, nowhere}, // No address is repeated, so all frames stay.
                           {inner, middle, middle, middle}}));

        const Collected ours = collect(path("broken.data"), {});

        QCOMPARE(ours.stacks,
                 (FoldedStacks{{"worker;[unknown];heliographTestMiddle;heliographTestInner", 1},
                               {"worker;[unknown];heliographTestInner", 3},
                               {"worker;heliographTestMiddle;heliographTestMiddle;heliographTestMiddle;heliographTestInner", 1}}));
        QCOMPARE(ours.ends.reasons.size(), std::size_t(1));
        QCOMPARE(ours.ends.reasons[0].why, UnwindEnd::BrokenChain);
        QCOMPARE(ours.ends.reasons[0].samples, std::uint64_t(4));
    }

    void codeWithoutNamesIsNamedByItsPlace()
    {
        if (QProcess::execute("strip", {"-s", "-o", path("nameless"), ownCode().path}) != 0)
            QSKIP("there is no strip (binutils)");
        write(path("nameless.data"), namelessRecording(path("nameless")));
        FoldedStacks theirs = stacksOfPerfScript(path("ids"), {"-i", path("nameless.data")});

        const Collected ours = collect(path("nameless.data"), {});

        const auto place = [](std::uint64_t address) {
            return QString("nameless+0x%1").arg(address - ownCode().begin + ownCode().offset, 0, 16);
        };
        QStringList expected{place(at(heliographTestInner, 0)) + " 3", place(at(heliographTestMiddle, 0)) + " 1",
                             QString("[JIT]+0x%1 1").arg(Compiled + 0x10, 0, 16), QString("[JIT]+0x%1 1").arg(Compiled + 0x20, 0, 16)};
        expected.sort();
        QCOMPARE(ours.places, expected);
        // For code generated at run time, perf prints "[perf-7.map]", the name of the file with its symbols. Heliograph prints "[JIT]".
        const QByteArray jit = "worker;[nameless];[JIT]";
        QCOMPARE(ours.stacks.value(jit), 2);
        theirs[jit] = theirs.take("worker;[nameless];[perf-7.map]");
        const QByteArray difference = differenceOf(ours.stacks, theirs);
        QVERIFY2(difference.isEmpty(), difference);
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

int main(int argc, char** argv)
{
    if (argc == 0) // Never true; keeps the linker from removing the functions.
        return heliographTestOuter(argc);
    QCoreApplication app(argc, argv);
    PerfStacksTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_perf_stacks.moc"
