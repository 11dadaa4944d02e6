#pragma once

#include "core/io/mapped_file.h"
#include "core/store/file/file_bytes.h"
#include "core/store/file/xxh3.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace helio {

/// Returns the bytes of blocks after checking their bounds and their hash.
///
/// Threads: all methods may be called from any thread at once.
/// Cost: one pass over the bytes, at about 10 GB/s.
class VerifiedBytes {
public:
    VerifiedBytes() = default;
    /// The offsets of at() count from the first byte of `bytes`.
    explicit VerifiedBytes(FileBytes bytes)
        : m_bytes(std::move(bytes))
        , m_size(m_bytes.size())
    {
    }
    /// The offsets of at() count from the start of `section`, which is a range of `file`.
    VerifiedBytes(std::shared_ptr<const MappedFile> file, std::span<const std::byte> section)
        : m_begin(static_cast<std::uint64_t>(section.data() - file->bytes().data()))
        , m_size(section.size())
    {
        m_bytes.fileEnd = m_begin + m_size;
        m_bytes.file = std::move(file);
    }

    bool has(std::uint64_t offset, std::uint64_t length) const { return offset <= m_size && length <= m_size - offset; }

    /// Makes a block readable; see MappedFile::require(). If this fails, the block is neither good nor damaged. A block that is out of
    /// bounds counts as readable.
    bool require(std::uint64_t offset, std::uint32_t length) const
    {
        return !has(offset, length) || m_bytes.require(m_begin + offset, length);
    }

    /// Returns the bytes of a block; nullopt if the block is out of bounds or damaged. `hash` is the lower half of the block's XXH3-64
    /// hash. Requires: require() returned true for the block.
    std::optional<std::span<const std::byte>> at(std::uint64_t offset, std::uint32_t length, std::uint32_t hash) const
    {
        if (!has(offset, length))
            return {};
        const std::span bytes(m_bytes.at(m_begin + offset), length);
        if (static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size())) != hash)
            return {};
        return bytes;
    }

private:
    FileBytes m_bytes;
    std::uint64_t m_begin = 0;
    std::uint64_t m_size = 0;
};

} // namespace helio
