#include "core/io/spill_buffer.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace helio {
namespace {

constexpr std::size_t FirstRoom = std::size_t{1} << 20;

/// Opens an unnamed temporary file. Returns -1 if the file system does not support unnamed files; the buffer then uses anonymous memory.
int openUnnamedFile()
{
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    return error ? -1 : ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

Error full(int code) { return {Error::Kind::Full, "no room for decompressed data: " + std::system_category().message(code)}; }

} // namespace

SpillBuffer::~SpillBuffer()
{
    if (m_data)
        ::munmap(m_data, m_room);
    if (m_file >= 0)
        ::close(m_file);
}

Status SpillBuffer::append(std::span<const std::byte> bytes)
{
    if (bytes.empty())
        return Done{};
    if (bytes.size() > m_room - m_size)
        if (auto grown = grow(m_size + bytes.size()); !grown)
            return grown;
    std::memcpy(m_data + m_size, bytes.data(), bytes.size());
    m_size += bytes.size();
    return Done{};
}

/// Enlarges the buffer to at least `size` bytes. Disk blocks are allocated before they are mapped, because a write to a mapping on a full
/// disk would raise SIGBUS and end the program.
Status SpillBuffer::grow(std::size_t size)
{
    if (m_room == 0)
        m_file = openUnnamedFile();
    const std::size_t room = std::max({FirstRoom, m_room * 2, (size + FirstRoom - 1) / FirstRoom * FirstRoom});
    if (m_file >= 0)
        if (const int code = ::posix_fallocate(m_file, 0, static_cast<off_t>(room)); code != 0)
            return full(code);
    const int flags = m_file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    void* data = m_data ? ::mremap(m_data, m_room, room, MREMAP_MAYMOVE) : ::mmap(nullptr, room, PROT_READ | PROT_WRITE, flags, m_file, 0);
    if (data == MAP_FAILED)
        return full(errno);
    m_data = static_cast<std::byte*>(data);
    m_room = room;
    return Done{};
}

} // namespace helio
