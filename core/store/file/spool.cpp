#include "core/store/file/spool.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

/// Maximum number of bytes in memory. Most recordings have fewer bytes and need no file.
constexpr std::size_t MostInMemory = std::size_t(1) << 20;
constexpr std::size_t CopyStep = std::size_t(1) << 20;

} // namespace

void Spool::append(std::span<const std::byte> bytes)
{
    if (!m_file && m_inMemory.size() > MostInMemory && m_makeFile)
        moveToFile();
    if (m_file)
        m_file->append(bytes);
    else
        m_inMemory.insert(m_inMemory.end(), bytes.begin(), bytes.end());
}

/// Moves the collected bytes from memory to a new file. If the file cannot be created, the bytes stay in memory, and the spool does not try
/// again.
void Spool::moveToFile()
{
    m_file = std::exchange(m_makeFile, {})();
    if (!m_file)
        return;
    m_file->append(m_inMemory);
    m_inMemory = {};
}

FileBytes Spool::contents() const
{
    if (m_file)
        return m_file->contents();
    FileBytes bytes;
    bytes.tail = m_inMemory;
    return bytes;
}

bool Spool::copyTo(const Out& out) const
{
    if (!m_file) {
        out(m_inMemory);
        return true;
    }
    const FileBytes bytes = m_file->contents();
    for (std::uint64_t at = 0; at < bytes.fileEnd; at += CopyStep)
        out({bytes.at(at), static_cast<std::size_t>(std::min<std::uint64_t>(CopyStep, bytes.fileEnd - at))});
    out(bytes.tail);
    return !bytes.isDamaged();
}

} // namespace helio
