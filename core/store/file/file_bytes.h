#pragma once

#include "core/io/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace helio {

/// The bytes of a finished file, or of a file that is being written: first the mapped part, then a part that is only in memory.
struct FileBytes {
    std::shared_ptr<const MappedFile> file;
    std::uint64_t fileEnd = 0; ///< Number of bytes in the mapped file; BlockSlack readable bytes follow them there.
    std::vector<std::byte> tail; ///< Bytes from fileEnd on. If they contain blocks, BlockSlack zeros are at their end.

    std::uint64_t size() const { return fileEnd + tail.size(); }
    const std::byte* at(std::uint64_t offset) const
    {
        return offset < fileEnd ? file->bytes().data() + offset : tail.data() + (offset - fileEnd);
    }
};

} // namespace helio
