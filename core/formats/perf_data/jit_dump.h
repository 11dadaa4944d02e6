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
    std::uint64_t time = 0; ///< Time in ns of the dump's clock at which the code was placed.
    std::uint64_t address = 0; ///< Address of the first byte in the process's memory.
    std::uint64_t size = 0; ///< Size in bytes.
    std::uint64_t number = 0; ///< Number of the first byte in JitDump::names.
};

/// Content of a jitdump file (jit-PID.dump), which just-in-time compilers write for perf: the functions that they compiled, with source
/// lines, and when and where they placed them.
struct JitDump {
    std::uint32_t pid = 0; ///< Process id as the compiler saw it; in a container, it differs from the recorded one.
    /// True if times are ns of CLOCK_MONOTONIC. False if they are ticks of the processor, whose relation to perf's clock is unknown.
    bool isMonotonic = true;
    std::shared_ptr<RecordedNames> names = std::make_shared<RecordedNames>(); ///< Names of all code.
    std::vector<JitCode> code; ///< In the order of the file.
    std::vector<Diagnostic> diagnostics; ///< Damage in the file; Diagnostic::file is empty.
};

/// Returns the process id in the name of a jitdump file, e.g. 12 for "/tmp/jit-12.dump"; nullopt if the file has another name.
std::optional<std::int32_t> pidOfJitDump(std::string_view path);

/// Reads a jitdump file of either byte order.
/// Errors: Corrupt or Unsupported if the header is wrong. Damage after the header is reported in JitDump::diagnostics.
/// Cost: memory is at most proportional to the file.
Result<JitDump> readJitDump(std::span<const std::byte> file);

} // namespace helio::perf
