#include "core/io/gzip_writer.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <zlib.h>

namespace helio {

struct GzipWriter::Stream {
    z_stream zlib{};
    std::array<char, std::size_t{1} << 16> block{};
};

GzipWriter::GzipWriter(Sink sink)
    : m_sink(std::move(sink))
    , m_stream(std::make_unique<Stream>())
{
    constexpr int GzipBits = 15 + 16; // Largest window, with a gzip header instead of a zlib header.
    if (deflateInit2(&m_stream->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GzipBits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc(); // The other errors are wrong arguments.
}

GzipWriter::~GzipWriter() { deflateEnd(&m_stream->zlib); }

void GzipWriter::write(std::string_view bytes)
{
    constexpr std::size_t Most = std::size_t{1} << 30; // zlib counts in 32 bits.
    for (; !bytes.empty(); bytes.remove_prefix(std::min(Most, bytes.size())))
        run(bytes.substr(0, Most), Z_NO_FLUSH);
}

void GzipWriter::finish() { run({}, Z_FINISH); }

void GzipWriter::run(std::string_view bytes, int flush)
{
    z_stream& zlib = m_stream->zlib;
    // zlib does not change its input, although older versions declare it without const.
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); // NOLINT(cppcoreguidelines-pro-type-const-cast)
    zlib.avail_in = static_cast<uInt>(bytes.size());
    do {
        zlib.next_out = reinterpret_cast<Bytef*>(m_stream->block.data());
        zlib.avail_out = static_cast<uInt>(m_stream->block.size());
        deflate(&zlib, flush);
        if (const std::size_t count = m_stream->block.size() - zlib.avail_out; count > 0)
            m_sink({m_stream->block.data(), count});
    } while (zlib.avail_out == 0);
}

} // namespace helio
