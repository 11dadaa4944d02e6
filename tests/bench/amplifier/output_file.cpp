#include "tests/bench/amplifier/output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace helio::bench {
namespace {

Error systemError(const std::filesystem::path& path)
{
    const auto kind = errno == ENOSPC || errno == EDQUOT ? Error::Kind::Full : Error::Kind::Unreadable;
    return {kind, path.string() + ": " + std::strerror(errno)};
}

} // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return systemError(path);
    return OutputFile(path, file);
}

OutputFile::~OutputFile()
{
    if (m_file >= 0)
        ::close(m_file);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_file(std::exchange(other.m_file, -1))
{
}

Status OutputFile::write(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const auto written = ::pwrite(m_file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return systemError(m_path);
        offset += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return Done{};
}

Status OutputFile::close()
{
    if (::close(std::exchange(m_file, -1)) < 0)
        return systemError(m_path);
    return Done{};
}

} // namespace helio::bench
