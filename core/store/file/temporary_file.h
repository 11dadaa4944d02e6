#pragma once

#include "core/base/result.h"
#include "core/store/file/file_bytes.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A file being written beside its final place: it gets its name when it is whole, or goes when it is dropped.
///
/// Its name ends with the process's number, and it is locked while it is written. One that nobody has locked was left
/// behind by a process that died; makers remove those.
/// Threads: one. Errors: stay; what is appended after the first one is kept in memory, and every later call returns it.
class TemporaryFile {
public:
    /// Once `stop` is requested, writing soon fails as cancelled; a disk may be slow. `onFailure` is called once, when it fails.
    static Result<std::unique_ptr<TemporaryFile>> make(const std::filesystem::path& final, std::stop_token stop = {},
                                                       std::function<void(const Error&)> onFailure = {});
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::uint64_t size() const { return m_flushed + m_buffer.size(); } ///< Bytes appended.
    const Status& status() const { return m_status; }

    /// It will be committed: what is flushed is sent to the disk at once. Others mostly never get there.
    void setKept() { m_isKept = true; }

    /// Appended pieces stay whole in contents(): none lies partly in memory.
    void append(std::span<const std::byte> bytes);
    Status flush();
    /// Writes at a place that was flushed before.
    Status writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Makes it durable under its final name.
    Status commit();

    /// Everything that was appended, also where it could not be written. Empty where the file cannot be read.
    FileBytes contents() const;

private:
    TemporaryFile(std::filesystem::path final, std::filesystem::path path, int descriptor, std::stop_token stop,
                  std::function<void(const Error&)> onFailure);
    Status fail(Error error);
    Status write(std::size_t count);
    Status sync();

    std::filesystem::path m_final;
    std::filesystem::path m_path;
    int m_descriptor;
    std::stop_token m_stop;
    std::function<void(const Error&)> m_onFailure;
    std::uint64_t m_flushed = 0;
    std::uint64_t m_started = 0; ///< What was flushed and is on its way to the disk.
    std::vector<std::byte> m_buffer;
    std::vector<std::byte> m_last; ///< What was flushed last: readers of blocks may look behind the one they read.
    std::size_t m_firstPiece = 0; ///< Where in m_buffer the first piece begins; before it lies the end of another.
    std::size_t m_lastPiece = 0; ///< The same in m_last.
    Status m_status = Done{};
    bool m_isKept = false;
    bool m_isCommitted = false;
};

} // namespace helio
