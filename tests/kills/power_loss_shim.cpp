// A library for LD_PRELOAD that logs each change of files below some folders, with contents, in the order in which the system makes them.
// disk_log.h replays the log. It can also kill the process at one of the changes. Settings are environment variables:
//   DISK_UNDER    folders, separated by ":"; other files are not logged
//   DISK_LOG      file to which the log is appended; several processes may share it
//   DISK_KILL_AT  number of the change of this process, from 1, after which the process kills itself with SIGKILL; 0 for none
//
// A record is a DiskChange, then its texts and bytes. Writes through shared mappings are not logged: Heliograph makes none to files that
// it keeps, and the test compares the replayed log with the disk.

#include "tests/kills/disk_change.h"
#include "tests/support/preloaded_calls.h"

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

using helio::DiskChange;
using Kind = DiskChange::Kind;

namespace {

struct Settings {
    const char* under = std::getenv("DISK_UNDER");
    const char* log = std::getenv("DISK_LOG");
    long killAt = std::getenv("DISK_KILL_AT") ? std::atol(std::getenv("DISK_KILL_AT")) : 0;
};

const Settings& settings()
{
    static const Settings all;
    return all;
}

/// Held during a change and its logging, so that the order of the log is that of the changes. Recursive, because functions of the C library
/// call others that are logged, too.
std::recursive_mutex& order()
{
    static auto* const mutex = new std::recursive_mutex; // Never destroyed: files are closed after destructors of this library.
    return *mutex;
}

long s_changes = 0;

bool isUnder(std::string_view path)
{
    std::string_view folders = settings().under ? settings().under : "";
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        folders.remove_prefix(folder.size() < folders.size() ? folder.size() + 1 : folder.size());
        if (!folder.empty() && path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'))
            return true;
    }
    return false;
}

/// Returns the path of a descriptor; a file without a name has a path that ends with " (deleted)".
std::string pathOf(int descriptor)
{
    std::array<char, PATH_MAX> path{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const long size = descriptor < 0 ? -1 : ::syscall(SYS_readlink, link.c_str(), path.data(), path.size() - 1);
    return size > 0 ? std::string(path.data(), std::size_t(size)) : std::string();
}

/// Returns an absolute path without "//" and "/./".
std::string absolute(int folder, const char* path)
{
    std::string text = path ? path : "";
    if (!text.starts_with('/')) {
        std::array<char, PATH_MAX> current{};
        const std::string begin = folder != AT_FDCWD ? pathOf(folder) : ::getcwd(current.data(), current.size()) ? current.data() : "";
        text = begin + '/' + text;
    }
    for (std::size_t at; (at = text.find("/./")) != std::string::npos;)
        text.erase(at, 2);
    for (std::size_t at; (at = text.find("//")) != std::string::npos;)
        text.erase(at, 1);
    while (text.size() > 1 && text.ends_with('/'))
        text.pop_back();
    return text;
}

/// Returns the number of a file; 0 if it does not exist.
std::uint64_t numberOf(const std::string& path)
{
    struct stat facts = {};
    return ::lstat(path.c_str(), &facts) == 0 ? facts.st_ino : 0;
}
std::uint64_t numberOf(int descriptor)
{
    struct stat facts = {};
    return ::fstat(descriptor, &facts) == 0 ? facts.st_ino : 0;
}

void log(Kind kind, std::uint64_t file, std::uint64_t offset, std::string_view first, std::string_view second = {})
{
    if (!settings().log)
        return;
    const int saved = errno;
    const DiskChange change{DiskChange::Magic, std::uint32_t(kind), file, offset, first.size(), second.size()};
    std::string record(reinterpret_cast<const char*>(&change), sizeof change);
    record.append(first).append(second);
    static auto* const openFile = original<int(const char*, int, mode_t)>("open64");
    static auto* const writeFile = original<ssize_t(int, const void*, std::size_t)>("write");
    static auto* const closeFile = original<int(int)>("close");
    const int descriptor = openFile(settings().log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || writeFile(descriptor, record.data(), record.size()) != ssize_t(record.size()))
        std::abort();
    closeFile(descriptor);
    errno = saved;
}

void changed(Kind kind, std::uint64_t file, std::uint64_t offset, std::string_view first, std::string_view second = {})
{
    log(kind, file, offset, first, second);
    if (++s_changes == settings().killAt)
        ::kill(::getpid(), SIGKILL);
}

using Lock = std::lock_guard<std::recursive_mutex>;

/// Opens a file by `run` and logs if that creates or truncates it.
template <typename Run> int openFile(int folder, const char* given, int flags, const Run& run)
{
    const bool isUnnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (!isUnnamed && (flags & (O_CREAT | O_TRUNC)) == 0)
        return run();
    const std::string path = absolute(folder, given);
    if (!isUnder(path))
        return run();
    const Lock lock(order());
    const std::uint64_t before = isUnnamed ? 0 : numberOf(path);
    const int descriptor = run();
    if (descriptor < 0)
        return descriptor;
    if (isUnnamed)
        changed(Kind::Create, numberOf(descriptor), 0, {});
    else if (before == 0)
        changed(Kind::Create, numberOf(descriptor), 0, path);
    else if ((flags & O_TRUNC) != 0)
        changed(Kind::Resize, numberOf(descriptor), 0, {});
    return descriptor;
}

template <typename Run> ssize_t writeFile(int descriptor, off64_t offset, const Run& run)
{
    if (!isUnder(pathOf(descriptor)))
        return run();
    const Lock lock(order());
    if (offset < 0) {
        const int flags = ::fcntl(descriptor, F_GETFL);
        offset = (flags & O_APPEND) != 0 ? ::lseek64(descriptor, 0, SEEK_END) : ::lseek64(descriptor, 0, SEEK_CUR);
    }
    const ssize_t written = run();
    if (written > 0) {
        // Read back the bytes, so that calls with several buffers need no code of their own.
        std::string bytes(std::size_t(written), '\0');
        const std::string again = "/proc/self/fd/" + std::to_string(descriptor);
        static auto* const openFile = original<int(const char*, int, mode_t)>("open64");
        static auto* const closeFile = original<int(int)>("close");
        const int reader = openFile(again.c_str(), O_RDONLY | O_CLOEXEC, 0);
        if (reader < 0 || ::pread64(reader, bytes.data(), bytes.size(), offset) != written)
            std::abort();
        closeFile(reader);
        changed(Kind::Write, numberOf(descriptor), std::uint64_t(offset), bytes);
    }
    return written;
}

template <typename Run> int resizeFile(int descriptor, const Run& run)
{
    if (!isUnder(pathOf(descriptor)))
        return run();
    const Lock lock(order());
    const int result = run();
    struct stat facts = {};
    if (result == 0 && ::fstat(descriptor, &facts) == 0)
        changed(Kind::Resize, facts.st_ino, std::uint64_t(facts.st_size), {});
    return result;
}

template <typename Run> int syncFile(int descriptor, Kind kind, const Run& run)
{
    const std::string path = pathOf(descriptor);
    if (!isUnder(path))
        return run();
    const Lock lock(order());
    const int result = run();
    struct stat facts = {};
    if (result == 0 && ::fstat(descriptor, &facts) == 0)
        changed(kind == Kind::SyncFile && S_ISDIR(facts.st_mode) ? Kind::SyncFolder : kind, facts.st_ino, 0, path);
    return result;
}

template <typename Run> int renameFile(const std::string& from, const std::string& to, const Run& run)
{
    if (!isUnder(from) && !isUnder(to))
        return run();
    const Lock lock(order());
    const std::uint64_t file = numberOf(from);
    const int result = run();
    if (result == 0)
        changed(Kind::Rename, file, 0, from, to);
    return result;
}

template <typename Run> int removeFile(const std::string& path, const Run& run)
{
    if (!isUnder(path))
        return run();
    const Lock lock(order());
    const std::uint64_t file = numberOf(path);
    const int result = run();
    if (result == 0)
        changed(Kind::Remove, file, 0, path);
    return result;
}

template <typename Run> int makeFolder(const std::string& path, const Run& run)
{
    if (!isUnder(path))
        return run();
    const Lock lock(order());
    const int result = run();
    if (result == 0)
        changed(Kind::MakeFolder, numberOf(path), 0, path);
    return result;
}

int openAt(const char* name, int folder, const char* path, int flags, mode_t mode)
{
    return openFile(folder, path, flags, [&] { return original<int(int, const char*, int, mode_t)>(name)(folder, path, flags, mode); });
}

FILE* openStream(const char* name, const char* path, const char* mode)
{
    FILE* stream = nullptr;
    const auto run = [&] {
        stream = original<FILE*(const char*, const char*)>(name)(path, mode);
        return stream ? ::fileno(stream) : -1;
    };
    const int flags = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT : 0;
    (void)openFile(AT_FDCWD, path, flags, run);
    return stream;
}

} // namespace

extern "C" {

FILE* fopen(const char* path, const char* mode) { return openStream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return openStream("fopen64", path, mode); }

ssize_t write(int descriptor, const void* bytes, std::size_t size)
{
    static auto* const call = original<ssize_t(int, const void*, std::size_t)>("write");
    return writeFile(descriptor, -1, [&] { return call(descriptor, bytes, size); });
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t offset)
{
    static auto* const call = original<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
    return writeFile(descriptor, offset, [&] { return call(descriptor, bytes, size, offset); });
}
ssize_t writev(int descriptor, const iovec* parts, int count)
{
    static auto* const call = original<ssize_t(int, const iovec*, int)>("writev");
    return writeFile(descriptor, -1, [&] { return call(descriptor, parts, count); });
}
ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset)
{
    static auto* const call = original<ssize_t(int, const iovec*, int, off_t)>("pwritev");
    return writeFile(descriptor, offset, [&] { return call(descriptor, parts, count, offset); });
}
ssize_t sendfile64(int to, int from, off64_t* offset, std::size_t size)
{
    static auto* const call = original<ssize_t(int, int, off64_t*, std::size_t)>("sendfile64");
    return writeFile(to, -1, [&] { return call(to, from, offset, size); });
}
ssize_t copy_file_range(int from, off64_t* offset, int to, off64_t* target, std::size_t size, unsigned flags)
{
    static auto* const call = original<ssize_t(int, off64_t*, int, off64_t*, std::size_t, unsigned)>("copy_file_range");
    return writeFile(to, target ? *target : -1, [&] { return call(from, offset, to, target, size, flags); });
}
int ftruncate64(int descriptor, off64_t size)
{
    return resizeFile(descriptor, [&] { return original<int(int, off64_t)>("ftruncate64")(descriptor, size); });
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t size)
{
    return resizeFile(descriptor, [&] { return original<int(int, off64_t, off64_t)>("posix_fallocate64")(descriptor, offset, size); });
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t size)
{
    return resizeFile(descriptor, [&] { return original<int(int, int, off64_t, off64_t)>("fallocate64")(descriptor, mode, offset, size); });
}

int fsync(int descriptor)
{
    return syncFile(descriptor, Kind::SyncFile, [&] { return original<int(int)>("fsync")(descriptor); });
}
int fdatasync(int descriptor)
{
    return syncFile(descriptor, Kind::SyncFile, [&] { return original<int(int)>("fdatasync")(descriptor); });
}
int syncfs(int descriptor)
{
    return syncFile(descriptor, Kind::SyncAll, [&] { return original<int(int)>("syncfs")(descriptor); });
}

int rename(const char* from, const char* to)
{
    return renameFile(absolute(AT_FDCWD, from), absolute(AT_FDCWD, to),
                      [&] { return original<int(const char*, const char*)>("rename")(from, to); });
}
int renameat(int fromFolder, const char* from, int toFolder, const char* to)
{
    return renameFile(absolute(fromFolder, from), absolute(toFolder, to),
                      [&] { return original<int(int, const char*, int, const char*)>("renameat")(fromFolder, from, toFolder, to); });
}
int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags)
{
    return renameFile(absolute(fromFolder, from), absolute(toFolder, to), [&] {
        return original<int(int, const char*, int, const char*, unsigned)>("renameat2")(fromFolder, from, toFolder, to, flags);
    });
}
int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags)
{
    const auto run = [&] {
        return original<int(int, const char*, int, const char*, int)>("linkat")(fromFolder, from, toFolder, to, flags);
    };
    const std::string path = absolute(toFolder, to);
    if (!isUnder(path))
        return run();
    const Lock lock(order());
    const int result = run();
    if (result == 0)
        changed(Kind::Link, numberOf(path), 0, path);
    return result;
}
int link(const char* from, const char* to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlink(const char* path)
{
    return removeFile(absolute(AT_FDCWD, path), [&] { return original<int(const char*)>("unlink")(path); });
}
int unlinkat(int folder, const char* path, int flags)
{
    return removeFile(absolute(folder, path), [&] { return original<int(int, const char*, int)>("unlinkat")(folder, path, flags); });
}
int rmdir(const char* path)
{
    return removeFile(absolute(AT_FDCWD, path), [&] { return original<int(const char*)>("rmdir")(path); });
}
int remove(const char* path)
{
    return removeFile(absolute(AT_FDCWD, path), [&] { return original<int(const char*)>("remove")(path); });
}
int mkdir(const char* path, mode_t mode)
{
    return makeFolder(absolute(AT_FDCWD, path), [&] { return original<int(const char*, mode_t)>("mkdir")(path, mode); });
}
int mkdirat(int folder, const char* path, mode_t mode)
{
    return makeFolder(absolute(folder, path), [&] { return original<int(int, const char*, mode_t)>("mkdirat")(folder, path, mode); });
}
char* mkdtemp(char* path)
{
    if (!isUnder(absolute(AT_FDCWD, path)))
        return original<char*(char*)>("mkdtemp")(path);
    const Lock lock(order());
    char* const made = original<char*(char*)>("mkdtemp")(path);
    if (made)
        changed(Kind::MakeFolder, numberOf(absolute(AT_FDCWD, made)), 0, absolute(AT_FDCWD, made));
    return made;
}

} // extern "C"
