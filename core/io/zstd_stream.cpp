#include "core/io/zstd_stream.h"

#include <array>
#include <zstd.h>

namespace helio {

namespace {

constexpr int MaxWindowLog = 27;

} // namespace

ZstdStream::ZstdStream()
    : m_context(ZSTD_createDCtx())
{
    if (m_context)
        ZSTD_DCtx_setParameter(m_context, ZSTD_d_windowLogMax, MaxWindowLog);
}

ZstdStream::~ZstdStream() { ZSTD_freeDCtx(m_context); }

Status ZstdStream::decode(std::span<const std::byte> piece, const std::function<bool(std::span<const std::byte>)>& take)
{
    if (!m_context)
        return Error{Error::Kind::Full, "there is no memory for decompressing"};
    std::array<std::byte, 64 * 1024> room;
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    bool hasMore = !piece.empty();
    while (hasMore) {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        const std::size_t before = in.pos;
        const std::size_t result = ZSTD_decompressStream(m_context, &out, &in);
        if (ZSTD_isError(result))
            return Error{Error::Kind::Corrupt, ZSTD_getErrorName(result)};
        if (out.pos > 0 && !take({room.data(), out.pos}))
            return Done{};
        // A full output buffer may leave output behind, also when the input is used up.
        hasMore = in.pos < in.size || out.pos == out.size;
        if (hasMore && out.pos == 0 && in.pos == before)
            return Error{Error::Kind::Corrupt, "the stream does not go on"};
    }
    return Done{};
}

} // namespace helio
