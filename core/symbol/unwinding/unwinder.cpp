#include "core/symbol/unwinding/unwinder.h"

#include "core/symbol/unwinding/mapped_modules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>

namespace helio {
namespace {

constexpr pid_t AnyPid = 1; ///< Process id, which libdwfl requires; libdwfl does not access the running system.

/// Register numbers of perf, indexed by DWARF register number.
constexpr std::array<std::uint8_t, 17> PerfOfX86{0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};
constexpr std::size_t AArch64Registers = 32; ///< x0 to x30 and sp have the same numbers in perf and DWARF.
constexpr unsigned AArch64Pc = 32;
constexpr unsigned X86Sp = 7, AArch64Sp = 31;
constexpr unsigned DwarfX86Sp = 7, DwarfX86Pc = 16;

std::optional<std::uint64_t> valueOf(const UserRegisters& registers, unsigned number)
{
    const std::uint64_t bit = std::uint64_t{1} << number;
    const auto index = static_cast<std::size_t>(std::popcount(registers.mask & (bit - 1)));
    if ((registers.mask & bit) == 0 || index >= registers.values.size())
        return std::nullopt;
    return registers.values[index];
}

struct DwflEnd {
    void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
};

class DwflUnwinder final : public Unwinder {
public:
    DwflUnwinder(ElfMachine machine, std::shared_ptr<Symbolizer> symbolizer)
        : m_machine(machine)
        , m_modules(machine, std::move(symbolizer))
    {
    }

    void setMappings(std::span<const Mapping> mappings, std::span<const Module> modules) override;
    UnwoundStack unwind(const UserRegisters& registers, std::span<const std::byte> stack) override;

private:
    static int findElf(Dwfl_Module*, void** userData, const char*, Dwarf_Addr, char**, Elf** elf);
    static int findDebugInfo(Dwfl_Module*, void** userData, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char** path);
    static pid_t nextThread(Dwfl*, void* self, void** thread);
    static bool readMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* self);
    static bool setRegisters(Dwfl_Thread* thread, void* self);
    static int onFrame(Dwfl_Frame* state, void* self);

    /// Caller of the stub (.plt) in which a sample was taken.
    struct Caller {
        std::uint64_t pc = 0; ///< Address of the last byte of the instruction that called the stub.
        std::uint64_t sp = 0;
    };
    std::optional<Caller> callerOfStub(std::uint64_t pc);

    bool attach();
    int addFrame(std::uint64_t pc, bool isExact);
    bool hasUnwindInfo(std::uint64_t pc);
    UnwindEnd endOf(int outcome) const;
    std::uint64_t stackPointer() const { return valueOf(m_registers, m_machine == ElfMachine::X86_64 ? X86Sp : AArch64Sp).value_or(0); }

    ElfMachine m_machine;
    MappedModules m_modules;
    std::unique_ptr<Dwfl, DwflEnd> m_dwfl;
    /// ELF handle of any mapped file, from which libdwfl learns the processor. The handle may be destroyed before m_dwfl, because libdwfl
    /// reads it only while attaching.
    ElfHandle m_anyElf;
    bool m_isAttached = false;
    std::unordered_map<std::uint64_t, bool> m_hasInfo; ///< True for addresses (pc) with unwind information, in the current mappings.

    // State of the sample that is currently unwound.
    UserRegisters m_registers;
    std::span<const std::byte> m_stack;
    UnwoundStack m_result;
    bool m_ranOut = false; ///< True if unwinding needed memory beyond the copy of the stack.
    bool m_isGuess = false;
    bool m_isBadGuess = false;
    /// If the sample was taken in a stub (.plt), the caller of the stub. Unwinding then begins at this caller instead of the sampled
    /// registers.
    std::optional<Caller> m_stubsCaller;
};

int DwflUnwinder::findElf(Dwfl_Module*, void** userData, const char*, Dwarf_Addr, char**, Elf** elf)
{
    const auto* module = static_cast<const MappedModules::Image*>(*userData);
    if (module && module->file)
        *elf = libelfView(module->file->bytes()).release(); // Pass the ownership of the handle to libdwfl, which destroys it.
    return -1; // Return no file descriptor: libdwfl then uses the handle, which reads from memory.
}

int DwflUnwinder::findDebugInfo(Dwfl_Module*, void** userData, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char** path)
{
    const auto* module = static_cast<const MappedModules::Image*>(*userData);
    const auto debug = module ? module->debugFile() : nullptr;
    if (!debug || debug == module->file)
        return -1;
    *path = strdup(debug->path().c_str());
    return ::open(debug->path().c_str(), O_RDONLY | O_CLOEXEC);
}

pid_t DwflUnwinder::nextThread(Dwfl*, void* self, void** thread)
{
    if (*thread)
        return 0;
    *thread = self;
    return AnyPid;
}

bool DwflUnwinder::readMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* self)
{
    auto& unwinder = *static_cast<DwflUnwinder*>(self);
    const std::uint64_t base = unwinder.stackPointer();
    const std::size_t size = unwinder.m_stack.size();
    if (address >= base && size >= sizeof *result && address - base <= size - sizeof *result) {
        std::memcpy(result, unwinder.m_stack.data() + (address - base), sizeof *result);
        return true;
    }
    if (unwinder.m_modules.read(address, *result))
        return true;
    unwinder.m_ranOut = unwinder.m_ranOut || address >= base;
    return false;
}

bool DwflUnwinder::setRegisters(Dwfl_Thread* thread, void* self)
{
    const auto& unwinder = *static_cast<DwflUnwinder*>(self);
    const bool isX86 = unwinder.m_machine == ElfMachine::X86_64;
    std::array<Dwarf_Word, AArch64Registers> values{};
    const std::size_t count = isX86 ? PerfOfX86.size() : AArch64Registers;
    for (unsigned i = 0; i < count; ++i)
        values[i] = valueOf(unwinder.m_registers, isX86 ? PerfOfX86[i] : i).value_or(0);
    if (unwinder.m_stubsCaller) { // Start at the caller of the stub, if the sample was taken in an x86 stub without unwind information.
        values[DwarfX86Sp] = unwinder.m_stubsCaller->sp;
        values[DwarfX86Pc] = unwinder.m_stubsCaller->pc;
    }
    if (!isX86)
        dwfl_thread_state_register_pc(thread, valueOf(unwinder.m_registers, AArch64Pc).value_or(0));
    return dwfl_thread_state_registers(thread, 0, static_cast<unsigned>(count), values.data());
}

int DwflUnwinder::onFrame(Dwfl_Frame* state, void* self)
{
    Dwarf_Addr pc = 0;
    bool isExact = false;
    static_cast<DwflUnwinder*>(self)->m_ranOut = false; // Reset the flag before dwfl_frame_pc(), which may already search for the caller.
    if (!dwfl_frame_pc(state, &pc, &isExact))
        return DWARF_CB_ABORT;
    auto& unwinder = *static_cast<DwflUnwinder*>(self);
    // The frame of a stub's caller: libdwfl got the return address minus 1 as pc, so add 1 again.
    if (unwinder.m_stubsCaller && unwinder.m_result.frames.size() == 1)
        return unwinder.addFrame(pc + 1, false);
    return unwinder.addFrame(pc, isExact);
}

/// Returns the caller of a stub for which the linker (for example lld) wrote no unwind information. When the stub jumps, the return
/// address is at the top of the stack. If the function is not resolved yet, the stub first pushes a number onto the stack.
std::optional<DwflUnwinder::Caller> DwflUnwinder::callerOfStub(std::uint64_t pc)
{
    // Offset of the second jmp in a stub "jmp *slot(%rip); push $number; jmp": 6 + 5 bytes. From this offset on, the number is on the
    // stack.
    constexpr std::uint64_t Push = 11;
    const auto stub = m_machine == ElfMachine::X86_64 ? m_modules.stubAt(pc) : std::nullopt;
    if (!stub || hasUnwindInfo(pc))
        return std::nullopt;
    const std::uint64_t at = stackPointer() + (pc - *stub >= Push ? 8 : 0);
    Dwarf_Word caller = 0;
    if (!readMemory(nullptr, at, &caller, this) || caller == 0)
        return std::nullopt;
    return Caller{caller - 1, at + 8};
}

int DwflUnwinder::addFrame(std::uint64_t pc, bool isExact)
{
    auto& frames = m_result.frames;
    if (frames.size() >= MaxFrames || (pc == 0 && !frames.empty()))
        return DWARF_CB_ABORT;
    const Mapping* mapping = m_modules.mappingAt(pc);
    // Reject `pc` if it was found through the frame pointer and lies in no mapping: the register then did not contain a frame
    // pointer.
    if (m_isGuess && !mapping)
        return m_isBadGuess = true, DWARF_CB_ABORT;
    UnwoundFrame frame{UnknownModule, pc, pc, !isExact && !frames.empty(), m_isGuess};
    if (mapping) {
        frame.module = mapping->module;
        frame.address = m_modules.isFile(*mapping) ? pc - mapping->address + mapping->fileOffset : pc;
    }
    frames.push_back(frame);
    m_isGuess = m_isGuess || !hasUnwindInfo(frame.isReturnAddress ? pc - 1 : pc);
    return DWARF_CB_OK;
}

bool DwflUnwinder::hasUnwindInfo(std::uint64_t pc)
{
    const auto [known, isNew] = m_hasInfo.try_emplace(pc, false);
    if (!isNew)
        return known->second;
    Dwfl_Module* module = dwfl_addrmodule(m_dwfl.get(), pc);
    Dwarf_Addr bias = 0;
    Dwarf_CFI* table = module ? dwfl_module_eh_cfi(module, &bias) : nullptr;
    Dwarf_Frame* frame = nullptr;
    if (table && dwarf_cfi_addrframe(table, pc - bias, &frame) == 0)
        known->second = true;
    std::free(frame);
    frame = nullptr;
    if (!known->second && module && (table = dwfl_module_dwarf_cfi(module, &bias)) && dwarf_cfi_addrframe(table, pc - bias, &frame) == 0)
        known->second = true;
    std::free(frame);
    return known->second;
}

bool DwflUnwinder::attach()
{
    static const Dwfl_Thread_Callbacks callbacks{&nextThread, nullptr, &readMemory, &setRegisters, nullptr, nullptr};
    const auto file = m_modules.anyFile();
    if (m_isAttached || !file)
        return m_isAttached;
    m_anyElf = libelfView(file->bytes());
    m_isAttached = m_anyElf && dwfl_attach_state(m_dwfl.get(), m_anyElf.get(), AnyPid, &callbacks, this);
    return m_isAttached;
}

void DwflUnwinder::setMappings(std::span<const Mapping> mappings, std::span<const Module> modules)
{
    static const Dwfl_Callbacks callbacks{&findElf, &findDebugInfo, &dwfl_offline_section_address, nullptr};
    if (!m_dwfl)
        m_dwfl.reset(dwfl_begin(&callbacks));
    m_hasInfo.clear();
    m_modules.set(mappings, modules);
    if (!m_dwfl)
        return;
    dwfl_report_begin(m_dwfl.get());
    // Report all images again: libdwfl keeps a module, with its tables, if a module with this name and address was reported before.
    for (MappedModules::Image* image : m_modules.images()) {
        Dwfl_Module* module = dwfl_report_module(m_dwfl.get(), image->name.c_str(), image->begin, image->end);
        void** userData = nullptr;
        if (module && dwfl_module_info(module, &userData, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr))
            *userData = image;
    }
    dwfl_report_end(m_dwfl.get(), nullptr, nullptr);
    attach();
}

UnwindEnd DwflUnwinder::endOf(int outcome) const
{
    if (m_result.frames.size() >= MaxFrames)
        return UnwindEnd::TooDeep;
    if (m_result.frames.empty())
        return UnwindEnd::BadRegisters;
    // Check m_ranOut before `outcome`: libdwfl also reports the end of the stack if it cannot read a return address.
    if (m_ranOut && !m_isGuess)
        return UnwindEnd::Truncated;
    // DWARF_CB_ABORT also means a complete stack: addFrame() returns it for a return address of 0, because the first function of a
    // thread has no caller.
    if (!m_isBadGuess && !m_ranOut && (outcome == 0 || outcome == DWARF_CB_ABORT))
        return UnwindEnd::Complete;
    const Mapping* last = m_modules.mappingAt(m_result.frames.back().ip);
    if (!last)
        return UnwindEnd::NoModule;
    return m_modules.isFile(*last) && !m_modules.hasFile(*last) ? UnwindEnd::NoFile : UnwindEnd::NoUnwindInfo;
}

UnwoundStack DwflUnwinder::unwind(const UserRegisters& registers, std::span<const std::byte> stack)
{
    m_registers = registers;
    m_stack = stack;
    m_result = {};
    m_ranOut = m_isGuess = m_isBadGuess = false;
    m_stubsCaller.reset();
    const auto pc = valueOf(registers, m_machine == ElfMachine::X86_64 ? PerfOfX86.back() : AArch64Pc);
    if (registers.abi != UserRegisters::Abi::Bits64 || !pc) {
        m_result.end = UnwindEnd::BadRegisters;
        return std::move(m_result);
    }
    if (m_isAttached) {
        if (const auto caller = callerOfStub(*pc)) {
            addFrame(*pc, true);
            m_isGuess = false;
            m_stubsCaller = caller;
        }
        m_result.end = endOf(dwfl_getthread_frames(m_dwfl.get(), AnyPid, &onFrame, this));
    } else {
        addFrame(*pc, true);
        m_result.end = m_modules.mappingAt(*pc) ? UnwindEnd::NoFile : UnwindEnd::NoModule;
    }
    return std::move(m_result);
}

} // namespace

std::unique_ptr<Unwinder> Unwinder::make(ElfMachine machine, std::shared_ptr<Symbolizer> symbolizer)
{
    return std::make_unique<DwflUnwinder>(machine, std::move(symbolizer));
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
