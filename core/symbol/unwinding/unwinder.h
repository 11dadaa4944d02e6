#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/symbol/unwinding/unwind_end.h"
#include "core/trace/process/module.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// User-mode registers of a thread, as perf records them: one value for each bit of `mask`, lowest bit first.
struct UserRegisters {
    enum class Abi : std::uint8_t { None, Bits32, Bits64 };
    Abi abi = Abi::None;
    std::uint64_t mask = 0;
    std::span<const std::uint64_t> values;
};

struct UnwoundFrame {
    ModuleId module = UnknownModule;
    std::uint64_t address = 0; ///< Address as Module::kind defines it; an address in the process's memory if the module is unknown.
    std::uint64_t ip = 0; ///< Virtual address of the frame's code in the process; a return address if `isReturnAddress` is true.
    bool isReturnAddress = false; ///< True if the address is a return address; false if it was executed itself or interrupted by a signal.
    bool isGuessed = false; ///< True if the frame was found by a frame pointer, because unwind information is missing.
};

struct UnwoundStack {
    std::vector<UnwoundFrame> frames; ///< Frames, innermost first.
    UnwindEnd end = UnwindEnd::Complete;
};

class CallFrames;
struct FileFrames;

/// Call frame information of files, shared by the unwinders of several processes.
/// Threads: to be used by one thread at a time.
/// Cost: reads the information of a file at its first use.
class FrameCache {
public:
    const CallFrames& ehFrames(const std::shared_ptr<const ElfFile>& file);
    const CallFrames& debugFrames(const std::shared_ptr<const ElfFile>& file);

private:
    std::unordered_map<const ElfFile*, std::shared_ptr<const FileFrames>> m_ehFrames; ///< A FileFrames keeps its file.
    std::unordered_map<const ElfFile*, std::shared_ptr<const FileFrames>> m_debugFrames;
};

/// Finds the callers of a sampled function from registers and a copy of the top of the stack. One unwinder serves one process. Supports
/// x86-64 and aarch64.
///
/// Threads: to be used by one thread at a time.
/// Errors: part of the result, which contains the frames found before the error.
/// Cost: setMappings() opens new files; unwind() takes about 0.5 us per frame once the call frame information is read.
class Unwinder {
public:
    static constexpr std::size_t MaxFrames = 1024;

    /// `cache` may be shared with other unwinders of the same thread; nullptr for a cache of its own.
    static std::unique_ptr<Unwinder> make(ElfMachine machine, std::shared_ptr<Symbolizer> symbolizer,
                                          std::shared_ptr<FrameCache> cache = nullptr);
    virtual ~Unwinder() = default;

    /// Sets the current mappings. `modules` are the trace's modules, indexed by ModuleId. Both lists are copied as far as needed.
    virtual void setMappings(std::span<const Mapping> mappings, std::span<const Module> modules) = 0;

    /// Unwinds a stack. `stack` begins at the stack pointer and contains only the bytes that the kernel filled (dyn_size).
    virtual UnwoundStack unwind(const UserRegisters& registers, std::span<const std::byte> stack) = 0;
};

/// Cache of the unwound stacks of one trace, keyed by the events of the samples. Unwinding takes 10 us per sample, and every selected time
/// range needs the stacks again. Callers that several samples share are stored once.
///
/// Threads: any thread at once.
/// Memory: 40 bytes per sample and 100 bytes per node in the tree of callers; stacks beyond MostSamples or MostFrames are not stored.
class UnwoundStacks {
public:
    static constexpr std::size_t MostSamples = 1u << 22;
    static constexpr std::size_t MostFrames = 1u << 20;

    std::optional<UnwoundStack> find(std::uint64_t event) const;
    void add(std::uint64_t event, const UnwoundStack& stack);

private:
    struct Frame {
        std::uint32_t caller; ///< Index of the caller in m_frames; 0 if there is no caller.
        UnwoundFrame frame;
    };
    using Key = std::tuple<std::uint32_t, ModuleId, std::uint64_t, std::uint64_t, bool, bool>;

    mutable std::mutex m_mutex;
    std::vector<Frame> m_frames = std::vector<Frame>(1); ///< Tree of callers; element 0 is a placeholder for "no caller".
    std::map<Key, std::uint32_t> m_numbers;
    /// Index of the innermost frame in m_frames, and the end of the stack; keyed by event.
    std::unordered_map<std::uint64_t, std::pair<std::uint32_t, UnwindEnd>> m_stacks;
};

} // namespace helio
