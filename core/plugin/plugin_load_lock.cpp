#include "core/plugin/plugin_load_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace helio {

namespace fs = std::filesystem;

namespace {

std::string nameOf(const std::string& hash) { return "loading-" + hash + "."; }

/// Returns the lock files for this hash that no living process has locked; a crash left these files.
std::vector<fs::path> findStaleFiles(const fs::path& folder, const std::string& hash)
{
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator it(folder, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
        if (!it->path().filename().string().starts_with(nameOf(hash)))
            continue;
        const int descriptor = ::open(it->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (descriptor < 0)
            continue;
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            found.push_back(it->path());
        ::close(descriptor);
    }
    return found;
}

bool isSynced(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool isDone = ::fsync(descriptor) == 0;
    ::close(descriptor);
    return isDone;
}

} // namespace

Result<PluginLoadLock> PluginLoadLock::make(const fs::path& folder, const std::string& hash)
{
    std::error_code error; // The error code is ignored, because open() reports the error.
    fs::create_directories(folder, error);
    const fs::path file = folder / (nameOf(hash) + std::to_string(::getpid()));
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return Error{Error::Kind::Unreadable, file.string() + " cannot be written: " + std::generic_category().message(errno)};
    PluginLoadLock mark(file, descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || ::fsync(descriptor) != 0 || !isSynced(folder))
        return Error{Error::Kind::Unreadable, file.string() + " cannot be kept: " + std::generic_category().message(errno)};
    return mark;
}

PluginLoadLock::PluginLoadLock(PluginLoadLock&& other) noexcept
    : m_file(std::move(other.m_file))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

PluginLoadLock::~PluginLoadLock()
{
    if (m_descriptor < 0)
        return;
    ::unlink(m_file.c_str());
    ::close(m_descriptor);
}

fs::path PluginLoadLock::crashNotePath(const fs::path& folder, const std::string& hash) { return folder / (nameOf(hash) + "at-work"); }

bool PluginLoadLock::hasCrashed(const fs::path& folder, const std::string& hash) { return !findStaleFiles(folder, hash).empty(); }

void PluginLoadLock::forgetCrash(const fs::path& folder, const std::string& hash)
{
    for (const fs::path& file : findStaleFiles(folder, hash))
        ::unlink(file.c_str());
}

} // namespace helio
