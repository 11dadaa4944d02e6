#pragma once

#include "core/base/result.h"
#include "core/io/partial_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

struct stat;

namespace helio {

/// Contents of a regular file, mapped read-only, with the length that the file had when it was opened.
///
/// Another program may truncate the file while it is mapped: the missing bytes then read as zeros and wasTruncated() returns true. Readers
/// must check wasTruncated() before they trust zeros; no other precautions are needed.
///
/// Ownership: shared; spans of bytes() live as long as one owner does.
/// Threads: all methods may be called from any thread at once.
/// Errors: open() and map() fail if the file is missing, unreadable or not a regular file.
/// Cost: address space; pages are read when they are touched. The first mapping of the process installs a SIGBUS handler, which forwards
/// faults outside of the mapped files to the handler that was installed before.
class MappedFile {
public:
    enum class Advice { Normal, Sequential, Random, WillNeed, DontNeed };

    /// `rest`: fetches the bytes of the file that are on another machine; nullptr if all are here.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path, std::shared_ptr<PartialFile> rest = nullptr);
    /// Maps an open file. The caller may close `descriptor` afterwards. `path` is the file's name for messages and for hasChanged().
    static Result<std::shared_ptr<const MappedFile>> map(int descriptor, const std::filesystem::path& path,
                                                         std::shared_ptr<PartialFile> rest = nullptr);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    const std::filesystem::path& path() const { return m_path; }

    /// Makes bytes readable that are on another machine; see PartialFile::require(). Returns true if all bytes of the file are here.
    /// Requires: the bytes are in the file.
    bool require(std::uint64_t offset, std::uint64_t size) const { return !m_rest || m_rest->require(offset, size); }

    /// True if a read touched bytes that the truncated file no longer has. Once true, the result stays true.
    bool wasTruncated() const;

    /// True if another program has written to the file since open(), or if wasTruncated(). A file that was replaced under the same path
    /// does not count as changed, because the mapping still shows the old file.
    /// Cost: one stat().
    bool hasChanged() const;

    /// Modification time at open(), in ns since the Unix epoch.
    std::int64_t modificationTime() const { return m_state.modified; }

    /// Tells the kernel how the bytes will be read (a hint without other effect). Offset and size are in bytes and are clipped to the file.
    void advise(Advice advice) const { advise(advice, 0, m_size); }
    void advise(Advice advice, std::uint64_t offset, std::uint64_t size) const;

private:
    struct Region;
    class Registry;

    /// Identity, size and modification time of a file, from stat().
    struct State {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size = 0; ///< Size of the file in bytes.
        std::int64_t modified = 0; ///< Modification time of the file, in ns since the Unix epoch.
        bool operator==(const State&) const = default;
    };

    MappedFile(std::filesystem::path path, const std::byte* data, const State& state, std::shared_ptr<PartialFile> rest);
    static State stateOf(const struct stat& facts);

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    State m_state; ///< State that the file had at open().
    std::shared_ptr<PartialFile> m_rest; ///< Fetches bytes that are not here; nullptr if all are.
    Region* m_region = nullptr; ///< Region that is registered with the SIGBUS handler; nullptr if the file is empty.
};

} // namespace helio
