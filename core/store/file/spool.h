#pragma once

#include "core/store/file/temporary_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Collects bytes that are needed only when a store is completed: first in memory, and in a temporary file once there are many.
///
/// Threads: to be used by one thread.
/// Cost: 1 MB of memory, plus the buffers of a file.
/// Errors: if the file cannot be written, the bytes stay in memory.
class Spool {
public:
    using MakeFile = std::function<std::unique_ptr<TemporaryFile>()>; ///< Creates a temporary file; returns nullptr on failure.
    using Out = std::function<void(std::span<const std::byte>)>;

    explicit Spool(MakeFile makeFile)
        : m_makeFile(std::move(makeFile))
    {
    }

    std::uint64_t size() const { return m_file ? m_file->size() : m_inMemory.size(); }
    /// Appends bytes. The bytes of one call are never split between file and memory: they are contiguous in contents().
    void append(std::span<const std::byte> bytes);

    FileBytes contents() const;
    /// Passes all bytes to `out` in large chunks. Returns false if they could not be read back; then `out` has not received the right
    /// bytes.
    [[nodiscard]] bool copyTo(const Out& out) const;

private:
    void moveToFile();

    MakeFile m_makeFile;
    std::vector<std::byte> m_inMemory; ///< All bytes as long as there is no file; then empty.
    std::unique_ptr<TemporaryFile> m_file;
};

} // namespace helio
