#include "core/io/leftovers.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view Pattern = "XXXXXX"; ///< Replaced by mkdtemp().

/// True if the name is `prefix` and six letters or digits, as mkdtemp() makes it.
bool isMadeFrom(std::string_view prefix, std::string_view name)
{
    constexpr std::string_view Used = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    return name.size() == prefix.size() + Pattern.size() && name.starts_with(prefix)
        && name.find_first_not_of(Used, prefix.size()) == std::string_view::npos;
}

} // namespace

bool lockTemporary(int descriptor)
{
    struct stat facts = {};
    const bool isTaken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    return !isTaken && ::fstat(descriptor, &facts) == 0 && facts.st_nlink > 0;
}

void removeLeftovers(const fs::path& folder, const std::function<bool(const std::string& name)>& isTemporaryName)
{
    std::error_code error;
    fs::directory_iterator it(folder, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
        if (!isTemporaryName(it->path().filename().string()))
            continue;
        constexpr int Flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        int descriptor = ::open(it->path().c_str(), O_RDWR | Flags); // NFS locks only files that may be written.
        if (descriptor < 0 && errno == EISDIR)
            descriptor = ::open(it->path().c_str(), O_RDONLY | Flags);
        if (descriptor < 0)
            continue;
        std::error_code ignored;
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            fs::remove_all(it->path(), ignored);
        ::close(descriptor);
    }
}

TemporaryFolder::TemporaryFolder(const fs::path& parent, std::string_view prefix)
{
    removeLeftovers(parent, [prefix](const std::string& name) { return isMadeFrom(prefix, name); });
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::string name = (parent / prefix).string().append(Pattern);
        if (!::mkdtemp(name.data()))
            return;
        const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor >= 0 && lockTemporary(descriptor)) {
            m_path = name;
            m_descriptor = descriptor;
            return;
        }
        const int failure = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        ::rmdir(name.c_str());
        errno = failure;
        if (descriptor < 0 && failure != ENOENT) // ENOENT: another process took the folder for a leftover.
            return;
    }
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

bool TemporaryFolder::renameTo(const fs::path& target)
{
    if (::rename(m_path.c_str(), target.c_str()) != 0)
        return false;
    m_path.clear();
    return true;
}

} // namespace helio
