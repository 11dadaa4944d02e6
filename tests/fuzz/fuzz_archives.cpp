// Fuzzer of unpacking: archives (tar, zip) and compressed files and streams. Half of the inputs become tar archives with valid headers. No
// input may cause a crash, a hang, a file outside of the cache, or more memory use than the limits allow.

#include "core/io/archive.h"
#include "core/io/libarchive/archive_sender.h"
#include "core/io/text_source.h"
#include "core/io/unpack.h"
#include "tests/fuzz/fuzz_input.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

using namespace helio;

namespace {

std::string makeTar(FuzzInput input)
{
    FuzzBytes tar;
    while (!input.isEmpty()) {
        constexpr std::array<std::string_view, 8> Names{"a", "b/c", "b/../../x", "/x", "b", "", "./a", "d/"};
        const std::uint8_t choice = input.byte();
        const std::string_view name = choice < 200 ? Names[choice % Names.size()] : input.text().substr(0, 99);
        constexpr std::string_view Types("0005512LKxg\0", 12);
        const char type = Types[input.below(Types.size())];
        const std::string_view content = type == '5' ? std::string_view() : input.text();
        char head[513] = {};
        std::snprintf(head, 100, "%.*s", static_cast<int>(name.size()), name.data());
        std::snprintf(head + 100, 30, "0000644");
        std::snprintf(head + 124, 12, "%011o", static_cast<unsigned>(choice == 255 ? input.take<std::uint32_t>() : content.size()));
        std::snprintf(head + 136, 12, "00000000000");
        head[156] = type;
        std::snprintf(head + 157, 100, "%s", "a");
        std::memcpy(head + 257, "ustar\00000", 8);
        std::memset(head + 148, ' ', 8);
        unsigned sum = 0;
        for (const char c : std::string_view(head, 512))
            sum += static_cast<unsigned char>(c);
        std::snprintf(head + 148, 8, "%06o", sum);
        tar.raw({head, 512}).raw(content).align(512);
    }
    return tar.zeros(1024).all;
}

/// Reads an archive as the helper program does, up to 16 MiB of it.
void sendMessages(const std::filesystem::path& file)
{
    struct TooLarge { };
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    std::size_t bytes = 0;
    try {
        sendArchive(descriptor, [&](std::span<const std::byte> message) {
            bytes += message.size();
            if (bytes > (16 << 20))
                throw TooLarge();
        });
    } catch (const TooLarge&) {
    }
    ::close(descriptor);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    FuzzInput input(data, size);
    const bool isMade = input.byte() == 't';
    const std::string bytes = isMade ? makeTar(input) : std::string(fuzzText(data, size));
    const std::filesystem::path file = folder.write("packed", bytes);
    const std::filesystem::path cache = folder.path() / "cache";
    UnpackLimits limits;
    limits.totalBytes = limits.freeBytes = 8 << 20;
    limits.entries = 100;
    if (isArchive(file)) {
        sendMessages(file);
        if (size % 64 == 0) // The helper program takes much longer to start than to read the archive.
            (void)unpackArchive(file, cache, {}, limits);
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        if (entry.path() != file && entry.path() != cache)
            std::abort();
    if (!isMade && isCompressed(fuzzBytes(bytes))) {
        (void)unpackFile(file, cache, {}, limits);
        (void)unpacked(fuzzBytes(bytes), 1 << 20);
        (void)unpackPrefix(fuzzBytes(bytes), 5000);
        if (const auto source = TextSource::open(file)) {
            (void)(*source)->plainText();
            (void)(*source)->load({});
        }
    }
    std::filesystem::remove_all(cache);
    if (isMade)
        return 0;
    (void)unpackedZlib(fuzzBytes(bytes), 1 << 20);
    std::vector<std::byte> room(size % 4096);
    (void)unpackBlock("zstd", fuzzBytes(bytes), room);
    (void)unpackBlock("zlib", fuzzBytes(bytes), room);
    ZstdStream stream;
    std::size_t left = 1 << 20;
    const auto take = [&](std::span<const std::byte> part) { return left -= std::min(left, part.size()), left > 0; };
    if (stream.decode(fuzzBytes(bytes).first(size / 2), take))
        (void)stream.decode(fuzzBytes(bytes).subspan(size / 2), take);
    return 0;
}
