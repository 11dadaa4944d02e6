#pragma once

#include <cstdint>

namespace helio {

/// Header of a record in the log of power_loss_shim.cpp. `firstSize` and `secondSize` bytes follow it.
struct DiskChange {
    static constexpr std::uint32_t Magic = 0x6b736944;

    enum class Kind : std::uint32_t {
        Create, ///< A new file; its path, empty for a file without a name.
        Write, ///< The bytes written at `offset`.
        Resize, ///< A new size, in `offset`.
        SyncFile, ///< fsync() or fdatasync() of a file.
        SyncFolder, ///< fsync() of a folder; its path.
        SyncAll, ///< syncfs().
        Rename, ///< The old path, then the new one.
        Link, ///< A new path of a file.
        Remove, ///< The path of a removed file or folder.
        MakeFolder, ///< The path of a new folder.
    };

    std::uint32_t magic;
    std::uint32_t kind;
    std::uint64_t file; ///< Number (inode) of the file or folder.
    std::uint64_t offset;
    std::uint64_t firstSize;
    std::uint64_t secondSize;
};

} // namespace helio
