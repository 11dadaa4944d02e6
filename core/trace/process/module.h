#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace helio {

class RecordedNames;

/// Index of a module in its trace; dense. 0: code that lies in nothing known.
enum class ModuleId : std::uint32_t {};
constexpr ModuleId UnknownModule{0};

/// A file, or a piece of a kernel, whose code ran: what addresses are named in.
struct Module {
    enum class Kind : std::uint8_t {
        Unknown,
        File, ///< An ELF file. Addresses in it are offsets in the file (but see isFromLoad).
        Vdso, ///< Offsets in the kernel's page.
        Anonymous, ///< Memory without a file (compiled at run time): addresses are the process's own.
        Kernel, ///< Addresses are the kernel's own, as are those of the next two.
        KernelModule,
        KernelOther, ///< BPF programs, trampolines.
        GuestKernel,
        GuestUser,
    };

    Kind kind = Kind::Unknown;
    std::string path; ///< As recorded: "/usr/lib/libc.so.6", "[kernel.kallsyms]", "[vdso]", "//anon".
    std::string buildId; ///< Lower-case hex digits. Empty: not recorded.
    std::int32_t pid = -1; ///< Anonymous: whose memory it is.
    std::uint64_t begin = 0; ///< Kernel kinds, and files that isFromLoad: first address; 0: not recorded.
    std::uint64_t size = 0; ///< Bytes. 0: not recorded.
    std::uint64_t reference = 0; ///< Kernel kinds: the address of `_text` (or of what `referenceName` names) when it ran; 0: not recorded.
    std::string referenceName;
    std::uint64_t textSize = 0; ///< Kernel kinds: bytes of the kernel's text, from its first symbol to `_etext`. 0: not recorded.
    /// File: addresses count from the first byte that was loaded of it, as they do where only the place of a module is recorded; not
    /// offsets in the file.
    bool isFromLoad = false;
    std::string release; ///< Kernel kinds and Vdso: as `uname -r` prints it. Empty: not recorded.
    std::shared_ptr<const RecordedNames> names; ///< The recording names its code itself: addresses are their numbers, whatever the kind.

    bool operator==(const Module&) const = default;
    bool isKernel() const { return kind >= Kind::Kernel && kind <= Kind::KernelOther; }
};

/// A stretch of a process's memory that a module was mapped to.
struct Mapping {
    std::uint64_t address = 0;
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t fileOffset = 0; ///< Of `address` in the module's file.
    ModuleId module = UnknownModule;
    bool isCode = true; ///< False: what lies there may not be executed, so that it does not say where its module's code is.
};

/// What a recording holds of processes beside its events.
struct ProcessRecord {
    enum class Kind : std::uint8_t {
        Comm, ///< A thread's name.
        Exec, ///< A thread's name, by exec: the mappings of the process are those of the program before.
        Fork, ///< pid, tid are the new ones. A new pid copies its parent's mappings, the same pid is a new thread.
        Exit,
        Map, ///< `mapping` appears in the process; it cuts what it overlaps. pid -1: in the kernel.
    };

    HostTimestamp time; ///< The trace's begin for what was there before it.
    Kind kind = Kind::Comm;
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t parentPid = -1; ///< Fork and Exit.
    std::int32_t parentTid = -1;
    std::string name; ///< Comm and Exec.
    Mapping mapping; ///< Map.
};

} // namespace helio
