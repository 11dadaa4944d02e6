#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace helio {

class RecordedNames;

/// Index of a module in its trace; dense. 0 is code outside of all known modules.
enum class ModuleId : std::uint32_t {};
constexpr ModuleId UnknownModule{0};

/// A file, or a part of a kernel, with code that ran; symbols are looked up in modules.
struct Module {
    enum class Kind : std::uint8_t {
        Unknown,
        File, ///< An ELF file. Addresses are offsets in the file (but see isLoadRelative).
        Vdso, ///< The kernel's page of code for processes. Addresses are offsets in the page.
        Anonymous, ///< Memory without a file (code compiled at run time). Addresses are those of the process.
        Kernel, ///< Kernel kinds (Kernel, KernelModule, KernelOther): addresses are those of the kernel.
        KernelModule,
        KernelOther, ///< BPF programs and trampolines.
        GuestKernel,
        GuestUser,
    };

    Kind kind = Kind::Unknown;
    std::string path; ///< Path as recorded: "/usr/lib/libc.so.6", "[kernel.kallsyms]", "[vdso]", "//anon".
    std::string buildId; ///< Build-id in lower-case hex digits; empty if not recorded.
    std::int32_t pid = -1; ///< Process of the memory, for Anonymous; -1 for other kinds.
    std::uint64_t begin = 0; ///< First address, for kernel kinds and for files with isLoadRelative; 0 if not recorded.
    std::uint64_t size = 0; ///< Size in bytes; 0 if not recorded.
    /// Address of `_text` (or of the symbol `referenceName`) while the kernel ran, for kernel kinds; 0 if not recorded.
    std::uint64_t reference = 0;
    std::string referenceName;
    std::uint64_t textSize = 0; ///< Bytes of the kernel's text from its first symbol to `_etext`, for kernel kinds; 0 if not recorded.
    /// True if addresses in a File count from the first loaded byte instead of the file's begin, because the recording has only the
    /// module's address in memory.
    bool isLoadRelative = false;
    std::string release; ///< Kernel release as `uname -r` prints it, for kernel kinds and Vdso; empty if not recorded.
    /// Names that the recording itself has for the code; addresses are then numbers in it, whatever the kind. nullptr if the recording has
    /// none.
    std::shared_ptr<const RecordedNames> names;

    bool operator==(const Module&) const = default;
    bool isKernel() const { return kind >= Kind::Kernel && kind <= Kind::KernelOther; }
};

/// A range of a process's memory to which a module was mapped.
struct Mapping {
    std::uint64_t address = 0;
    std::uint64_t size = 0; ///< Size in bytes.
    std::uint64_t fileOffset = 0; ///< Offset of `address` in the module's file.
    ModuleId module = UnknownModule;
    bool isCode = true; ///< False if the memory is not executable: such a mapping does not tell where its module's code is.
};

/// Information about processes that a recording holds besides its events.
struct ProcessRecord {
    enum class Kind : std::uint8_t {
        Comm, ///< Name of a thread.
        Exec, ///< A thread calls exec and has a new name; the mappings so far are those of the old program.
        /// pid and tid are those of the child. A child with a new pid copies its parent's mappings; a child with the same pid is a thread.
        Fork,
        Exit,
        Map, ///< `mapping` appears in the process and replaces what it overlaps. pid -1: in the kernel.
    };

    HostTimestamp time; ///< Time of the change; the trace's begin if it happened before.
    Kind kind = Kind::Comm;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t parentPid = -1; ///< Parent of Fork and Exit.
    std::int32_t parentTid = -1;
    std::string name; ///< Name of Comm and Exec.
    Mapping mapping; ///< Mapping of Map.
};

} // namespace helio
