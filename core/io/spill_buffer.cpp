#include "core/io/spill_buffer.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t FirstRoom = std::size_t{1} << 20;
constexpr std::size_t MostInMemory = std::size_t{256} << 20; ///< Limit of the anonymous memory of all buffers together, in bytes.

std::atomic<std::size_t> inMemory{0}; ///< Anonymous memory of all buffers, in bytes.

/// Adds `bytes` to the memory of all buffers. Returns false if they exceed the limit.
bool takeMemory(std::size_t bytes)
{
    if (inMemory.fetch_add(bytes) + bytes <= MostInMemory)
        return true;
    inMemory.fetch_sub(bytes);
    return false;
}

/// Opens an unnamed temporary file. Returns -1 if the file system does not support unnamed files; the buffer then stays in memory.
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
    inMemory.fetch_sub(m_inMemory);
}

Status SpillBuffer::append(std::span<const std::byte> bytes)
{
    if (bytes.empty())
        return Done{};
    auto room = extend(bytes.size());
    if (!room)
        return room.error();
    std::memcpy(room->data(), bytes.data(), bytes.size());
    return Done{};
}

Result<std::span<std::byte>> SpillBuffer::extend(std::size_t size)
{
    if (size > m_room - m_size)
        if (auto grown = grow(m_size + size); !grown)
            return grown.error();
    m_size += size;
    return std::span(m_data + m_size - size, size);
}

/// Enlarges the buffer to at least `size` bytes. Disk blocks are allocated before they are mapped, because a write to a mapping on a full
/// disk would raise SIGBUS and end the program.
Status SpillBuffer::grow(std::size_t size)
{
    const std::size_t room = std::max({FirstRoom, m_room * 2, (size + FirstRoom - 1) / FirstRoom * FirstRoom});
    const bool isInMemory = m_file < 0 && takeMemory(room - m_inMemory);
    const int file = m_file < 0 && !isInMemory ? openUnnamedFile() : m_file;
    if (file >= 0)
        if (const int code = ::posix_fallocate(file, 0, static_cast<off_t>(room)); code != 0) {
            if (m_file < 0)
                ::close(file);
            return full(code);
        }
    const bool moves = file != m_file;
    const int flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    void* data =
        m_data && !moves ? ::mremap(m_data, m_room, room, MREMAP_MAYMOVE) : ::mmap(nullptr, room, PROT_READ | PROT_WRITE, flags, file, 0);
    if (data == MAP_FAILED) {
        const int code = errno;
        if (moves)
            ::close(file);
        inMemory.fetch_sub(isInMemory ? room - m_inMemory : 0);
        return full(code);
    }
    if (moves && m_data) {
        std::memcpy(data, m_data, m_size);
        ::munmap(m_data, m_room);
        inMemory.fetch_sub(std::exchange(m_inMemory, 0));
    }
    m_file = file;
    m_data = static_cast<std::byte*>(data);
    m_room = room;
    m_inMemory = isInMemory ? room : m_inMemory;
    return Done{};
}

} // namespace helio
