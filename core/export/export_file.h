#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

/// Returns the message for a path that cannot be written, e.g. "Cannot write a.json: no space left on device".
Error cannotWrite(const std::filesystem::path& path, int systemError);

/// File of an export, which is written from its begin to its end through a buffer of fixed size.
/// Threads: to be used by one thread.
/// Errors: after the first error, writes are dropped and isWritable() is false; close() returns the error.
class ExportFile {
public:
    /// Creates the file. A stop request makes isWritable() false and close() return Cancelled.
    ExportFile(const std::filesystem::path& path, std::stop_token stop);
    ~ExportFile();
    ExportFile(const ExportFile&) = delete;
    ExportFile& operator=(const ExportFile&) = delete;

    /// False if nothing more needs to be written: after an error or a stop request.
    bool isWritable() const { return !m_hasFailed && !m_stop.stop_requested(); }
    std::uint64_t size() const { return m_size + m_buffer.size(); } ///< Number of bytes written so far.

    void write(std::string_view bytes);
    /// Returns the buffer, to which the caller may append before it calls flushIfFull().
    std::string& buffer() { return m_buffer; }
    void flushIfFull()
    {
        if (m_buffer.size() >= Limit)
            flush();
    }

    enum class Sync {
        Now, ///< The file is on the disk when close() returns.
        Later, ///< The caller waits for many files at once, e.g. with syncfs().
    };
    /// Writes what is left, and closes the file.
    Status close(Sync sync = Sync::Now);

private:
    static constexpr std::size_t Limit = 1 << 18;

    void flush();
    void fail(int error);

    std::filesystem::path m_path;
    std::stop_token m_stop;
    std::string m_buffer;
    std::uint64_t m_size = 0; ///< Number of bytes that left the buffer.
    int m_file = -1;
    int m_errno = 0;
    bool m_hasFailed = false;
};

} // namespace helio
