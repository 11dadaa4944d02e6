#include "core/symbol/unwinding/unwinder.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace helio;

namespace {

/// Registers and stack copy of a synthetic sample.
struct Captured {
    std::array<std::uint64_t, 24> values{};
    std::uint64_t mask = 0xFF0FFF; ///< Mask of registers that perf records by default: without segment registers, except cs and ss.
    std::vector<std::byte> stack;
};

Captured captured;
std::size_t bytesToCopy = 0;

#if defined(__x86_64__)
/// End address of this thread's stack.
std::uint64_t endOfStack()
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0;
        if (line.ends_with("[stack]") && std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2)
            return end;
    }
    return 0;
}

/// Copies a part of the stack. AddressSanitizer is off, because it does not allow reads of other functions' frames.
__attribute__((noinline, no_sanitize("address"))) void copyStack(std::uint64_t sp, std::size_t bytes)
{
    const auto* from = reinterpret_cast<const volatile std::byte*>(sp);
    for (std::size_t i = 0; i < bytes; ++i)
        captured.stack[i] = from[i];
}

/// Captures the registers and stack of this function, as the kernel would at an interrupt.
__attribute__((noinline)) void capture()
{
    std::uint64_t sp = 0, bp = 0, ip = 0, bx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
    asm volatile("mov %%rsp, %0\n mov %%rbp, %1\n lea 0(%%rip), %2\n mov %%rbx, %3" : "=r"(sp), "=r"(bp), "=r"(ip), "=r"(bx));
    asm volatile("mov %%r12, %0\n mov %%r13, %1\n mov %%r14, %2\n mov %%r15, %3" : "=r"(r12), "=r"(r13), "=r"(r14), "=r"(r15));
    // Register values are in the order of the bits in perf's register mask.
    captured.values = {};
    captured.values[1] = bx;
    captured.values[6] = bp;
    captured.values[7] = sp;
    captured.values[8] = ip;
    captured.values[16] = r12;
    captured.values[17] = r13;
    captured.values[18] = r14;
    captured.values[19] = r15;
    captured.stack.resize(std::min<std::size_t>(bytesToCopy, endOfStack() - sp));
    copyStack(sp, captured.stack.size());
}
#else
void capture() { }
#endif

int depthWanted = 0;

__attribute__((noinline)) int evenStep(int depth);
__attribute__((noinline)) int oddStep(int depth)
{
    volatile char room[64] = {};
    const int below = depth >= depthWanted ? (capture(), 0) : evenStep(depth + 1);
    return below + room[depth % 64] + 1;
}
__attribute__((noinline)) int evenStep(int depth)
{
    volatile char room[160] = {};
    const int below = depth >= depthWanted ? (capture(), 0) : oddStep(depth + 1);
    return below + room[depth % 64] + 1;
}

/// Reads the mappings of this process in a recording's format: of code only, or with data.
void readOwnMappings(std::vector<Mapping>& mappings, std::vector<Module>& modules, bool hasData = false)
{
    modules.assign(1, {});
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long begin = 0, end = 0, offset = 0;
        char rights[5] = {}, path[512] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %511s", &begin, &end, rights, &offset, path) < 5
            || (rights[2] != 'x' && !hasData))
            continue;
        Module module;
        module.kind = path[0] == '/' ? Module::Kind::File : path[0] == '[' ? Module::Kind::Vdso : Module::Kind::Anonymous;
        module.path = path;
        mappings.push_back({begin, end - begin, offset, ModuleId{static_cast<std::uint32_t>(modules.size())}, rights[2] == 'x'});
        modules.push_back(module);
    }
}

class Process {
public:
    explicit Process(SymbolOptions options = {})
        : m_symbolizer(Symbolizer::make(std::move(options)))
    {
        readOwnMappings(mappings, modules);
        unwinder = Unwinder::make(ElfMachine::X86_64, m_symbolizer);
        unwinder->setMappings(mappings, modules);
    }

    std::string nameOf(const UnwoundFrame& frame) const
    {
        const Module& module = modules[static_cast<std::size_t>(frame.module)];
        const Symbol symbol = m_symbolizer->resolve(module, frame.address - (frame.isReturnAddress ? 1 : 0), false);
        return symbol.frames.empty() ? std::string() : symbol.frames.back().function;
    }

    UnwoundStack unwind() const { return unwinder->unwind({UserRegisters::Abi::Bits64, captured.mask, captured.values}, captured.stack); }

    std::vector<Mapping> mappings;
    std::vector<Module> modules;
    std::unique_ptr<Unwinder> unwinder;

private:
    std::shared_ptr<Symbolizer> m_symbolizer;
};

__attribute__((noinline)) int takeSample(int depth, std::size_t bytes)
{
    depthWanted = depth;
    bytesToCopy = bytes;
    const volatile int steps = oddStep(1); // Prevents a tail call, so that this function has a frame.
    return steps;
}

} // namespace

class UnwinderTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
#if !defined(__x86_64__)
        QSKIP("whole test: it captures the registers of an x86-64 processor");
#endif
    }

    void everyFunctionOfADeepChainIsFound()
    {
        QCOMPARE(takeSample(40, 1 << 14), 40);
        const Process process;

        const UnwoundStack stack = process.unwind();

        QVERIFY(stack.frames.size() > 43);
        QVERIFY(process.nameOf(stack.frames[0]).ends_with("capture"));
        QVERIFY(!stack.frames[0].isReturnAddress);
        for (std::size_t i = 1; i <= 40; ++i) {
            QVERIFY(process.nameOf(stack.frames[i]).ends_with(i % 2 == 1 ? "evenStep" : "oddStep"));
            QVERIFY(stack.frames[i].isReturnAddress && !stack.frames[i].isGuessed);
        }
        QVERIFY(process.nameOf(stack.frames[41]).ends_with("takeSample"));
        QVERIFY(process.nameOf(stack.frames[42]).ends_with("everyFunctionOfADeepChainIsFound"));
    }

    void aStackThatIsWhollyCopiedEndsAtTheFirstFunction()
    {
        takeSample(3, 1 << 20);
        const Process process;

        const UnwoundStack stack = process.unwind();

        QCOMPARE(stack.end, UnwindEnd::Complete);
        QCOMPARE(process.nameOf(stack.frames.back()), std::string("_start"));
    }

    void aShortCopyIsSaidToBeTruncated()
    {
        takeSample(40, 2048);
        const Process process;

        const UnwoundStack stack = process.unwind();

        QCOMPARE(stack.end, UnwindEnd::Truncated);
        QVERIFY(stack.frames.size() > 3 && stack.frames.size() < 40);
        QVERIFY(process.nameOf(stack.frames[2]).ends_with("oddStep"));
    }

    void oneUnwinderServesManySamples()
    {
        const Process process;
        for (const int depth : {1, 30, 2, 29}) {
            takeSample(depth, 1 << 14);
            const UnwoundStack stack = process.unwind();
            QVERIFY(process.nameOf(stack.frames[static_cast<std::size_t>(depth) + 1]).ends_with("takeSample"));
        }
    }

    void mappingsOfDataDoNotMoveAnImage()
    {
        takeSample(6, 1 << 20);
        const Process process;
        const std::vector<UnwoundFrame> frames = process.unwind().frames;
        std::vector<Mapping> mappings;
        std::vector<Module> modules;
        readOwnMappings(mappings, modules, true);
        QVERIFY(mappings.size() > process.mappings.size());

        process.unwinder->setMappings(mappings, modules);
        const UnwoundStack stack = process.unwind();

        QCOMPARE(stack.end, UnwindEnd::Complete);
        QCOMPARE(stack.frames.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            QVERIFY(stack.frames[i].ip == frames[i].ip && !stack.frames[i].isGuessed);
    }

    /// Input: a program linked by lld or gold, whose data begins on the last page of its code: this page is mapped a second time, as
    /// data. Property: the second mapping does not change the image's base address.
    void aPageOfTheTextThatIsMappedAgainAsDataMovesNoImage()
    {
        takeSample(6, 1 << 20);
        Process process;
        const std::vector<UnwoundFrame> frames = process.unwind().frames;
        const auto code = std::ranges::find_if(
            process.mappings, [](const Mapping& m) { return captured.values[8] >= m.address && captured.values[8] - m.address < m.size; });
        QVERIFY(code != process.mappings.end());
        process.mappings.push_back({code->address + code->size, 4096, code->fileOffset + code->size - 4096, code->module, false});

        process.unwinder->setMappings(process.mappings, process.modules);
        const UnwoundStack stack = process.unwind();

        QCOMPARE(stack.end, UnwindEnd::Complete);
        QCOMPARE(stack.frames.size(), frames.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
            QVERIFY(stack.frames[i].ip == frames[i].ip && !stack.frames[i].isGuessed);
    }

    void codeOutsideOfAllMappingsIsSaid()
    {
        takeSample(3, 4096);
        const Process process;
        process.unwinder->setMappings({}, process.modules);

        const UnwoundStack stack = process.unwind();

        QVERIFY(stack.end == UnwindEnd::NoModule);
        QVERIFY(!stack.frames.empty() && stack.frames[0].ip == captured.values[8]);
        process.unwinder->setMappings(process.mappings, process.modules);
        QVERIFY(process.unwind().frames.size() > 4);
    }

    void aFileThatIsGoneIsSaid()
    {
        takeSample(3, 4096);
        captured.values[6] = 0; // Clears the frame pointer, so that no random value looks like one.
        Process process;
        for (Module& module : process.modules)
            module.path += ".gone";
        process.unwinder->setMappings(process.mappings, process.modules);

        QCOMPARE(process.unwind().end, UnwindEnd::NoFile);
    }

    void registersOfNoUseAreSaid()
    {
        const Process process;
        const std::vector<std::uint64_t> none;

        QCOMPARE(process.unwinder->unwind({UserRegisters::Abi::Bits32, 0xFF0FFF, captured.values}, captured.stack).end,
                 UnwindEnd::BadRegisters);
        QCOMPARE(process.unwinder->unwind({UserRegisters::Abi::Bits64, 0xFF0FFF, none}, captured.stack).end, UnwindEnd::BadRegisters);
    }

    void garbageOnTheStackEndsIt()
    {
        takeSample(20, 1 << 13);
        const Process process;
        std::uint64_t random = 88172645463325252ULL;
        for (int round = 0; round < 300; ++round) {
            for (int i = 0; i < 40; ++i) {
                random ^= random << 13, random ^= random >> 7, random ^= random << 17;
                captured.stack[random % captured.stack.size()] = static_cast<std::byte>(random >> 32);
            }
            QVERIFY(process.unwind().frames.size() <= Unwinder::MaxFrames);
        }
    }
};

HELIO_TEST(UnwinderTest)
#include "tst_unwinder.moc"
