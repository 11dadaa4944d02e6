#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace helio {

/// Append-only buffer for bytes that are decoded from a file and needed while that file is open. Small buffers lie in memory. When all
/// buffers together take more than 256 MiB, a buffer that grows moves to an unnamed file in the system's temporary folder, so that the
/// kernel can write its pages to disk when memory is short.
///
/// Threads: one append() at a time; bytes() from any thread while no append() runs.
/// Errors: append() fails if the disk is full; earlier bytes stay valid.
class SpillBuffer {
public:
    SpillBuffer() = default;
    ~SpillBuffer();
    SpillBuffer(const SpillBuffer&) = delete;
    SpillBuffer& operator=(const SpillBuffer&) = delete;

    Status append(std::span<const std::byte> bytes);

    /// Appends `size` bytes of unspecified content, for the caller to write. The returned span is valid until the buffer grows.
    Result<std::span<std::byte>> extend(std::size_t size);
    /// Removes the last `size` bytes.
    void shrink(std::size_t size) { m_size -= size; }

    /// All appended bytes. The span is valid until append() is called again.
    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

private:
    Status grow(std::size_t size);

    std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_room = 0;
    std::size_t m_inMemory = 0; ///< Part of the common limit that the buffer takes, in bytes; 0 if it lies in a file.
    int m_file = -1;
};

} // namespace helio
