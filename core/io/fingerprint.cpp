#include "core/io/fingerprint.h"

#include "core/io/mapped_file.h"

namespace helio {
namespace {

constexpr std::size_t LargestWhole = std::size_t{1} << 20; ///< Maximum size in bytes of a file that is hashed as a whole.
/// Number of bytes hashed at the head and at the tail of a file larger than LargestWhole.
constexpr std::size_t EndBytes = std::size_t{64} << 10;
constexpr std::size_t BlockBytes = std::size_t{4} << 10;
constexpr std::size_t Blocks = 64; ///< Number of blocks hashed between head and tail, at equal distances.

} // namespace

void Fingerprint::addContents(const MappedFile& file)
{
    const auto bytes = file.bytes();
    add(std::uint64_t{bytes.size()});
    if (bytes.size() <= LargestWhole) {
        add(bytes);
        return;
    }
    add(static_cast<std::uint64_t>(file.modificationTime()));
    add(bytes.first(EndBytes));
    add(bytes.last(EndBytes));
    const std::size_t between = bytes.size() - 2 * EndBytes;
    for (std::size_t block = 0; block < Blocks; ++block)
        add(bytes.subspan(EndBytes + between / Blocks * block, BlockBytes));
}

} // namespace helio
