#pragma once

#include "core/findings/occurrences.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace helio {

class FindingScope;

/// Minimum duration of a call that FileCalls has even if isSyncCall() is false for it.
constexpr Duration SlowFileCall = std::chrono::milliseconds(1);

/// System calls that work on files, on memory or on processes, by host and name. They never wait by design, unlike poll(), nanosleep() or a
/// read() from a socket, so a slow call is a stall. Only calls that lie entirely in the window.
using FileCalls = std::map<std::pair<std::uint32_t, std::string>, Occurrences>;

/// True for system calls that return only when data is on the disk, for example fsync(). FileCalls has all of them, also the fast ones.
bool isSyncCall(std::string_view name);

/// True if system calls are known.
bool hasFileCalls(const FindingScope& scope);

/// Cost: reads all states of the threads once. FindingScope::fileCalls() keeps the result.
FileCalls findFileCalls(const FindingScope& scope);

} // namespace helio
