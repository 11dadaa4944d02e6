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

/// A file that is written under a temporary name in the folder of its final path. commit() renames it; a file that is not committed is
/// deleted by the destructor.
///
/// The temporary name ends with the process id and a serial number, and the file is locked while it is written. A temporary file without a
/// lock was left behind by a process that died; make() deletes such files. A file that makeInMemory() returns has no name and cannot be
/// committed.
/// Threads: to be used by one thread.
/// Errors: the first error stays: every later call returns it, and bytes appended after it are kept in memory.
class TemporaryFile {
public:
    /// Makes a file. Once `stop` is requested, writing soon fails with Cancelled, because a disk may be slow. `onFailure` is called once,
    /// when writing fails.
    static Result<std::unique_ptr<TemporaryFile>> make(const std::filesystem::path& final, std::stop_token stop = {},
                                                       std::function<void(const Error&)> onFailure = {});
    /// Makes a file in memory. If the system has no file descriptor for it, the bytes are kept like those that follow an error.
    static std::unique_ptr<TemporaryFile> makeInMemory(std::stop_token stop = {});
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::uint64_t size() const { return m_flushed + m_buffer.size(); } ///< Number of bytes appended.
    const Status& status() const { return m_status; }

    /// Announces that the file will be committed, so flushed bytes are sent to the disk at once. Without this, most of them never reach the
    /// disk.
    void setKept() { m_isKept = true; }

    /// Appends bytes. The bytes of one call stay contiguous in contents(): they are either all in the file or all in memory.
    void append(std::span<const std::byte> bytes);
    Status flush();
    /// Overwrites bytes that were flushed before.
    Status writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Syncs the file to disk and renames it to its final name.
    Status commit();

    /// Returns all appended bytes, including those that could not be written; empty if the file cannot be read.
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
    std::uint64_t m_started = 0; ///< Number of flushed bytes whose write-back to the disk was started.
    std::vector<std::byte> m_buffer;
    std::vector<std::byte> m_last; ///< Bytes flushed by the last flush, kept because readers of blocks may read up to BlockSlack bytes past
                                   ///< a block.
    /// Offset in m_buffer at which the first complete append() begins; the bytes before it are the end of one that was partly flushed.
    std::size_t m_firstWholeAppend = 0;
    std::size_t m_lastWholeAppend = 0; ///< Same offset in m_last.
    Status m_status = Done{};
    bool m_isKept = false;
    bool m_isCommitted = false;
};

} // namespace helio
