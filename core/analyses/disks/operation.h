#pragma once

#include <cstdint>
#include <string_view>

namespace helio::disks {

/// Operation of a request.
enum class Operation : std::uint8_t { Read, Write, Flush, Other };

constexpr std::string_view wordOf(Operation it)
{
    constexpr std::string_view Words[] = {"read", "write", "flush", "other"};
    return Words[static_cast<std::size_t>(it)];
}

/// Decodes a numeric field "rwbs" as LTTng records it. If several bits are set, write takes precedence over read, and read over flush.
constexpr Operation operationOf(std::int64_t rwbs)
{
    constexpr std::int64_t Write = 0x1, Read = 0x4, ReadAheadTrace = 0x8, Flush = 0x100, PreFlush = 0x400;
    if (rwbs & Write)
        return Operation::Write;
    if (rwbs & (Read | ReadAheadTrace))
        return Operation::Read;
    return rwbs & (Flush | PreFlush) ? Operation::Flush : Operation::Other;
}

/// Decodes a text field "rwbs" as the kernel's blk_fill_rwbs() makes it: F for a preceding flush, then the operation (W, R, D, DE, F, N, Z
/// and another letter), then the flags F, A, S, M.
constexpr Operation operationOf(std::string_view rwbs)
{
    const bool isFlushedBefore = rwbs.starts_with('F') && rwbs.size() > 1;
    const std::string_view does = isFlushedBefore ? rwbs.substr(1) : rwbs;
    if (does.starts_with('W') || does.starts_with("ZA"))
        return Operation::Write;
    if (does.starts_with('R'))
        return Operation::Read;
    return isFlushedBefore || does.starts_with('F') ? Operation::Flush : Operation::Other;
}

} // namespace helio::disks
