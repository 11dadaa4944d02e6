#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

struct ZSTD_DCtx_s;

namespace helio {

/// Decompresses one stream (xz, gzip, bzip2 or zstd, recognized by its content).
/// Errors: fails if the bytes are no such stream, are damaged, or would grow beyond `limit` bytes.
Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit);

/// Decompresses one stream and passes the output to `take` block by block, within the limits of UnpackLimits. Stops without an error when
/// `take` returns false.
Status unpack(std::span<const std::byte> bytes, const std::function<bool(std::span<const std::byte>)>& take);

/// Decompresses the first `most` bytes, or all bytes if the stream is shorter.
Result<std::vector<std::byte>> unpackPrefix(std::span<const std::byte> bytes, std::size_t most);

/// True if the bytes begin with the magic number of gzip, zstd, xz or bzip2.
bool isCompressed(std::span<const std::byte> bytes);

/// Decompresses one zstd stream that arrives in chunks; frames may begin and end anywhere in a chunk.
///
/// Threads: to be used by one thread at a time.
/// Errors: after an error, the stream cannot continue.
/// Memory: the window, 128 MiB at most, and one block.
class ZstdStream {
public:
    ZstdStream();
    ~ZstdStream();
    ZstdStream(const ZstdStream&) = delete;
    ZstdStream& operator=(const ZstdStream&) = delete;

    /// Decompresses the next chunk and passes the output to `take` in blocks, which are valid during the call. Stops without an error when
    /// `take` returns false.
    Status decode(std::span<const std::byte> piece, const std::function<bool(std::span<const std::byte>)>& take);

private:
    ZSTD_DCtx_s* m_context;
};

} // namespace helio
