// A library for LD_PRELOAD that counts the system calls on files below some folders, and lets one of them fail. Settings are environment
// variables:
//   FAULT_UNDER  folders, separated by ":"; calls on other files are neither counted nor changed
//   FAULT_AT     number of the call that fails, from 1; 0 for none
//   FAULT_KIND   error number, or "short" for a read or write of half the bytes
//   FAULT_STAYS  set if all later calls fail, too, as on a full disk
//   FAULT_COUNT  file to which the number of calls is written when the program ends

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

struct Settings {
    const char* under = std::getenv("FAULT_UNDER");
    const char* kind = std::getenv("FAULT_KIND");
    const char* count = std::getenv("FAULT_COUNT");
    long at = std::getenv("FAULT_AT") ? std::atol(std::getenv("FAULT_AT")) : 0;
    bool stays = std::getenv("FAULT_STAYS") != nullptr;
    bool isShort = kind && std::strcmp(kind, "short") == 0;
    int error = kind && !isShort ? std::atoi(kind) : EIO;
};

const Settings& settings()
{
    static const Settings all;
    return all;
}

std::atomic<long> s_calls = 0;

/// True if a path lies below one of the watched folders.
bool isUnder(const char* path)
{
    const char* folder = settings().under;
    while (path && folder && *folder) {
        const char* const colon = std::strchr(folder, ':');
        const std::size_t size = colon ? std::size_t(colon - folder) : std::strlen(folder);
        if (size > 0 && std::strncmp(path, folder, size) == 0)
            return true;
        folder = colon ? colon + 1 : nullptr;
    }
    return false;
}

/// True if a descriptor is of a file below the watched folders. Asks the system each time, because the C library closes descriptors without
/// close(), and their numbers are used again.
bool isWatched(int descriptor)
{
    std::array<char, 32> link{};
    std::array<char, 4096> path{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
    return descriptor >= 0 && ::syscall(SYS_readlink, link.data(), path.data(), path.size() - 1) > 0 && isUnder(path.data());
}

/// Counts a call; returns true if it must fail.
bool isFault()
{
    const long call = ++s_calls;
    const long at = settings().at;
    return at > 0 && (call == at || (settings().stays && call > at));
}

/// Counts a call that cannot be short; returns true, with errno set, if it must fail.
bool failsWith()
{
    if (!isFault() || settings().isShort)
        return false;
    errno = settings().error;
    return true;
}

template <typename Function> Function* original(const char* name) { return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name)); }

/// Runs a read or write of `size` bytes on a watched file, with all, half or none of the bytes.
template <typename Run> ssize_t transfer(int descriptor, std::size_t size, const Run& run)
{
    if (!isWatched(descriptor) || !isFault())
        return run(size);
    if (settings().isShort)
        return run(size > 1 ? size / 2 : size);
    errno = settings().error;
    return -1;
}

int openAt(const char* name, int folder, const char* path, int flags, mode_t mode)
{
    if (isUnder(path) && failsWith())
        return -1;
    return original<int(int, const char*, int, mode_t)>(name)(folder, path, flags, mode);
}

mode_t modeOf(int flags, va_list arguments) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : mode_t{0}; }

struct AtEnd {
    ~AtEnd()
    {
        const char* const path = settings().count;
        const int file =
            path ? original<int(int, const char*, int, mode_t)>("openat")(AT_FDCWD, path, O_CREAT | O_TRUNC | O_WRONLY, 0600) : -1;
        if (file < 0)
            return;
        std::array<char, 32> text{};
        long number = s_calls;
        std::size_t at = text.size();
        do
            text[--at] = char('0' + number % 10);
        while ((number /= 10) > 0);
        (void)!original<ssize_t(int, const void*, std::size_t)>("write")(file, text.data() + at, text.size() - at);
    }
};
const AtEnd s_atEnd;

} // namespace

extern "C" {

int open(const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openAt("openat", AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openAt("openat64", AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openAt("openat", folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openAt("openat64", folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode)
{
    if (isUnder(path) && failsWith())
        return nullptr;
    return original<FILE*(const char*, const char*)>("fopen")(path, mode);
}
FILE* fopen64(const char* path, const char* mode)
{
    if (isUnder(path) && failsWith())
        return nullptr;
    return original<FILE*(const char*, const char*)>("fopen64")(path, mode);
}
ssize_t read(int descriptor, void* bytes, std::size_t size)
{
    static auto* const call = original<ssize_t(int, void*, std::size_t)>("read");
    return transfer(descriptor, size, [&](std::size_t most) { return call(descriptor, bytes, most); });
}
ssize_t pread64(int descriptor, void* bytes, std::size_t size, off64_t offset)
{
    static auto* const call = original<ssize_t(int, void*, std::size_t, off64_t)>("pread64");
    return transfer(descriptor, size, [&](std::size_t most) { return call(descriptor, bytes, most, offset); });
}
ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) { return pread64(descriptor, bytes, size, offset); }
ssize_t write(int descriptor, const void* bytes, std::size_t size)
{
    static auto* const call = original<ssize_t(int, const void*, std::size_t)>("write");
    return transfer(descriptor, size, [&](std::size_t most) { return call(descriptor, bytes, most); });
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t offset)
{
    static auto* const call = original<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
    return transfer(descriptor, size, [&](std::size_t most) { return call(descriptor, bytes, most, offset); });
}
ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) { return pwrite64(descriptor, bytes, size, offset); }
ssize_t writev(int descriptor, const iovec* parts, int count)
{
    if (isWatched(descriptor) && failsWith())
        return -1;
    return original<ssize_t(int, const iovec*, int)>("writev")(descriptor, parts, count);
}
void* mmap64(void* place, std::size_t size, int protection, int flags, int descriptor, off64_t offset)
{
    static auto* const call = original<void*(void*, std::size_t, int, int, int, off64_t)>("mmap64");
    if (isWatched(descriptor) && failsWith())
        return MAP_FAILED;
    return call(place, size, protection, flags, descriptor, offset);
}
void* mmap(void* place, std::size_t size, int protection, int flags, int descriptor, off_t offset)
{
    return mmap64(place, size, protection, flags, descriptor, offset);
}
int fstat(int descriptor, struct stat* status)
{
    if (isWatched(descriptor) && failsWith())
        return -1;
    return original<int(int, struct stat*)>("fstat")(descriptor, status);
}
int ftruncate64(int descriptor, off64_t size)
{
    if (isWatched(descriptor) && failsWith())
        return -1;
    return original<int(int, off64_t)>("ftruncate64")(descriptor, size);
}
int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }
int fsync(int descriptor)
{
    if (isWatched(descriptor) && failsWith())
        return -1;
    return original<int(int)>("fsync")(descriptor);
}
int fdatasync(int descriptor)
{
    if (isWatched(descriptor) && failsWith())
        return -1;
    return original<int(int)>("fdatasync")(descriptor);
}
int rename(const char* from, const char* to)
{
    if ((isUnder(from) || isUnder(to)) && failsWith())
        return -1;
    return original<int(const char*, const char*)>("rename")(from, to);
}
int mkdir(const char* path, mode_t mode)
{
    if (isUnder(path) && failsWith())
        return -1;
    return original<int(const char*, mode_t)>("mkdir")(path, mode);
}

} // extern "C"
