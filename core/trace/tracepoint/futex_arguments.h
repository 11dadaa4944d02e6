#pragma once

#include "core/trace/stored/stored_events.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace helio::tracepoint {

/// The first arguments of a futex system call, as they are needed to find its lock.
struct FutexArguments {
    std::int64_t address = 0; ///< Argument "uaddr".
    std::int64_t op = 0; ///< Number of the operation, with its flags.
    std::int64_t value = 0; ///< Argument "val".
};

/// Parses the printed arguments of a futex call: those of strace ("0x55e9, FUTEX_WAIT_PRIVATE, 2, NULL"), perf trace ("uaddr: 0x55e9, op:
/// WAIT|PRIVATE_FLAG, val: 2") and ftrace ("uaddr: 55e9, op: 80, val: 2", all hexadecimal; with "0x" since Linux 5.19), and numbers as
/// ltrace prints them. Returns nullopt if one of the three arguments is missing or unknown.
std::optional<FutexArguments> parseFutexArguments(std::string_view text);

/// Appends the arguments to the fields of an event, with the names "uaddr", "op" and "val" of the tracepoint.
void appendFutexFields(const FutexArguments& arguments, std::vector<StoredField>& fields);

} // namespace helio::tracepoint
