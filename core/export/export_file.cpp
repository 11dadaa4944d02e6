#include "core/export/export_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace helio {

Error cannotWrite(const std::filesystem::path& path, int systemError)
{
    std::string cause = std::strerror(systemError);
    if (cause.size() > 1 && cause[1] >= 'a' && cause[0] >= 'A' && cause[0] <= 'Z')
        cause[0] = static_cast<char>(cause[0] - 'A' + 'a');
    return {Error::Kind::Unreadable, "Cannot write " + path.string() + ": " + cause};
}

ExportFile::ExportFile(const std::filesystem::path& path, std::stop_token stop)
    : m_path(path)
    , m_stop(std::move(stop))
    , m_file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666))
{
    m_buffer.reserve(Limit + 4096);
    if (m_file < 0)
        fail(errno);
}

ExportFile::~ExportFile()
{
    if (m_file >= 0)
        ::close(m_file);
}

void ExportFile::fail(int error)
{
    m_hasFailed = true;
    m_errno = error;
}

void ExportFile::write(std::string_view bytes)
{
    m_buffer += bytes;
    flushIfFull();
}

void ExportFile::flush()
{
    std::string_view left = m_buffer;
    while (isWritable() && !left.empty()) {
        const ssize_t written = ::write(m_file, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            fail(errno);
        if (written > 0)
            left.remove_prefix(static_cast<std::size_t>(written));
    }
    m_size += m_buffer.size();
    m_buffer.clear();
}

Status ExportFile::close(Sync sync)
{
    flush();
    // Files without a disk, e.g. in memory, cannot be synced.
    if (sync == Sync::Now && isWritable() && ::fsync(m_file) != 0 && errno != EINVAL)
        fail(errno);
    if (m_file >= 0 && ::close(std::exchange(m_file, -1)) != 0 && !m_hasFailed)
        fail(errno);
    if (m_stop.stop_requested())
        return Error{Error::Kind::Cancelled, "The export was cancelled"};
    if (m_hasFailed)
        return cannotWrite(m_path, m_errno);
    return Done{};
}

} // namespace helio
