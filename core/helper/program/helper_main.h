#pragma once

#include "core/helper/helper_process.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Functions for main() of a helper program, i.e. of a program that Heliograph starts as a HelperProcess.

namespace helio {

/// Arguments of a helper program.
struct HelperArguments {
    std::uint64_t cpuSeconds = 0; ///< Limit of the CPU time from one message to the next.
    std::vector<std::string> rest; ///< Arguments of this program, without those that all helper programs have.
};
/// Returns the arguments. Ends the program with a message if Heliograph did not start it, if it is of another version than Heliograph, or
/// if there are fewer than `count` arguments in HelperArguments::rest.
HelperArguments helperArguments(int argc, char** argv, std::size_t count = 0);

/// Limits the calling process: it cannot write core dumps or files, and its address space is at most `memoryBytes` bytes. Builds with a
/// sanitizer have no limit for the address space, because the sanitizer's shadow memory alone would exceed it.
void limitHelper(std::uint64_t memoryBytes);

/// Limits the CPU time that the calling process may use from now on. At the limit, the signal SIGXCPU ends the process.
void allowCpuSeconds(std::uint64_t seconds);

/// Writes bytes to standard output, from which Heliograph reads. Ends the calling process if Heliograph has ended.
void writeToHeliograph(std::span<const std::byte> bytes);

struct HelperRequest {
    std::uint8_t kind = 0;
    std::vector<std::byte> bytes;
};
/// Reads the next message of Heliograph from standard input; nullopt if Heliograph has closed the connection.
std::optional<HelperRequest> readFromHeliograph();

} // namespace helio
