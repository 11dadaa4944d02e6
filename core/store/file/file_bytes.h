#pragma once

#include "core/io/mapped_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace helio {

/// Bytes of a finished file, or of a file that is being written: first a mapped range, then a range that is only in memory.
struct FileBytes {
    std::shared_ptr<const MappedFile> file;
    std::uint64_t fileEnd = 0; ///< Number of bytes in the mapped file. After them, BlockSlack more bytes are readable.
    bool isUnreadable = false; ///< True if the file could not be mapped, so that its bytes are missing here.
    std::vector<std::byte> tail; ///< Bytes of the file from fileEnd on. If they contain blocks, they end with BlockSlack zeros.

    /// True if bytes are missing here, or if bytes that were read so far could not be loaded and were zeros instead.
    bool isDamaged() const { return isUnreadable || (file && file->wasTruncated()); }
    std::uint64_t size() const { return fileEnd + tail.size(); }
    /// Makes bytes readable that are on another machine; see MappedFile::require().
    bool require(std::uint64_t offset, std::uint64_t length) const
    {
        return !file || offset >= fileEnd || file->require(offset, std::min(length, fileEnd - offset));
    }
    const std::byte* at(std::uint64_t offset) const
    {
        return offset < fileEnd ? file->bytes().data() + offset : tail.data() + (offset - fileEnd);
    }
};

} // namespace helio
