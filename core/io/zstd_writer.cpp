#include "core/io/zstd_writer.h"

#include <array>
#include <cstddef>
#include <new>
#include <utility>
#include <zstd.h>

namespace helio {

struct ZstdWriter::Stream {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    std::array<char, std::size_t{1} << 17> block{};

    ~Stream() { ZSTD_freeCCtx(context); }
};

ZstdWriter::ZstdWriter(Sink sink)
    : m_sink(std::move(sink))
    , m_stream(std::make_unique<Stream>())
{
    if (!m_stream->context || ZSTD_isError(ZSTD_CCtx_setParameter(m_stream->context, ZSTD_c_checksumFlag, 1)))
        throw std::bad_alloc();
}

ZstdWriter::~ZstdWriter() = default;

void ZstdWriter::write(std::string_view bytes) { run(bytes, false); }

void ZstdWriter::finish() { run({}, true); }

std::string zstdFrame(std::string_view bytes)
{
    constexpr int Fastest = 1;
    struct Context {
        ZSTD_CCtx* context = ZSTD_createCCtx();
        ~Context() { ZSTD_freeCCtx(context); }
    };
    static thread_local const Context own;
    if (!own.context || ZSTD_isError(ZSTD_CCtx_setParameter(own.context, ZSTD_c_checksumFlag, 1))
        || ZSTD_isError(ZSTD_CCtx_setParameter(own.context, ZSTD_c_compressionLevel, Fastest)))
        throw std::bad_alloc();
    std::string frame(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress2(own.context, frame.data(), frame.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size))
        throw std::bad_alloc(); // The other errors are wrong arguments.
    frame.resize(size);
    return frame;
}

void ZstdWriter::run(std::string_view bytes, bool isEnd)
{
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (;;) {
        ZSTD_outBuffer output{m_stream->block.data(), m_stream->block.size(), 0};
        const std::size_t left = ZSTD_compressStream2(m_stream->context, &output, &input, isEnd ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            throw std::bad_alloc(); // The other errors are wrong arguments.
        if (output.pos > 0)
            m_sink({m_stream->block.data(), output.pos});
        if (isEnd ? left == 0 : input.pos == input.size)
            return;
    }
}

} // namespace helio
