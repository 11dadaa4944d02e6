#include "core/formats/ctf/cutout/packet_output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace helio::ctf {

void writeBits(std::span<std::byte> data, std::uint64_t bit, unsigned bits, ByteOrder order, std::uint64_t value)
{
    for (unsigned done = 0; done < bits;) {
        const auto skipped = static_cast<unsigned>(bit % 8);
        const unsigned count = std::min(8 - skipped, bits - done);
        const unsigned mask = (1U << count) - 1;
        const bool isLittle = order == ByteOrder::Little;
        const auto part = static_cast<unsigned>(value >> (isLittle ? done : bits - done - count)) & mask;
        const unsigned shift = isLittle ? skipped : 8 - skipped - count;
        std::byte& at = data[bit / 8];
        at = (at & ~static_cast<std::byte>(mask << shift)) | static_cast<std::byte>(part << shift);
        done += count;
        bit += count;
    }
}

PacketOutput::PacketOutput(std::filesystem::path path)
    : m_path(std::move(path))
    , m_file(::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666))
    , m_error(m_file < 0 ? errno : 0)
{
}

PacketOutput::~PacketOutput()
{
    if (m_file >= 0)
        ::close(m_file);
}

void PacketOutput::startPacket(std::span<const std::byte> head, std::uint64_t headBits)
{
    flush(true);
    m_packetOffset = bytes();
    m_buffer.assign(head.begin(), head.end());
    m_bufferOffset = 0;
    m_bit = headBits;
}

void PacketOutput::editHead(std::size_t bytes, const std::function<void(std::span<std::byte>)>& edit)
{
    if (m_error != 0)
        return;
    if (m_bufferOffset == 0)
        return edit(std::span(m_buffer).first(bytes));
    flush(true);
    std::vector<std::byte> head(bytes);
    for (std::size_t done = 0; done < bytes && m_error == 0;) {
        const ssize_t got = ::pread(m_file, head.data() + done, bytes - done, static_cast<off_t>(m_packetOffset + done));
        if (got <= 0 && errno != EINTR)
            m_error = got < 0 ? errno : EIO;
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    if (m_error != 0)
        return;
    edit(head);
    write(head, m_packetOffset);
}

void PacketOutput::advanceTo(std::uint64_t bit)
{
    m_bit = std::max(m_bit, bit);
    while (m_error == 0 && m_bit / 8 - m_bufferOffset > MostBuffered) {
        m_buffer.resize(std::max(m_buffer.size(), MostBuffered));
        flush(false);
    }
    room(m_bit);
}

void PacketOutput::put(std::uint64_t value, unsigned bits, ByteOrder order)
{
    room(m_bit + bits);
    writeBits(m_buffer, m_bit - 8 * m_bufferOffset, bits, order, value);
    m_bit += bits;
}

void PacketOutput::copy(const std::byte* from, std::uint64_t bits)
{
    while (bits > 0 && !hasFailed()) {
        const std::uint64_t part = std::min<std::uint64_t>(bits, 8 * MostBuffered);
        std::memcpy(room(m_bit + part), from, (part + 7) / 8);
        m_bit += part;
        from += part / 8;
        bits -= part;
    }
}

Status PacketOutput::finish()
{
    flush(true);
    if (m_file >= 0 && ::close(std::exchange(m_file, -1)) != 0 && m_error == 0)
        m_error = errno;
    if (m_error == 0)
        return Done{};
    const auto kind = m_error == ENOSPC || m_error == EDQUOT ? Error::Kind::Full : Error::Kind::Unreadable;
    return Error{kind, m_path.string() + ": " + std::system_category().message(m_error)};
}

/// Returns the byte that contains m_bit, after enlarging the buffer so that it contains the bits before `endBit`.
std::byte* PacketOutput::room(std::uint64_t endBit)
{
    if (m_buffer.size() > MostBuffered)
        flush(false);
    const std::uint64_t size = (endBit + 7) / 8 - m_bufferOffset;
    if (m_buffer.size() < size)
        m_buffer.resize(size);
    return m_buffer.data() + (m_bit / 8 - m_bufferOffset);
}

/// Writes the buffered bytes before m_bit. The byte that contains m_bit may still change: it is written only if `isWhole`, and then not
/// kept.
void PacketOutput::flush(bool isWhole)
{
    const std::uint64_t end = (isWhole ? (m_bit + 7) / 8 : m_bit / 8) - m_bufferOffset;
    const std::uint64_t count = std::min<std::uint64_t>(m_buffer.size(), end);
    write(std::span(m_buffer).first(count), m_packetOffset + m_bufferOffset);
    m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(count));
    m_bufferOffset += count;
}

void PacketOutput::write(std::span<const std::byte> bytes, std::uint64_t offset)
{
    while (!bytes.empty() && m_error == 0) {
        const ssize_t done = ::pwrite(m_file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            m_error = errno;
            return;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(done));
        offset += static_cast<std::uint64_t>(done);
    }
}

} // namespace helio::ctf
