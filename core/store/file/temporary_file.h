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
#include <string_view>
#include <vector>

namespace helio {

/// File that is written under a temporary name in the folder of its final path. commit() renames the file; without commit(), the destructor
/// deletes it.
///
/// The temporary name ends with the process id and a serial number, and the file is locked while it is written; make() removes leftovers
/// (core/io/leftovers.h). Files from makeInMemory() have no name and cannot be committed.
/// Threads: to be used by one thread.
/// Errors: after the first error, every call returns this error, and appended bytes are kept in memory.
class TemporaryFile {
public:
    /// Creates the file. After `stop` is requested, writing soon fails with Cancelled, so that a slow disk does not delay cancelling.
    /// `onFailure` is called once, when writing fails. `permissions` are those of the file, less the process's umask.
    static Result<std::unique_ptr<TemporaryFile>> make(const std::filesystem::path& final, std::stop_token stop = {},
                                                       std::function<void(const Error&)> onFailure = {}, unsigned permissions = 0644);
    /// Creates a file without a name in memory. If the system has no file descriptor left, appended bytes are kept in ordinary memory, as
    /// after an error.
    static std::unique_ptr<TemporaryFile> makeInMemory(std::stop_token stop = {});
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::uint64_t size() const { return m_flushed + m_buffer.size(); } ///< Number of bytes appended so far.
    const Status& status() const { return m_status; }

    /// Announces that the file will be committed: from then on, written bytes are sent to the disk at once. Without this, most bytes of an
    /// uncommitted file never reach the disk.
    void setKept() { m_isKept = true; }

    /// Sets the permissions of the file; if the system refuses, it keeps those of make().
    void setPermissions(unsigned permissions);

    /// Appends bytes. The bytes of one call are contiguous in contents(): either all in the file or all in memory.
    void append(std::span<const std::byte> bytes);
    Status flush();
    /// Overwrites bytes at `offset`, which must already be in the file.
    Status writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Makes every later call return `error`, so that the file cannot be committed. Returns `error`.
    Status fail(Error error);
    /// Syncs the file to disk and renames it to its final name.
    Status commit();

    /// Returns all appended bytes, including those that could not be written; empty if the file cannot be read.
    FileBytes contents() const;

private:
    TemporaryFile(std::filesystem::path final, std::filesystem::path path, int descriptor, std::stop_token stop,
                  std::function<void(const Error&)> onFailure);
    Status write(std::size_t count);
    Status sync();

    std::filesystem::path m_final;
    std::filesystem::path m_path;
    int m_descriptor;
    std::stop_token m_stop;
    std::function<void(const Error&)> m_onFailure;
    std::uint64_t m_flushed = 0;
    std::uint64_t m_started = 0; ///< Number of bytes for which the write-back to the disk was started.
    std::vector<std::byte> m_buffer;
    /// Bytes of the last flush, kept because readers of blocks may read up to BlockSlack bytes past a block.
    std::vector<std::byte> m_last;
    /// Offset in m_buffer of the first append() since the last flush. The bytes before this offset belong to an earlier append(); its first
    /// bytes are already in the file.
    std::size_t m_firstWholeAppend = 0;
    std::size_t m_lastWholeAppend = 0; ///< Value of m_firstWholeAppend before the last flush, as an offset in m_last.
    Status m_status = Done{};
    bool m_isKept = false;
    bool m_isCommitted = false;
};

/// Writes a file completely or not at all: a crash or a power failure leaves the old file, or the new one once this function returned.
/// Keeps the permissions of the old file, and writes to the target of a link. Errors: the cause without the path, e.g. "No such file or
/// directory" if the folder does not exist.
Status saveFile(const std::filesystem::path& path, std::string_view bytes);

} // namespace helio
