#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

struct stat;

namespace helio {

/// A regular file's bytes, mapped for reading, as it was long when it was opened.
///
/// The file may be cut short by somebody else while it is mapped: what is gone then reads as zeros and wasTruncated()
/// says so. Readers must check that before they believe zeros, and need no other care.
///
/// Owner:   shared; spans of bytes() live as long as one owner does.
/// Threads: all methods may be called from any thread at once.
/// Errors:  open() fails for what is missing, unreadable or not a regular file.
/// Cost:    address space; pages are read when they are touched. The first open() of the process installs a SIGBUS
///          handler, which passes on what lies outside of our maps to the handler before it.
class MappedFile {
public:
    enum class Advice { Normal, Sequential, Random, WillNeed, DontNeed };

    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    const std::filesystem::path& path() const { return m_path; }

    /// A read has touched bytes that the file no longer has. Never goes back to false.
    bool wasTruncated() const;

    /// True if another program has written to the file since it was opened, or wasTruncated(). False where the path now names another
    /// file: the map is still of the old one.
    /// Cost: one stat().
    bool hasChanged() const;

    /// Modification time at open(), in ns since the Unix epoch.
    std::int64_t modificationTime() const { return m_state.modified; }

    /// How the bytes will be read; only a hint. Offsets and sizes in bytes, clipped to the file.
    void advise(Advice advice) const { advise(advice, 0, m_size); }
    void advise(Advice advice, std::uint64_t offset, std::uint64_t size) const;

private:
    struct Region;
    class Registry;

    /// Identity and age of a file, as stat() tells them.
    struct State {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size = 0; ///< Bytes.
        std::int64_t modified = 0; ///< ns since the Unix epoch.
        bool operator==(const State&) const = default;
    };

    MappedFile(std::filesystem::path path, const std::byte* data, const State& state);
    static State stateOf(const struct stat& facts);

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    State m_state; ///< At open().
    Region* m_region = nullptr; ///< Null for an empty file.
};

} // namespace helio
