#include "core/io/unpack.h"

#include "core/io/archive.h"

#include <algorithm>
#include <array>
#include <bzlib.h>
#include <cstring>
#include <lzma.h>
#include <memory>
#include <string_view>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace helio {
namespace {

constexpr int MaxWindowLog = 27;
constexpr std::string_view GzipMagic = "\x1f\x8b";
constexpr std::string_view ZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view XzMagic = "\xfd"
                                     "7zXZ";
constexpr std::string_view Bzip2Magic = "BZh";
constexpr std::size_t MostNestedBytes = std::size_t{256} << 20; ///< Limit of a compressed stream in another one, which is kept in memory.

using Take = std::function<bool(std::span<const std::byte>)>;

bool beginsWith(std::span<const std::byte> bytes, std::string_view magic)
{
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Error corrupt() { return {Error::Kind::Corrupt, "corrupt compressed data"}; }
Error noMemory() { return {Error::Kind::Full, "not enough memory to decompress"}; }

enum class StepState : std::uint8_t { More, End, Damaged, TooLarge, NoMemory };

/// Result of one call of a decompression library.
struct Step {
    StepState state = StepState::More;
    std::size_t consumed = 0; ///< Number of bytes of the input that were read.
    std::size_t produced = 0; ///< Number of bytes that were written.
};

/// Sizes in the structures of zlib and bzip2 have 32 bits.
template <typename T> std::span<T> atMostOneGiB(std::span<T> bytes) { return bytes.first(std::min(bytes.size(), std::size_t{1} << 30)); }

// A decoder decompresses one stream: step() continues with the next input, restart() begins the next stream. findNext() skips what may lie
// between streams, and returns true if another stream follows.

/// Decoder of zlib (RFC 1950). Its streams have no magic number, so that only the first one is decompressed.
class ZlibDecoder {
public:
    /// `format` is added to the window size, as inflateInit2() defines it.
    explicit ZlibDecoder(int format = 0)
    {
        constexpr int LargestWindow = 15;
        m_isReady = inflateInit2(&m_stream, LargestWindow + format) == Z_OK;
    }
    ~ZlibDecoder() { inflateEnd(&m_stream); }
    ZlibDecoder(const ZlibDecoder&) = delete;
    ZlibDecoder& operator=(const ZlibDecoder&) = delete;

    static bool findNext(std::span<const std::byte>&) { return false; }
    bool isReady() const { return m_isReady; }
    void restart() { m_isReady = inflateReset(&m_stream) == Z_OK; }
    Step step(std::span<const std::byte> in, std::span<std::byte> out)
    {
        in = atMostOneGiB(in);
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data())); // Safe cast: zlib only reads next_in.
        m_stream.avail_in = static_cast<uInt>(in.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(out.size());
        const int code = inflate(&m_stream, Z_NO_FLUSH);
        const bool isGood = code == Z_OK || code == Z_BUF_ERROR; // Z_BUF_ERROR: no progress, for example at the end of the input.
        return {code == Z_STREAM_END      ? StepState::End
                    : isGood              ? StepState::More
                    : code == Z_MEM_ERROR ? StepState::NoMemory
                                          : StepState::Damaged,
                in.size() - m_stream.avail_in, out.size() - m_stream.avail_out};
    }

private:
    z_stream m_stream{};
    bool m_isReady = false;
};

class GzipDecoder : public ZlibDecoder {
public:
    GzipDecoder()
        : ZlibDecoder(16)
    {
    }
    static bool findNext(std::span<const std::byte>& bytes) { return beginsWith(bytes, GzipMagic); }
};

class Bzip2Decoder {
public:
    Bzip2Decoder() { m_isReady = BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK; }
    ~Bzip2Decoder() { BZ2_bzDecompressEnd(&m_stream); }
    Bzip2Decoder(const Bzip2Decoder&) = delete;
    Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

    static bool findNext(std::span<const std::byte>& bytes) { return beginsWith(bytes, Bzip2Magic); }
    bool isReady() const { return m_isReady; }
    void restart()
    {
        BZ2_bzDecompressEnd(&m_stream);
        m_stream = {};
        m_isReady = BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK;
    }
    Step step(std::span<const std::byte> in, std::span<std::byte> out)
    {
        in = atMostOneGiB(in);
        m_stream.next_in = reinterpret_cast<char*>(const_cast<std::byte*>(in.data())); // Safe cast: bzip2 only reads next_in.
        m_stream.avail_in = static_cast<unsigned>(in.size());
        m_stream.next_out = reinterpret_cast<char*>(out.data());
        m_stream.avail_out = static_cast<unsigned>(out.size());
        const int code = BZ2_bzDecompress(&m_stream);
        return {code == BZ_STREAM_END      ? StepState::End
                    : code == BZ_OK        ? StepState::More
                    : code == BZ_MEM_ERROR ? StepState::NoMemory
                                           : StepState::Damaged,
                in.size() - m_stream.avail_in, out.size() - m_stream.avail_out};
    }

private:
    bz_stream m_stream{};
    bool m_isReady = false;
};

class XzDecoder {
public:
    XzDecoder() { restart(); }
    ~XzDecoder() { lzma_end(&m_stream); }
    XzDecoder(const XzDecoder&) = delete;
    XzDecoder& operator=(const XzDecoder&) = delete;

    static bool findNext(std::span<const std::byte>& bytes)
    {
        const auto end = std::ranges::find_if(bytes, [](std::byte byte) { return byte != std::byte{0}; });
        bytes = bytes.subspan(static_cast<std::size_t>(end - bytes.begin())); // Padding of streams.
        return beginsWith(bytes, XzMagic);
    }
    bool isReady() const { return m_isReady; }
    void restart()
    {
        constexpr std::uint64_t MostMemory = std::uint64_t{256} << 20; // In bytes; four times what xz -9 needs.
        m_isReady = lzma_stream_decoder(&m_stream, MostMemory, 0) == LZMA_OK;
    }
    Step step(std::span<const std::byte> in, std::span<std::byte> out)
    {
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        m_stream.avail_in = in.size();
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        m_stream.avail_out = out.size();
        const lzma_ret code = lzma_code(&m_stream, LZMA_RUN);
        const bool isGood = code == LZMA_OK || code == LZMA_BUF_ERROR; // LZMA_BUF_ERROR: no progress, as of zlib.
        const auto state = code == LZMA_STREAM_END ? StepState::End
            : isGood                               ? StepState::More
            : code == LZMA_MEMLIMIT_ERROR          ? StepState::TooLarge
            : code == LZMA_MEM_ERROR               ? StepState::NoMemory
                                                   : StepState::Damaged;
        return {state, in.size() - m_stream.avail_in, out.size() - m_stream.avail_out};
    }

private:
    lzma_stream m_stream = LZMA_STREAM_INIT;
    bool m_isReady = false;
};

class ZstdDecoder {
public:
    ZstdDecoder()
    {
        if (m_context)
            ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, MaxWindowLog);
    }

    static bool findNext(std::span<const std::byte>& bytes)
    {
        // A skippable frame may lie between frames; the library skips it. Its first byte may be 0x50 to 0x5F.
        const bool isSkippable =
            bytes.size() >= 4 && (bytes[0] & std::byte{0xF0}) == std::byte{0x50} && beginsWith(bytes.subspan(1), "\x2a\x4d\x18");
        return isSkippable || beginsWith(bytes, ZstdMagic);
    }
    bool isReady() const { return m_context != nullptr; }
    void restart() { } // The context begins a frame after the end of another by itself.
    Step step(std::span<const std::byte> in, std::span<std::byte> out)
    {
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const std::size_t wanted = ZSTD_decompressStream(m_context.get(), &output, &input);
        const auto state = wanted == 0                                              ? StepState::End
            : !ZSTD_isError(wanted)                                                 ? StepState::More
            : ZSTD_getErrorCode(wanted) == ZSTD_error_frameParameter_windowTooLarge ? StepState::TooLarge
            : ZSTD_getErrorCode(wanted) == ZSTD_error_memory_allocation             ? StepState::NoMemory
                                                                                    : StepState::Damaged;
        return {state, input.pos, output.pos};
    }

private:
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> m_context{ZSTD_createDCtx(), &ZSTD_freeDCtx};
};

/// Decompresses all streams of a file, one after the other. Passes on all output before damage or the end of a cut stream.
template <typename Decoder> Status decode(std::span<const std::byte> bytes, const Take& take)
{
    Decoder decoder;
    std::array<std::byte, 64 * 1024> room;
    while (decoder.isReady()) {
        const Step step = decoder.step(bytes, room);
        bytes = bytes.subspan(step.consumed);
        if (step.produced > 0 && !take({room.data(), step.produced}))
            return Done{};
        const bool isStuck = step.consumed == 0 && step.produced == 0; // The input is incomplete.
        if (step.state == StepState::NoMemory)
            return noMemory();
        if (step.state == StepState::TooLarge)
            return Error{Error::Kind::Unsupported, "was compressed with options that need much memory; decompress it first"};
        if (step.state == StepState::Damaged || (step.state == StepState::More && isStuck))
            return corrupt();
        if (step.state == StepState::More)
            continue;
        // Bytes after a stream that are no other stream are ignored, as gzip does.
        if (!Decoder::findNext(bytes))
            return Done{};
        decoder.restart();
    }
    return noMemory();
}

Status decodeAny(std::span<const std::byte> bytes, const Take& take)
{
    if (beginsWith(bytes, GzipMagic))
        return decode<GzipDecoder>(bytes, take);
    if (beginsWith(bytes, ZstdMagic))
        return decode<ZstdDecoder>(bytes, take);
    if (beginsWith(bytes, XzMagic))
        return decode<XzDecoder>(bytes, take);
    if (beginsWith(bytes, Bzip2Magic))
        return decode<Bzip2Decoder>(bytes, take);
    return corrupt();
}

} // namespace

Status unpack(std::span<const std::byte> bytes, const Take& take)
{
    const UnpackLimits limits;
    const std::uint64_t most = std::min(limits.totalBytes, std::max(limits.freeBytes, limits.ratio * bytes.size()));
    std::uint64_t all = 0;
    bool isTooLarge = false;
    const auto takePart = [&](std::span<const std::byte> part) {
        isTooLarge = part.size() > most - all;
        all += part.size();
        return !isTooLarge && take(part);
    };
    std::vector<std::byte> nested; // Compressed content of a compressed file.
    bool isNested = false;
    bool isNestedTooLarge = false;
    const Status status = decodeAny(bytes, [&](std::span<const std::byte> part) {
        if (!isNested && (all > 0 || !isCompressed(part)))
            return takePart(part);
        isNested = true;
        isNestedTooLarge = part.size() > MostNestedBytes - nested.size();
        if (!isNestedTooLarge)
            nested.insert(nested.end(), part.begin(), part.end());
        return !isNestedTooLarge;
    });
    if (isNestedTooLarge)
        return Error{Error::Kind::Full, "the file is compressed twice and too large for that; decompress it once"};
    // A cut or damaged outer stream is an error, but first all is passed on that the inner one has before.
    const Status inner = isNested ? decodeAny(nested, takePart) : Status(Done{});
    if (isTooLarge)
        return Error{Error::Kind::Full, "decompressed data is too large"};
    return status ? inner : status;
}

namespace {

/// Returns all output of `unpackTo(take)`, at most `limit` bytes.
template <typename UnpackTo> Result<std::vector<std::byte>> collected(std::uint64_t limit, const UnpackTo& unpackTo)
{
    std::vector<std::byte> result;
    bool isFull = false;
    const Status done = unpackTo([&](std::span<const std::byte> part) {
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

} // namespace

Result<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, std::uint64_t limit)
{
    return collected(limit, [&](const Take& take) { return unpack(bytes, take); });
}

Result<std::vector<std::byte>> unpackedZlib(std::span<const std::byte> bytes, std::uint64_t limit)
{
    return collected(limit, [&](const Take& take) { return decode<ZlibDecoder>(bytes, take); });
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

Status unpackBlock(std::string_view algorithm, std::span<const std::byte> bytes, std::span<std::byte> room)
{
    bool isComplete = false;
    bool isFull = false;
    if (algorithm == "zstd") {
        // Making a context takes longer than unpacking a small block.
        static thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
        isFull = !context;
        isComplete = context && ZSTD_decompressDCtx(context.get(), room.data(), room.size(), bytes.data(), bytes.size()) == room.size();
    } else if (algorithm == "zlib") {
        uLongf length = room.size();
        const int status =
            uncompress(reinterpret_cast<Bytef*>(room.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
        isFull = status == Z_MEM_ERROR;
        isComplete = status == Z_OK && length == room.size();
    } else {
        return Error{Error::Kind::Unsupported, "compressed with \"" + std::string(algorithm) + "\", which is not supported"};
    }
    if (isFull)
        return noMemory();
    return isComplete ? Status(Done{}) : Status(corrupt());
}

bool isCompressed(std::span<const std::byte> bytes)
{
    constexpr std::string_view Magics[] = {GzipMagic, ZstdMagic, XzMagic, Bzip2Magic};
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
        return noMemory();
    std::array<std::byte, 64 * 1024> room;
    ZSTD_inBuffer in{chunk.data(), chunk.size(), 0};
    bool hasMore = !chunk.empty();
    while (hasMore) {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        const std::size_t before = in.pos;
        const std::size_t result = ZSTD_decompressStream(m_context, &out, &in);
        if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
            return noMemory();
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
