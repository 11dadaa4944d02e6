#include "core/io/tar_writer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace helio {
namespace {

constexpr std::size_t TarBlockBytes = 512; ///< Headers and contents of files fill whole blocks.

/// Header of a file, as POSIX.1-1988 defines it.
struct Header {
    std::array<char, 100> name;
    std::array<char, 8> mode;
    std::array<char, 8> user;
    std::array<char, 8> group;
    std::array<char, 12> size;
    std::array<char, 12> time;
    std::array<char, 8> checksum;
    char kind;
    std::array<char, 100> target;
    std::array<char, 8> magic;
    std::array<char, 247> rest;
};
static_assert(sizeof(Header) == TarBlockBytes);

/// Writes a number in octal digits and a NUL. Numbers that need more digits are written in binary, as GNU tar does.
template <std::size_t Size> void putNumber(std::array<char, Size>& field, std::uint64_t number)
{
    if (number >> 3 * (Size - 1) != 0) {
        for (std::size_t i = Size; i-- > 0; number >>= 8)
            field[i] = static_cast<char>(number & 0xff);
        field[0] = static_cast<char>(0x80);
        return;
    }
    field[Size - 1] = '\0';
    for (std::size_t i = Size - 1; i-- > 0; number >>= 3)
        field[i] = static_cast<char>('0' + (number & 7));
}

} // namespace

bool TarWriter::begin(const std::string& name, std::uint64_t bytes)
{
    Header header{};
    if (name.size() > header.name.size())
        return false;
    pad();
    std::ranges::copy(name, header.name.begin());
    putNumber(header.mode, 0644);
    putNumber(header.user, 0);
    putNumber(header.group, 0);
    putNumber(header.size, bytes);
    putNumber(header.time, 0);
    header.checksum.fill(' ');
    header.kind = '0';
    constexpr std::string_view Magic("ustar\0"
                                     "00",
                                     8);
    std::ranges::copy(Magic, header.magic.begin());
    std::array<char, TarBlockBytes> block;
    std::memcpy(block.data(), &header, sizeof header);
    std::uint64_t sum = 0;
    for (const char c : block)
        sum += static_cast<unsigned char>(c);
    putNumber(header.checksum, sum);
    std::memcpy(block.data(), &header, sizeof header);
    m_sink({block.data(), block.size()});
    return true;
}

void TarWriter::write(std::string_view bytes)
{
    m_sink(bytes);
    m_size += bytes.size();
}

void TarWriter::finish()
{
    pad();
    const std::array<char, 2 * TarBlockBytes> end{};
    m_sink({end.data(), end.size()});
}

/// Fills the last block of the current file.
void TarWriter::pad()
{
    const std::array<char, TarBlockBytes> zeros{};
    if (const std::size_t used = m_size % TarBlockBytes; used > 0)
        m_sink({zeros.data(), TarBlockBytes - used});
    m_size = 0;
}

} // namespace helio
