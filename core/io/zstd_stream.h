#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <functional>
#include <span>

struct ZSTD_DCtx_s;

namespace helio {

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
