#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace helio {

class RecordedNames;

/// Index of a module in its trace; indices are dense. Index 0 stands for code outside of all known modules.
enum class ModuleId : std::uint32_t {};
constexpr ModuleId UnknownModule{0};

/// Special guest number: code of the host itself, not of a guest. A guest is a virtual machine whose code ran on the recorded host. Its
/// number is the process ID of its hypervisor, or AnyGuest if the recording does not distinguish guests.
constexpr std::int32_t NoGuest = -1;
constexpr std::int32_t AnyGuest = 0;

/// A file, or a section of the kernel, with code that ran. Symbols are looked up per module.
struct Module {
    enum class Kind : std::uint8_t {
        Unknown,
        File, ///< An ELF file. Addresses are offsets in the file or, if isLoadRelative, distances from the file's first loaded byte.
        Vdso, ///< The vDSO: the kernel's page of code that is mapped into each process. Addresses are offsets in the page.
        Anonymous, ///< Memory without a file (code compiled at run time). Addresses are virtual addresses of the process.
        Kernel, ///< The kernel itself. For all kernel kinds (Kernel, KernelModule, KernelOther), addresses are kernel addresses.
        KernelModule,
        KernelOther, ///< BPF programs and trampolines.
        GuestKernel, ///< The kernel of a guest. For GuestKernel and GuestModule, addresses are kernel addresses in the guest.
        GuestUser, ///< A program in a guest. Addresses are offsets in the file; if `path` is not a file, virtual addresses of the process.
        GuestModule, ///< A kernel module of a guest.
    };

    Kind kind = Kind::Unknown;
    std::string path; ///< Path as recorded: "/usr/lib/libc.so.6", "[kernel.kallsyms]", "[vdso]", "//anon".
    std::string buildId; ///< Build-id in lower-case hex digits; empty if not recorded.
    /// For Anonymous: ID of the process that owns the memory. For GuestKernel, GuestUser and GuestModule: number of the guest. Else -1.
    std::int32_t pid = -1;
    std::uint64_t begin = 0; ///< First address of the module, for kernel kinds and for files with isLoadRelative; 0 if not recorded.
    std::uint64_t size = 0; ///< Size of the module in bytes; 0 if not recorded.
    /// For kernel kinds and GuestKernel: address of the symbol `_text` (or `referenceName`) while the kernel ran; 0 if not recorded.
    std::uint64_t reference = 0;
    std::string referenceName;
    std::uint64_t textSize = 0; ///< For kernel kinds: bytes of kernel text from its first symbol to `_etext`; 0 if not recorded.
    /// True if addresses of a File count from the file's first loaded byte instead of the start of the file, because the recording has only
    /// the module's address in memory.
    bool isLoadRelative = false;
    std::string release; ///< Kernel release as `uname -r` prints it, for kernel kinds and Vdso; empty if not recorded.
    /// Function names that the recording itself contains for this module; nullptr if it contains none. If set, an address in this module is
    /// a number that RecordedNames::add() returned, whatever `kind` says about addresses.
    std::shared_ptr<const RecordedNames> names;

    bool operator==(const Module&) const = default;
    bool isKernel() const { return kind >= Kind::Kernel && kind <= Kind::KernelOther; }
    bool isGuest() const { return kind >= Kind::GuestKernel; }
};

/// Range of a process's memory (or of the kernel's) into which a module is mapped.
struct Mapping {
    std::uint64_t address = 0;
    std::uint64_t size = 0; ///< Size of the mapping in bytes.
    std::uint64_t fileOffset = 0; ///< Offset in the module's file of the byte at `address`.
    ModuleId module = UnknownModule;
    bool isCode = true; ///< False if the memory is not executable; such a mapping does not locate the module's code.
};

/// A change of processes, threads or mappings that the recording describes outside of its events.
struct ProcessRecord {
    enum class Kind : std::uint8_t {
        Comm, ///< A thread's name is set to `name`.
        Exec, ///< A thread called exec and has the new name `name`; earlier mappings of the process belong to the old program.
        /// A thread or process started; `pid` and `tid` identify the child. If the pid is new, the child has copies of its parent's
        /// mappings; otherwise, the child is a thread of its parent's process.
        Fork,
        Exit,
        Map, ///< `mapping` was added to the process and replaces mappings that it overlaps. For pid -1, the mapping is in the kernel.
    };

    HostTimestamp time; ///< Time of the change; the start of the trace if the change happened earlier.
    Kind kind = Kind::Comm;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t parentPid = -1; ///< Process id of the parent, for Fork and Exit.
    std::int32_t parentTid = -1;
    std::string name; ///< Name of the thread, for Comm and Exec.
    Mapping mapping; ///< The added mapping, for Map.
    std::int32_t guest = NoGuest; ///< Number of the guest in which the processes ran; NoGuest for processes of the host.
};

} // namespace helio
