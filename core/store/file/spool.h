#pragma once

#include "core/store/file/temporary_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Bytes that wait for the end of a store: in memory as long as they are few, then in a temporary file.
///
/// One thread. Memory: a megabyte and the buffers of a file. Errors: where the file fails, memory takes its place.
class Spool {
public:
    using MakeFile = std::function<std::unique_ptr<TemporaryFile>()>; ///< Null: there is no file to be had.
    using Out = std::function<void(std::span<const std::byte>)>;

    explicit Spool(MakeFile makeFile)
        : m_makeFile(std::move(makeFile))
    {
    }

    std::uint64_t size() const { return m_file ? m_file->size() : m_inMemory.size(); }
    void append(std::span<const std::byte> bytes); ///< What is appended at once lies at once in contents().

    FileBytes contents() const;
    void copyTo(const Out& out) const; ///< All bytes, in large parts.

private:
    void moveToFile();

    MakeFile m_makeFile;
    std::vector<std::byte> m_inMemory; ///< As long as there is no file.
    std::unique_ptr<TemporaryFile> m_file;
};

} // namespace helio
