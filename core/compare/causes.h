#pragma once

#include "core/compare/process_runs.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace helio {

/// Where time went: a state as `states` prints it, and its detail.
using Cause = std::pair<std::string, std::string>;
using Causes = std::map<Cause, std::int64_t>; ///< ns.

/// The wall time of all runs by cause: of each its first thread's states; stretches that no state covers are "unknown". Without states, what
/// samples say: user code, the kernel by how it was entered (see kernelEntryOf()), and "waiting", NotSampled for the rest.
/// Threads: any but the UI's: names kernel code. Cost: as reading every interval, or collectStacks().
Causes causesOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

/// The detail of time in which nothing but the absence of samples was recorded.
constexpr std::string_view NotSampled = "not sampled on a CPU";

/// What a state means for the CPU.
enum class CpuUseOf : std::uint8_t { OnCpu, WaitsForCpu, OffCpu, Unknown };
CpuUseOf cpuUseOf(std::string_view state);

/// How the kernel was entered, by the name of its outermost function: "page fault", "system call", "interrupt", "exception", "kernel
/// thread"; else empty. Of x86, arm64 and others whose entries have such names (arch/x86/entry/entry_64.S, arch/arm64/kernel/entry.S).
std::string_view kernelEntryOf(std::string_view function);

} // namespace helio
