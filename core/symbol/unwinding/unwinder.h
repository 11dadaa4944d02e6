#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/symbol/unwinding/unwind_end.h"
#include "core/trace/process/module.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// A thread's user registers as perf records them: one value for each bit of the mask, lowest first.
struct UserRegisters {
    enum class Abi : std::uint8_t { None, Bits32, Bits64 };
    Abi abi = Abi::None;
    std::uint64_t mask = 0;
    std::span<const std::uint64_t> values;
};

struct UnwoundFrame {
    ModuleId module = UnknownModule;
    std::uint64_t address = 0; ///< In the module's terms; the process's own address where there is no module.
    std::uint64_t ip = 0; ///< The process's own.
    bool isReturnAddress = false; ///< False: what was executed itself, or interrupted by a signal.
    bool isGuessed = false; ///< Found by a frame pointer where unwind information was missing.
};

struct UnwoundStack {
    std::vector<UnwoundFrame> frames; ///< Innermost first.
    UnwindEnd end = UnwindEnd::Complete;
};

/// Finds the callers of a moment in one process from its registers and a copy of the top of its stack. For x86-64 and aarch64.
///
/// Threads: one at a time each.
/// Errors:  stand in the answer, which holds the frames up to there.
/// Cost:    setMappings() opens files that are new; unwind() about a microsecond a frame once their unwind tables were read.
class Unwinder {
public:
    static constexpr std::size_t MaxFrames = 1024;

    static std::unique_ptr<Unwinder> make(Machine machine, std::shared_ptr<Symbolizer> symbolizer);
    virtual ~Unwinder() = default;

    /// What is mapped from now on. `modules` are the trace's, by ModuleId; both are copied as far as they are needed.
    virtual void setMappings(std::span<const Mapping> mappings, std::span<const Module> modules) = 0;

    /// `stack` lies at the stack pointer; only what the kernel filled of it (dyn_size).
    virtual UnwoundStack unwind(const UserRegisters& registers, std::span<const std::byte> stack) = 0;
};

} // namespace helio
