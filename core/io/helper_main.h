#pragma once

#include "core/io/helper_process.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Functions for main() of a helper program, the other end of a HelperProcess.

namespace helio {

/// Limits the process: no core dumps, no written files, and an address space of `memoryBytes` (except in builds with sanitizers, whose
/// shadow memory alone exceeds the limit).
void limitHelper(std::uint64_t memoryBytes);

/// Limits the CPU time from now on; SIGXCPU ends the process at the limit.
void allowCpuSeconds(std::uint64_t seconds);

/// Writes bytes to standard output. Ends the process if Heliograph has ended.
void writeToHeliograph(std::span<const std::byte> bytes);

struct HelperRequest {
    std::uint8_t kind = 0;
    std::vector<std::byte> bytes;
};
/// Reads the next message from standard input; nullopt if there will be no more.
std::optional<HelperRequest> readFromHeliograph();

} // namespace helio
