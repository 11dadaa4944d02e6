#pragma once

#include "core/store/file/temporary_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Collects bytes that are needed only at the end of a store: in memory while they are few, then in a temporary file.
///
/// Threads: to be used by one thread.
/// Cost: 1 MB of memory, plus the buffers of a file.
/// Errors: if the file fails, the bytes stay in memory.
class Spool {
public:
    using MakeFile = std::function<std::unique_ptr<TemporaryFile>()>; ///< Returns nullptr if no file can be made.
    using Out = std::function<void(std::span<const std::byte>)>;

    explicit Spool(MakeFile makeFile)
        : m_makeFile(std::move(makeFile))
    {
    }

    std::uint64_t size() const { return m_file ? m_file->size() : m_inMemory.size(); }
    /// Appends bytes. The bytes of one call are contiguous in contents().
    void append(std::span<const std::byte> bytes);

    FileBytes contents() const;
    void copyTo(const Out& out) const; ///< Passes all bytes to `out`, in large chunks.

private:
    void moveToFile();

    MakeFile m_makeFile;
    std::vector<std::byte> m_inMemory; ///< The bytes, as long as there is no file.
    std::unique_ptr<TemporaryFile> m_file;
};

} // namespace helio
