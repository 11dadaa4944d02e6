#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A file being written beside its final place: it gets its name when it is whole, or goes when it is dropped.
///
/// Its name ends with the process's number, and it is locked while it is written. One that nobody has locked was left
/// behind by a process that died; makers remove those.
/// Threads: one. Errors: stay; what is appended after the first one is lost, and every later call returns it.
class TemporaryFile {
public:
    /// Once `stop` is requested, writing soon fails as cancelled; a disk may be slow.
    static Result<std::unique_ptr<TemporaryFile>> make(const std::filesystem::path& final, std::stop_token stop = {});
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::uint64_t size() const { return m_flushed + m_buffer.size(); } ///< Bytes appended.
    const std::filesystem::path& path() const { return m_path; }

    void append(std::span<const std::byte> bytes);
    /// Hands what was appended to the system, so that others who open the file see it.
    Status flush();
    /// Writes at a place that was appended before, or behind the end without moving it.
    Status writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Makes it durable under its final name.
    Status commit();

private:
    TemporaryFile(std::filesystem::path final, std::filesystem::path path, int descriptor, std::stop_token stop);
    Status fail(Error error);
    Status sync();

    std::filesystem::path m_final;
    std::filesystem::path m_path;
    int m_descriptor;
    std::stop_token m_stop;
    std::uint64_t m_flushed = 0;
    std::vector<std::byte> m_buffer;
    Status m_status = Done{};
    bool m_isCommitted = false;
};

} // namespace helio
