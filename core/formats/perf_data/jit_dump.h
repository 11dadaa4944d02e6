#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/trace/process/recorded_names.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::perf {

/// Code that a just-in-time compiler placed at an address of its process.
struct JitCode {
    std::uint64_t time = 0; ///< Time at which the code was placed; see JitDump::isMonotonic for its unit.
    std::uint64_t address = 0; ///< Address of the code's first byte in the memory of the process.
    std::uint64_t size = 0; ///< Size of the code in bytes.
    std::uint64_t number = 0; ///< Number of the code's first byte in JitDump::names.
};

/// Content of a jitdump file (jit-PID.dump), which just-in-time compilers write for perf: the functions that they compiled, with source
/// lines, and when and where they placed them.
struct JitDump {
    std::uint32_t pid = 0; ///< Process ID as the compiler saw it. If the compiler ran in a container, the recording has another ID.
    /// True if the times in the file are in ns of CLOCK_MONOTONIC. False if they are ticks of the processor's clock, which cannot be
    /// converted to perf's clock.
    bool isMonotonic = true;
    std::shared_ptr<RecordedNames> names = std::make_shared<RecordedNames>(); ///< Function names and source lines of all code in the file.
    std::vector<JitCode> code; ///< Each placement of code at an address, in the order of the file.
    std::vector<Diagnostic> diagnostics; ///< Damage in the file; Diagnostic::file is empty.
};

/// Returns the process ID in the name of a jitdump file, e.g. 12 for "/tmp/jit-12.dump"; nullopt if the name is not of the form
/// jit-PID.dump.
std::optional<std::int32_t> pidOfJitDump(std::string_view path);

/// Reads a jitdump file with the content `file`, in either byte order.
/// Errors: Corrupt or Unsupported if the header is wrong. Damage after the header is reported in JitDump::diagnostics.
/// Cost: memory is at most proportional to the size of the file.
Result<JitDump> readJitDump(std::span<const std::byte> file);

} // namespace helio::perf
