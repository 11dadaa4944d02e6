#include "core/io/unpack.h"

#include "core/io/archive.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <zlib.h>
#include <zstd.h>

namespace helio {
namespace {

constexpr int MaxWindowLog = 27;
constexpr std::string_view GzipMagic = "\x1f\x8b";
constexpr std::string_view ZstdMagic = "\x28\xb5\x2f\xfd";

using Take = std::function<bool(std::span<const std::byte>)>;

bool beginsWith(std::span<const std::byte> bytes, std::string_view magic)
{
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Error corrupt() { return {Error::Kind::Corrupt, "corrupt compressed data"}; }

/// Gives zlib the next input, at most 1 GiB at a time, because avail_in has 32 bits.
void feed(z_stream& stream, std::span<const std::byte>& bytes)
{
    const auto next = bytes.first(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(next.data())); // Safe cast: zlib only reads next_in.
    stream.avail_in = static_cast<uInt>(next.size());
    bytes = bytes.subspan(next.size());
}

/// Decompresses all members of a gzip stream. Passes on all output before damage or the end of a cut stream, unlike libarchive.
Status unpackGzip(std::span<const std::byte> bytes, const Take& take)
{
    constexpr int GzipWindow = 15 + 16; // The largest window, and a header of gzip.
    z_stream stream{};
    if (inflateInit2(&stream, GzipWindow) != Z_OK)
        return Error{Error::Kind::Full, "not enough memory to decompress"};
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
    std::array<std::byte, 64 * 1024> room;
    for (int status = Z_OK; status == Z_OK;) {
        if (stream.avail_in == 0)
            feed(stream, bytes);
        stream.next_out = reinterpret_cast<Bytef*>(room.data());
        stream.avail_out = static_cast<uInt>(room.size());
        status = inflate(&stream, Z_NO_FLUSH); // Returns Z_BUF_ERROR if the input is incomplete.
        const std::size_t size = room.size() - stream.avail_out;
        if (size > 0 && !take({room.data(), size}))
            return Done{};
        if (status != Z_STREAM_END)
            continue;
        if (stream.avail_in == 0)
            feed(stream, bytes);
        // Bytes after a member that are no other member, such as padding, are ignored, as gzip does.
        if (!beginsWith({reinterpret_cast<const std::byte*>(stream.next_in), stream.avail_in}, GzipMagic))
            return Done{};
        status = inflateReset(&stream);
    }
    return corrupt();
}

/// Decompresses all frames of a zstd stream. Passes on all output before damage or the end of a cut stream, unlike libarchive.
Status unpackZstd(std::span<const std::byte> bytes, const Take& take)
{
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
    if (!context)
        return Error{Error::Kind::Full, "not enough memory to decompress"};
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, MaxWindowLog);
    std::array<std::byte, 64 * 1024> room;
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::size_t wanted = 1; // 0 at the end of a frame.
    for (bool hasMore = true; hasMore;) {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        const std::size_t before = in.pos;
        wanted = ZSTD_decompressStream(context.get(), &out, &in);
        if (out.pos > 0 && !take({room.data(), out.pos}))
            return Done{};
        if (ZSTD_isError(wanted))
            return corrupt();
        hasMore = (in.pos < in.size || out.pos == out.size) && (out.pos > 0 || in.pos > before);
    }
    return wanted == 0 ? Status(Done{}) : Status(corrupt());
}

/// Decompresses a stream with libarchive.
Status unpackArchived(std::span<const std::byte> bytes, const Take& take)
{
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(), &archive_read_free);
    if (!reader)
        return corrupt();
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK
        || archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK || archive_filter_count(reader.get()) < 2)
        return corrupt();
    const void* part = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    int status = ARCHIVE_OK;
    while ((status = archive_read_data_block(reader.get(), &part, &size, &offset)) == ARCHIVE_OK)
        if (!take({static_cast<const std::byte*>(part), size}))
            return Done{};
    return status == ARCHIVE_EOF ? Status(Done{}) : Status(corrupt());
}

} // namespace

Status unpack(std::span<const std::byte> bytes, const Take& take)
{
    const UnpackLimits limits;
    const std::uint64_t most = std::min(limits.totalBytes, std::max(limits.freeBytes, limits.ratio * bytes.size()));
    std::uint64_t all = 0;
    bool isTooLarge = false;
    bool isNested = false;
    const auto takePart = [&](std::span<const std::byte> part) {
        if (all == 0 && !isNested && isCompressed(part)) {
            isNested = true;
            return false;
        }
        isTooLarge = part.size() > most - all;
        all += part.size();
        return !isTooLarge && take(part);
    };
    Status done = beginsWith(bytes, GzipMagic) ? unpackGzip(bytes, takePart)
        : beginsWith(bytes, ZstdMagic)         ? unpackZstd(bytes, takePart)
                                               : unpackArchived(bytes, takePart);
    // libarchive unpacks a stream in a stream, e.g. a profile of pprof that was compressed again.
    if (isNested)
        done = unpackArchived(bytes, takePart);
    return isTooLarge ? Status(Error{Error::Kind::Full, "decompressed data is too large"}) : std::move(done);
}

Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit)
{
    std::vector<std::byte> result;
    bool isFull = false;
    const auto done = unpack(bytes, [&](std::span<const std::byte> part) {
        isFull = part.size() > limit - result.size();
        if (!isFull)
            result.insert(result.end(), part.begin(), part.end());
        return !isFull;
    });
    if (!done)
        return done.error();
    if (isFull)
        return Error{Error::Kind::Full, "decompressed data is too large"};
    return result;
}

Result<std::vector<std::byte>> unpackPrefix(std::span<const std::byte> bytes, std::size_t most)
{
    std::vector<std::byte> result;
    const auto done = unpack(bytes, [&](std::span<const std::byte> part) {
        result.insert(result.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(std::min(part.size(), most - result.size())));
        return result.size() < most;
    });
    // Ignore an error after the first bytes: it is reported when the whole stream is read.
    if (!done && result.empty())
        return done.error();
    return result;
}

Result<std::vector<std::byte>> unpackedZlib(std::span<const std::byte> bytes, std::uint64_t limit)
{
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return Error{Error::Kind::Full, "not enough memory to decompress"};
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, &inflateEnd);
    std::array<std::byte, 64 * 1024> room;
    std::vector<std::byte> result;
    int status = Z_OK;
    while (status == Z_OK) {
        if (stream.avail_in == 0)
            feed(stream, bytes);
        stream.next_out = reinterpret_cast<Bytef*>(room.data());
        stream.avail_out = static_cast<uInt>(room.size());
        status = inflate(&stream, Z_NO_FLUSH); // Returns Z_BUF_ERROR if the input is incomplete.
        const std::size_t size = room.size() - stream.avail_out;
        if (size > limit - result.size())
            return Error{Error::Kind::Full, "decompressed data is too large"};
        result.insert(result.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size));
    }
    if (status != Z_STREAM_END)
        return corrupt();
    return result;
}

Status unpackBlock(std::string_view algorithm, std::span<const std::byte> bytes, std::span<std::byte> room)
{
    bool isComplete = false;
    if (algorithm == "zstd") {
        // Making a context takes longer than unpacking a small block.
        static thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
        isComplete = context && ZSTD_decompressDCtx(context.get(), room.data(), room.size(), bytes.data(), bytes.size()) == room.size();
    } else if (algorithm == "zlib") {
        uLongf length = room.size();
        isComplete =
            uncompress(reinterpret_cast<Bytef*>(room.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == Z_OK
            && length == room.size();
    } else {
        return Error{Error::Kind::Unsupported, "compressed with \"" + std::string(algorithm) + "\", which is not supported"};
    }
    return isComplete ? Status(Done{}) : Status(corrupt());
}

bool isCompressed(std::span<const std::byte> bytes)
{
    constexpr std::string_view Magics[] = {GzipMagic, ZstdMagic,
                                           "\xfd"
                                           "7zXZ",
                                           "BZh"};
    return std::ranges::any_of(Magics, [&](std::string_view magic) { return beginsWith(bytes, magic); });
}

ZstdStream::ZstdStream()
    : m_context(ZSTD_createDCtx())
{
    if (m_context)
        ZSTD_DCtx_setParameter(m_context, ZSTD_d_windowLogMax, MaxWindowLog);
}

ZstdStream::~ZstdStream() { ZSTD_freeDCtx(m_context); }

Status ZstdStream::decode(std::span<const std::byte> chunk, const std::function<bool(std::span<const std::byte>)>& take)
{
    if (!m_context)
        return Error{Error::Kind::Full, "not enough memory to decompress"};
    std::array<std::byte, 64 * 1024> room;
    ZSTD_inBuffer in{chunk.data(), chunk.size(), 0};
    bool hasMore = !chunk.empty();
    while (hasMore) {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        const std::size_t before = in.pos;
        const std::size_t result = ZSTD_decompressStream(m_context, &out, &in);
        if (ZSTD_isError(result))
            return Error{Error::Kind::Corrupt, ZSTD_getErrorName(result)};
        if (out.pos > 0 && !take({room.data(), out.pos}))
            return Done{};
        // If the output buffer is full, the decoder may hold more output, even when the input is used up.
        hasMore = in.pos < in.size || out.pos == out.size;
        if (hasMore && out.pos == 0 && in.pos == before)
            return Error{Error::Kind::Corrupt, "the compressed stream is corrupt"};
    }
    return Done{};
}

} // namespace helio
