#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <functional>
#include <span>

struct ZSTD_DCtx_s;

namespace helio {

/// Decompresses one zstd stream that arrives in pieces; frames may begin and end anywhere in them.
///
/// Threads: one at a time. Errors: after one, the stream cannot go on. Memory: its window, 128 MiB at most, and one block.
class ZstdStream {
public:
    ZstdStream();
    ~ZstdStream();
    ZstdStream(const ZstdStream&) = delete;
    ZstdStream& operator=(const ZstdStream&) = delete;

    /// Hands over what comes out of the next piece, in parts that are valid during the call. `take` answers false to stop: no error.
    Status decode(std::span<const std::byte> piece, const std::function<bool(std::span<const std::byte>)>& take);

private:
    ZSTD_DCtx_s* m_context;
};

} // namespace helio
