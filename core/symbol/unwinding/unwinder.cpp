#include "core/symbol/unwinding/unwinder.h"

#include "core/symbol/frames/call_frames.h"
#include "core/symbol/frames/frame_expression.h"
#include "core/symbol/unwinding/mapped_modules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace helio {
namespace {

/// Registers of a processor that unwinding needs, by their DWARF numbers, and those that a function must preserve for its caller.
struct Machine {
    std::span<const std::uint8_t> perfNumbers; ///< perf's number of each register, by DWARF number.
    std::uint64_t perfPc = 0; ///< perf's number of the program counter.
    std::uint64_t framePointer = 0;
    std::uint64_t stackPointer = 0;
    std::uint64_t preserved = 0; ///< Bit set.
};

constexpr std::uint64_t bitsOf(std::initializer_list<unsigned> numbers)
{
    std::uint64_t bits = 0;
    for (const unsigned number : numbers)
        bits |= std::uint64_t{1} << number;
    return bits;
}

constexpr std::array<std::uint8_t, 16> PerfOfX86{0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23};
constexpr std::array<std::uint8_t, 32> PerfOfAArch64{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
constexpr Machine X86{PerfOfX86, 8, 6, 7, bitsOf({3, 6, 12, 13, 14, 15})};
constexpr Machine AArch64{PerfOfAArch64, 32, 29, 31, bitsOf({19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30})};
constexpr unsigned X86Pc = 16; ///< DWARF number of the program counter.
constexpr unsigned LinkRegister = 30; ///< DWARF number of the register with the return address on aarch64.
constexpr std::uint64_t WordBytes = 8;
/// Bits of a return address that are the address; the others may be a signature (aarch64). Processes use 48 bits on nearly all systems.
constexpr std::uint64_t UnsignedBits = (std::uint64_t{1} << 48) - 1;

std::optional<std::uint64_t> valueOf(const UserRegisters& registers, std::uint64_t number)
{
    const std::uint64_t bit = std::uint64_t{1} << number;
    const auto index = static_cast<std::size_t>(std::popcount(registers.mask & (bit - 1)));
    if ((registers.mask & bit) == 0 || index >= registers.values.size())
        return std::nullopt;
    return registers.values[index];
}

class FrameUnwinder final : public Unwinder {
public:
    FrameUnwinder(ElfMachine machine, std::shared_ptr<Symbolizer> symbolizer, std::shared_ptr<FrameCache> cache)
        : m_isX86(machine == ElfMachine::X86_64)
        , m_machine(m_isX86 ? X86 : AArch64)
        , m_modules(machine, std::move(symbolizer))
        , m_cache(std::move(cache))
    {
    }

    void setMappings(std::span<const Mapping> mappings, std::span<const Module> modules) override
    {
        m_hasInfo.clear();
        m_modules.set(mappings, modules);
    }
    UnwoundStack unwind(const UserRegisters& registers, std::span<const std::byte> stack) override;

private:
    struct Frame {
        FrameRegisterValues registers;
        std::uint64_t pc = 0;
        bool isExact = false; ///< True if `pc` was executed or interrupted; false if it is a return address.
    };
    enum class StepEnd : std::uint8_t {
        Caller, ///< The caller was found.
        Outermost, ///< The frame has no caller, or its return address could not be read.
        Unknown ///< There is neither unwind information nor a usable frame pointer.
    };
    /// Result of the search for a frame's caller.
    struct Step {
        StepEnd end = StepEnd::Unknown;
        bool isFromSignalFrame = false; ///< True if the frame itself is the kernel's return from a signal handler.
        Frame caller;
    };
    /// Rules at an address, with the difference of the address to the file's vaddr.
    struct ImageRow {
        FrameRow row;
        std::uint64_t bias = 0;
    };

    Frame firstFrame(std::uint64_t pc) const;
    std::optional<Frame> callerOfStub(std::uint64_t pc);
    bool walk(Frame frame);
    Step stepFrom(const Frame& frame);
    Step stepByRules(const Frame& frame, const ImageRow& placed);
    Step stepByFramePointer(const Frame& frame);
    std::optional<std::uint64_t> cfaOf(const Frame& frame, const ImageRow& placed);
    std::optional<std::uint64_t> callersValue(std::size_t number, const Frame& frame, std::optional<std::uint64_t> cfa,
                                              const ImageRow& placed);
    std::optional<ImageRow> rowAt(std::uint64_t address);
    bool hasUnwindInfo(std::uint64_t address);
    std::optional<std::uint64_t> readMemory(std::uint64_t address);
    bool addFrame(std::uint64_t pc, bool isExact);
    UnwindEnd endOf(bool isComplete) const;

    const bool m_isX86;
    const Machine& m_machine;
    MappedModules m_modules;
    std::shared_ptr<FrameCache> m_cache;
    std::unordered_map<std::uint64_t, bool> m_hasInfo; ///< True for addresses (pc) with unwind information, in the current mappings.
    const ReadMemory m_readMemory = [this](std::uint64_t address) { return readMemory(address); };

    // State of the sample that is currently unwound.
    FrameRegisterValues m_recorded;
    std::uint64_t m_stackBegin = 0; ///< Address of the first byte of m_stack.
    std::span<const std::byte> m_stack;
    UnwoundStack m_result;
    bool m_isStackTooShort = false; ///< True if unwinding needed memory beyond the copy of the stack.
    bool m_isGuess = false;
    bool m_isBadGuess = false;
};

std::optional<std::uint64_t> FrameUnwinder::readMemory(std::uint64_t address)
{
    std::uint64_t word = 0;
    if (address >= m_stackBegin && m_stack.size() >= sizeof word && address - m_stackBegin <= m_stack.size() - sizeof word) {
        std::memcpy(&word, m_stack.data() + (address - m_stackBegin), sizeof word);
        return word;
    }
    if (m_modules.read(address, word))
        return word;
    m_isStackTooShort = m_isStackTooShort || address >= m_stackBegin;
    return {};
}

/// Returns the rules at an address, from the file's .eh_frame, else from .debug_frame.
std::optional<FrameUnwinder::ImageRow> FrameUnwinder::rowAt(std::uint64_t address)
{
    const MappedModules::Image* image = m_modules.imageAt(address);
    if (!image)
        return {};
    const std::uint64_t vaddr = address - image->bias;
    if (auto row = m_cache->ehFrames(image->file).rowAt(vaddr))
        return ImageRow{std::move(*row), image->bias};
    if (auto row = m_cache->debugFrames(image->file).rowAt(vaddr))
        return ImageRow{std::move(*row), image->bias};
    const auto debugFile = image->debugFile();
    if (auto row = debugFile ? m_cache->debugFrames(debugFile).rowAt(vaddr) : std::nullopt)
        return ImageRow{std::move(*row), image->bias};
    return {};
}

bool FrameUnwinder::hasUnwindInfo(std::uint64_t address)
{
    const auto [known, isNew] = m_hasInfo.try_emplace(address, false);
    if (isNew)
        known->second = rowAt(address).has_value();
    return known->second;
}

std::optional<std::uint64_t> FrameUnwinder::cfaOf(const Frame& frame, const ImageRow& placed)
{
    const RegisterRule& rule = placed.row.cfa;
    if (rule.kind == RegisterRule::Kind::ValueExpression)
        return valueOfExpression(rule.expression, {}, placed.bias, frame.registers, m_readMemory);
    const auto base = rule.kind == RegisterRule::Kind::Register ? frame.registers.get(rule.number) : std::nullopt;
    return base ? std::optional(*base + static_cast<std::uint64_t>(rule.offset)) : std::nullopt;
}

/// Returns the value that a register has in the caller; nullopt if it is lost.
std::optional<std::uint64_t> FrameUnwinder::callersValue(std::size_t number, const Frame& frame, std::optional<std::uint64_t> cfa,
                                                         const ImageRow& placed)
{
    using Kind = RegisterRule::Kind;
    const RegisterRule& rule = placed.row.registers[number];
    const auto atOffset = [&] { return cfa ? std::optional(*cfa + static_cast<std::uint64_t>(rule.offset)) : std::nullopt; };
    const auto computed = [&] {
        return cfa ? valueOfExpression(rule.expression, cfa, placed.bias, frame.registers, m_readMemory) : std::nullopt;
    };
    const auto loaded = [&](std::optional<std::uint64_t> address) { return address ? readMemory(*address) : std::nullopt; };
    switch (rule.kind) {
    case Kind::Undefined: return {};
    case Kind::SameValue: return frame.registers.get(number);
    case Kind::AtOffset: return loaded(atOffset());
    case Kind::ValueOffset: return atOffset();
    case Kind::Register: return frame.registers.get(rule.number);
    case Kind::AtExpression: return loaded(computed());
    case Kind::ValueExpression: return computed();
    case Kind::Unspecified: break;
    }
    if (number == m_machine.stackPointer)
        return cfa;
    return (m_machine.preserved >> number & 1) != 0 ? frame.registers.get(number) : std::nullopt;
}

FrameUnwinder::Step FrameUnwinder::stepByRules(const Frame& frame, const ImageRow& placed)
{
    Step step;
    step.isFromSignalFrame = placed.row.isSignalFrame;
    const auto cfa = cfaOf(frame, placed);
    for (std::size_t number = 0; number < FrameRegisterCount; ++number)
        step.caller.registers.set(number, callersValue(number, frame, cfa, placed));
    auto pc = step.caller.registers.get(placed.row.returnRegister);
    if (pc && placed.row.isSignedReturn)
        pc = *pc & UnsignedBits;
    step.end = pc.value_or(0) != 0 ? StepEnd::Caller : StepEnd::Outermost; // Outermost functions have a return address of 0 or none.
    step.caller.pc = pc.value_or(0);
    step.caller.isExact = placed.row.isSignalFrame;
    return step;
}

/// Finds the caller by the frame pointer: the caller's frame pointer and the return address are at the address in it.
FrameUnwinder::Step FrameUnwinder::stepByFramePointer(const Frame& frame)
{
    const std::uint64_t at = frame.registers.get(m_machine.framePointer).value_or(0);
    if (at == 0)
        return {};
    const auto callers = readMemory(at);
    auto pc = callers || m_isX86 ? readMemory(at + WordBytes) : std::nullopt;
    if (pc && !m_isX86)
        pc = *pc & UnsignedBits;
    const std::uint64_t sp = at + 2 * WordBytes;
    // Callers have larger stack pointers: this also ends a circle of frame pointers.
    if (!pc || (m_isX86 && sp <= frame.registers.get(m_machine.stackPointer).value_or(0)))
        return {};
    Step step;
    step.end = StepEnd::Caller;
    step.caller.pc = *pc;
    step.caller.registers.set(m_machine.framePointer, callers.value_or(0));
    step.caller.registers.set(m_machine.stackPointer, sp);
    step.caller.registers.set(m_isX86 ? X86Pc : LinkRegister, *pc);
    return step;
}

FrameUnwinder::Step FrameUnwinder::stepFrom(const Frame& frame)
{
    // A return address may lie behind the end of the calling function, if that function ends with the call.
    const std::uint64_t at = frame.isExact ? frame.pc : frame.pc - 1;
    const auto known = m_hasInfo.find(at);
    const auto placed = known != m_hasInfo.end() && !known->second ? std::nullopt : rowAt(at);
    return placed ? stepByRules(frame, *placed) : stepByFramePointer(frame);
}

/// Adds a frame and its callers. Returns true if the stack ended with a function that has no caller.
bool FrameUnwinder::walk(Frame frame)
{
    for (;;) {
        m_isStackTooShort = false;
        // A signal frame was not called, although its pc was found as a return address.
        std::optional<Step> step;
        if (!frame.isExact)
            step = stepFrom(frame);
        if (!addFrame(frame.pc, frame.isExact || step->isFromSignalFrame))
            return true;
        if (!step)
            step = stepFrom(frame);
        if (step->end != StepEnd::Caller)
            return step->end == StepEnd::Outermost;
        frame = std::move(step->caller);
    }
}

/// Returns the caller of a stub for which the linker (for example lld) wrote no unwind information. When the stub jumps, the return
/// address is at the top of the stack. If the function is not resolved yet, the stub first pushes a number onto the stack.
std::optional<FrameUnwinder::Frame> FrameUnwinder::callerOfStub(std::uint64_t pc)
{
    // Offset of the second jmp in a stub "jmp *slot(%rip); push $number; jmp": 6 + 5 bytes. From this offset on, the number is on the
    // stack.
    constexpr std::uint64_t Push = 11;
    const auto stub = m_isX86 ? m_modules.stubAt(pc) : std::nullopt;
    if (!stub || hasUnwindInfo(pc))
        return {};
    const std::uint64_t at = m_stackBegin + (pc - *stub >= Push ? WordBytes : 0);
    const std::uint64_t caller = readMemory(at).value_or(0);
    if (caller == 0)
        return {};
    Frame frame = firstFrame(caller);
    frame.isExact = false;
    frame.registers.set(m_machine.stackPointer, at + WordBytes);
    return frame;
}

/// Appends a frame. Returns false if the stack ends before it.
bool FrameUnwinder::addFrame(std::uint64_t pc, bool isExact)
{
    auto& frames = m_result.frames;
    if (frames.size() >= MaxFrames || (pc == 0 && !frames.empty()))
        return false;
    const Mapping* mapping = m_modules.mappingAt(pc);
    // Reject `pc` if it was found through the frame pointer and lies in no mapping: the register then did not contain a frame
    // pointer.
    if (m_isGuess && !mapping) {
        m_isBadGuess = true;
        return false;
    }
    UnwoundFrame frame{UnknownModule, pc, pc, !isExact && !frames.empty(), m_isGuess};
    if (mapping) {
        frame.module = mapping->module;
        frame.address = m_modules.isFile(*mapping) ? pc - mapping->address + mapping->fileOffset : pc;
    }
    frames.push_back(frame);
    m_isGuess = m_isGuess || !hasUnwindInfo(frame.isReturnAddress ? pc - 1 : pc);
    return true;
}

UnwindEnd FrameUnwinder::endOf(bool isComplete) const
{
    if (m_result.frames.size() >= MaxFrames)
        return UnwindEnd::TooDeep;
    if (m_result.frames.empty())
        return UnwindEnd::BadRegisters;
    // Check m_isStackTooShort first: a return address that cannot be read looks like the end of the stack.
    if (m_isStackTooShort && !m_isGuess)
        return UnwindEnd::Truncated;
    if (!m_isBadGuess && !m_isStackTooShort && isComplete)
        return UnwindEnd::Complete;
    const Mapping* last = m_modules.mappingAt(m_result.frames.back().ip);
    if (!last)
        return UnwindEnd::NoModule;
    return m_modules.isFile(*last) && !m_modules.hasFile(*last) ? UnwindEnd::NoFile : UnwindEnd::NoUnwindInfo;
}

FrameUnwinder::Frame FrameUnwinder::firstFrame(std::uint64_t pc) const
{
    Frame frame;
    frame.registers = m_recorded;
    if (m_isX86)
        frame.registers.set(X86Pc, pc); // The rules of stubs (.plt) refer to it.
    frame.pc = pc;
    frame.isExact = true;
    return frame;
}

UnwoundStack FrameUnwinder::unwind(const UserRegisters& registers, std::span<const std::byte> stack)
{
    m_stack = stack;
    m_result = {};
    m_isStackTooShort = m_isGuess = m_isBadGuess = false;
    const auto pc = valueOf(registers, m_machine.perfPc);
    if (registers.abi != UserRegisters::Abi::Bits64 || !pc) {
        m_result.end = UnwindEnd::BadRegisters;
        return std::move(m_result);
    }
    // Registers that were not recorded count as 0, as in perf.
    for (std::size_t number = 0; number < m_machine.perfNumbers.size(); ++number)
        m_recorded.set(number, valueOf(registers, m_machine.perfNumbers[number]).value_or(0));
    m_stackBegin = m_recorded.get(m_machine.stackPointer).value_or(0);
    if (m_modules.images().empty()) {
        addFrame(*pc, true);
        m_result.end = m_modules.mappingAt(*pc) ? UnwindEnd::NoFile : UnwindEnd::NoModule;
        return std::move(m_result);
    }
    Frame first = firstFrame(*pc);
    if (auto caller = callerOfStub(*pc)) {
        addFrame(*pc, true);
        m_isGuess = false;
        first = std::move(*caller);
    }
    m_result.end = endOf(walk(std::move(first)));
    return std::move(m_result);
}

} // namespace

const CallFrames& FrameCache::ehFrames(const std::shared_ptr<const ElfFile>& file)
{
    auto& frames = m_ehFrames[file.get()];
    if (!frames)
        frames = ehFramesOf(file);
    return frames->frames;
}

const CallFrames& FrameCache::debugFrames(const std::shared_ptr<const ElfFile>& file)
{
    auto& frames = m_debugFrames[file.get()];
    if (!frames)
        frames = debugFramesOf(file);
    return frames->frames;
}

std::unique_ptr<Unwinder> Unwinder::make(ElfMachine machine, std::shared_ptr<Symbolizer> symbolizer, std::shared_ptr<FrameCache> cache)
{
    if (!cache)
        cache = std::make_shared<FrameCache>();
    return std::make_unique<FrameUnwinder>(machine, std::move(symbolizer), std::move(cache));
}

std::string_view explanationOf(UnwindEnd end)
{
    switch (end) {
    case UnwindEnd::Complete: return "";
    case UnwindEnd::Truncated: return "the recorded stack copy is too short";
    case UnwindEnd::NoModule: return "a return address is in no mapped file";
    case UnwindEnd::NoFile: return "the file of the last frame was not found";
    case UnwindEnd::NoUnwindInfo: return "the last frame's code has no usable unwind information";
    case UnwindEnd::BadRegisters: return "the sample has no usable registers";
    case UnwindEnd::TooDeep: return "the stack is deeper than the limit";
    case UnwindEnd::Unreadable: return "the sample could not be read again";
    case UnwindEnd::NotRecorded: return "the stack is deeper than the recorder's limit";
    case UnwindEnd::BrokenChain: return "the chain of frame pointers is broken";
    }
    return "";
}

std::optional<UnwoundStack> UnwoundStacks::find(std::uint64_t event) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_stacks.find(event);
    if (found == m_stacks.end())
        return {};
    UnwoundStack stack;
    stack.end = found->second.second;
    for (std::uint32_t number = found->second.first; number != 0; number = m_frames[number].caller)
        stack.frames.push_back(m_frames[number].frame);
    return stack;
}

void UnwoundStacks::add(std::uint64_t event, const UnwoundStack& stack)
{
    const std::lock_guard lock(m_mutex);
    if (m_stacks.size() >= MostSamples || m_frames.size() + stack.frames.size() > MostFrames)
        return;
    std::uint32_t number = 0;
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
        const auto [known, isNew] =
            m_numbers.try_emplace(Key{number, frame->module, frame->address, frame->ip, frame->isReturnAddress, frame->isGuessed},
                                  std::uint32_t(m_frames.size()));
        if (isNew)
            m_frames.push_back({number, *frame});
        number = known->second;
    }
    m_stacks.emplace(event, std::pair(number, stack.end));
}

} // namespace helio
