#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Append-only buffer for bytes that are produced while a file is read and kept as long as it is open. The bytes lie in an unnamed file in
/// the system's folder for temporary files, so that the kernel can evict them from memory.
///
/// Threads: one append() at a time; bytes() from any thread while no append() runs.
/// Errors: append() fails if the disk is full; bytes appended before stay.
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
