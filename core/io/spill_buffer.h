#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Bytes that are made while a file is read and stay as long as it is open: they grow at their end, and lie in a file without a name in the
/// system's folder for temporary files, so that the kernel may take them out of memory.
///
/// Threads: append() one at a time; bytes() any at once when no append() runs.
/// Errors:  append() fails where the disk is full; what was there stays.
class SpillBuffer {
public:
    SpillBuffer() = default;
    ~SpillBuffer();
    SpillBuffer(const SpillBuffer&) = delete;
    SpillBuffer& operator=(const SpillBuffer&) = delete;

    Status append(std::span<const std::byte> bytes);

    /// Valid until the next append().
    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

private:
    Status grow(std::size_t size);

    std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_room = 0;
    int m_file = -1;
};

} // namespace helio
