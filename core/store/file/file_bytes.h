#pragma once

#include "core/io/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace helio {

/// The bytes of a file that is written or was: mapped, and behind that those that are in memory alone.
struct FileBytes {
    std::shared_ptr<const MappedFile> file;
    std::uint64_t fileEnd = 0; ///< Bytes before it lie in the file, which has BlockSlack more.
    std::vector<std::byte> tail; ///< The others. For blocks, with BlockSlack zeros at its end.

    std::uint64_t size() const { return fileEnd + tail.size(); }
    const std::byte* at(std::uint64_t offset) const
    {
        return offset < fileEnd ? file->bytes().data() + offset : tail.data() + (offset - fileEnd);
    }
};

} // namespace helio
