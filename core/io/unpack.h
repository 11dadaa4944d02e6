#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

struct ZSTD_DCtx_s;

namespace helio {

/// Decompresses one stream (xz, gzip, bzip2 or zstd, recognized by its content).
/// Errors: fails if the bytes are not a stream of these formats, are damaged, or would decompress to more than `limit` bytes.
Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit);

/// Decompresses one stream and passes the output to `take` block by block, within the limits of UnpackLimits. If `take` returns false,
/// decompression stops without an error.
Status unpack(std::span<const std::byte> bytes, const std::function<bool(std::span<const std::byte>)>& take);

/// Decompresses the first `most` bytes of the output, or all of the output if it is shorter.
Result<std::vector<std::byte>> unpackPrefix(std::span<const std::byte> bytes, std::size_t most);

/// Decompresses one zlib stream (RFC 1950) whose uncompressed size is not known in advance.
/// Errors: fails if the stream is damaged or incomplete, or would decompress to more than `limit` bytes.
Result<std::vector<std::byte>> unpackedZlib(std::span<const std::byte> bytes, std::uint64_t limit);

/// Decompresses one block whose uncompressed size is known, as trace-cmd writes it. `algorithm` is "zstd" (one frame) or "zlib" (RFC 1950).
/// Writes the output to `room`, whose size is the uncompressed size.
/// Errors: fails if the algorithm is another one, or if the block is damaged or of another size; the content of `room` is then unspecified.
/// Threads: any.
Status unpackBlock(std::string_view algorithm, std::span<const std::byte> bytes, std::span<std::byte> room);

/// True if the bytes begin with the magic number of gzip, zstd, xz or bzip2.
bool isCompressed(std::span<const std::byte> bytes);

/// Decompresses one zstd stream that arrives in chunks; frames may begin and end anywhere in a chunk.
///
/// Threads: to be used by one thread at a time.
/// Errors: after an error, the stream cannot continue.
/// Memory: the window of the zstd stream, at most 128 MiB, and one block.
class ZstdStream {
public:
    ZstdStream();
    ~ZstdStream();
    ZstdStream(const ZstdStream&) = delete;
    ZstdStream& operator=(const ZstdStream&) = delete;

    /// Decompresses the next chunk and passes the output to `take` in blocks, which are valid during the call. If `take` returns false,
    /// decompression stops without an error.
    Status decode(std::span<const std::byte> chunk, const std::function<bool(std::span<const std::byte>)>& take);

private:
    ZSTD_DCtx_s* m_context;
};

} // namespace helio
