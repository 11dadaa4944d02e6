// A library for LD_PRELOAD that counts the calls of a program to the C library that work on files below some folders, or without a path
// (pipes, processes, threads, memory), and lets one of them fail. Settings are environment variables:
//   FAULT_PROGRAM  name of the program in which calls are counted [heliograph]; programs that it starts stay as they are
//   FAULT_UNDER    folders, separated by ":"; calls on other files are neither counted nor changed
//   FAULT_CALLS    names of the calls that are counted, separated by ","; without it, all calls on files. "pthread_create", "new" (operator
//                  new) and "malloc" (blocks of 64 KiB and more) are counted only if they are named here
//   FAULT_AT       number of the call that fails, from 1; 0 for none
//   FAULT_KIND     what happens to this call:
//                    error number: the call fails with it
//                    "short": reads and writes transfer half the bytes
//                    "shrink": the call succeeds, then another program seems to cut the file to half its size
//                    "grow": the call succeeds, then another program seems to append to the file
//                    "larger", "smaller": a call that returns a file's size returns twice or half the size
//   FAULT_CHANGED  folders in which files shrink and grow [FAULT_UNDER]
//   FAULT_STAYS    set if all later calls fail, too, as on a full disk
//   FAULT_COUNT    file to which "NUMBER HIT" is written when the program ends: the number of calls, and name and path of the call that
//                  failed first
//   FAULT_LOG      file to which all calls that are counted are written, a line each

#include "tests/support/preloaded_calls.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

constexpr std::size_t LargeBlock = std::size_t(64) << 10; ///< Size in bytes from which memory counts as "malloc".

enum class Fault { Error, Short, Shrink, Grow, Larger, Smaller };

Fault faultNamed(const char* kind)
{
    constexpr std::array<const char*, 6> Names{"", "short", "shrink", "grow", "larger", "smaller"};
    for (std::size_t i = 1; i < Names.size(); ++i)
        if (kind && std::strcmp(kind, Names[i]) == 0)
            return Fault(i);
    return Fault::Error;
}

/// True if `list`, whose items are separated by `separator`, has the item `name`.
bool isListed(const char* list, const char* name)
{
    const std::size_t size = std::strlen(name);
    for (const char* at = list; at; at = std::strchr(at, ',') ? std::strchr(at, ',') + 1 : nullptr)
        if (std::strncmp(at, name, size) == 0 && (at[size] == ',' || at[size] == '\0'))
            return true;
    return false;
}

struct Settings {
    const char* program = std::getenv("FAULT_PROGRAM") ? std::getenv("FAULT_PROGRAM") : "heliograph";
    bool isOn = std::strcmp(program_invocation_short_name, program) == 0;
    const char* under = std::getenv("FAULT_UNDER");
    const char* changed = std::getenv("FAULT_CHANGED") ? std::getenv("FAULT_CHANGED") : under;
    const char* calls = std::getenv("FAULT_CALLS");
    const char* count = std::getenv("FAULT_COUNT");
    const char* log = std::getenv("FAULT_LOG");
    long at = std::getenv("FAULT_AT") ? std::atol(std::getenv("FAULT_AT")) : 0;
    bool stays = std::getenv("FAULT_STAYS") != nullptr;
    Fault fault = faultNamed(std::getenv("FAULT_KIND"));
    int error = fault == Fault::Error && std::getenv("FAULT_KIND") ? std::atoi(std::getenv("FAULT_KIND")) : EIO;
    bool countsNew = calls && isListed(calls, "new");
    bool countsMemory = calls && isListed(calls, "malloc");
};

const Settings& settings()
{
    static const Settings all;
    return all;
}

std::atomic<long> s_calls = 0;
std::atomic<bool> s_isInMain = false; ///< True while main() runs: allocations before and after it are not counted.
std::atomic<bool> s_isHit = false;
std::array<char, 512> s_hit{}; ///< Name and path of the call that failed first.
int s_log = -1;

/// True if a path lies below one of `folders`.
bool isUnder(const char* path, const char* folders)
{
    const char* folder = folders;
    while (path && folder && *folder) {
        const char* const colon = std::strchr(folder, ':');
        const std::size_t size = colon ? std::size_t(colon - folder) : std::strlen(folder);
        if (size > 0 && std::strncmp(path, folder, size) == 0)
            return true;
        folder = colon ? colon + 1 : nullptr;
    }
    return false;
}

/// True if calls on this path are counted. Files in memory count, too.
bool isWatchedPath(const char* path)
{
    constexpr const char* MemoryFiles = "/memfd:heliograph";
    return settings().isOn && (isUnder(path, settings().under) || isUnder(path, MemoryFiles));
}

/// Writes the path of a descriptor to `path`; returns false if there is none. Asks the system each time, because the C library closes
/// descriptors without close(), and their numbers are used again.
using Path = std::array<char, 4096>;
bool findPath(int descriptor, Path& path)
{
    std::array<char, 32> link{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
    const long size = descriptor >= 0 ? ::syscall(SYS_readlink, link.data(), path.data(), path.size() - 1) : -1;
    path[size > 0 ? std::size_t(size) : 0] = '\0';
    return size > 0;
}

/// Path to which `path` refers, relative to the folder of `descriptor`. `room` holds the result where one is composed.
const char* fullPath(int descriptor, const char* path, Path& room)
{
    if (!path || path[0] == '/' || descriptor == AT_FDCWD || !findPath(descriptor, room) || path[0] == '\0')
        return path && path[0] ? path : room.data();
    const std::size_t size = std::strlen(room.data());
    std::snprintf(room.data() + size, room.size() - size, "/%s", path);
    return room.data();
}

/// Changes the size of a file as another program would.
void changeSize(const char* path)
{
    struct stat status = {};
    const int file = isUnder(path, settings().changed) ? int(::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)) : -1;
    if (file < 0)
        return;
    if (::syscall(SYS_fstat, file, &status) == 0 && S_ISREG(status.st_mode)) {
        const long size = settings().fault == Fault::Shrink ? status.st_size / 2 : status.st_size + 5000;
        (void)!::syscall(SYS_ftruncate, file, size);
    }
    ::syscall(SYS_close, file);
}

int openForWriting(const char* path) { return int(::syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600)); }

void writeCount()
{
    const int file = settings().isOn && settings().count ? openForWriting(settings().count) : -1;
    if (file < 0)
        return;
    std::array<char, 600> text{};
    const int size = std::snprintf(text.data(), text.size(), "%ld %s", s_calls.load(), s_hit.data());
    (void)!::syscall(SYS_write, file, text.data(), size);
    ::syscall(SYS_close, file);
}

/// One call that a program makes, from its begin to the end of its scope.
class Call {
public:
    /// `path` is nullptr for a call without a file.
    Call(const char* name, const char* path)
        : m_path(path ? path : "")
    {
        if (settings().calls && !isListed(settings().calls, name))
            return;
        const long call = ++s_calls;
        if (s_log >= 0) {
            std::array<char, 4200> line{};
            const int size = std::snprintf(line.data(), line.size(), "%ld %s %s\n", call, name, m_path);
            (void)!::syscall(SYS_write, s_log, line.data(), size);
        }
        const long at = settings().at;
        m_isHit = at > 0 && (call == at || (settings().stays && call > at));
        if (m_isHit && !s_isHit.exchange(true)) {
            std::snprintf(s_hit.data(), s_hit.size(), "%s %s", name, m_path);
            writeCount(); // The program may crash.
        }
    }
    ~Call()
    {
        if (!is(Fault::Shrink) && !is(Fault::Grow))
            return;
        const int error = errno;
        changeSize(m_path);
        errno = error;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    bool is(Fault fault) const { return m_isHit && settings().fault == fault; }
    /// True, with errno set, if the call must fail.
    bool fails() const
    {
        if (!is(Fault::Error))
            return false;
        errno = settings().error;
        return true;
    }

private:
    const char* m_path;
    bool m_isHit = false;
};

/// Runs a call on a path; returns `failure`, with errno set, if it must fail.
template <typename Result, typename Run> Result onPath(const char* name, const char* path, Result failure, const Run& run)
{
    if (!isWatchedPath(path))
        return run();
    const Call call(name, path);
    return call.fails() ? failure : run();
}

/// Runs a call on a path relative to a folder.
template <typename Result, typename Run> Result onPathAt(const char* name, int folder, const char* path, Result failure, const Run& run)
{
    Path room{};
    return onPath(name, settings().isOn ? fullPath(folder, path, room) : nullptr, failure, run);
}

/// Runs a call on a descriptor.
template <typename Result, typename Run> Result onFile(const char* name, int descriptor, Result failure, const Run& run)
{
    Path path{};
    return onPath(name, settings().isOn && findPath(descriptor, path) ? path.data() : nullptr, failure, run);
}

/// Runs a call without a file.
template <typename Result, typename Run> Result onSystem(const char* name, Result failure, const Run& run)
{
    if (!settings().isOn || !s_isInMain)
        return run();
    const Call call(name, nullptr);
    return call.fails() ? failure : run();
}

/// Runs a call on a descriptor that reads or writes `size` bytes, with all, half or none of the bytes.
template <typename Run> ssize_t transfer(const char* name, int descriptor, std::size_t size, const Run& run)
{
    Path path{};
    if (!settings().isOn || !findPath(descriptor, path) || !isWatchedPath(path.data()))
        return run(size);
    const Call call(name, path.data());
    if (call.fails())
        return -1;
    return run(call.is(Fault::Short) && size > 1 ? size / 2 : size);
}

/// Runs a call that finds the size of a file, and changes that size if it must be wrong.
template <typename Size, typename Run> int findSize(const char* name, const char* path, Size& size, const Run& run)
{
    if (!isWatchedPath(path))
        return run();
    const Call call(name, path);
    if (call.fails())
        return -1;
    const int result = run();
    if (result == 0 && call.is(Fault::Larger))
        size = size * 2 + 1;
    if (result == 0 && call.is(Fault::Smaller))
        size /= 2;
    return result;
}

int openAt(const char* name, int folder, const char* path, int flags, mode_t mode)
{
    return onPathAt("open", folder, path, -1,
                    [&] { return original<int(int, const char*, int, mode_t)>(name)(folder, path, flags, mode); });
}

/// True if this allocation must fail.
bool isOutOfMemory(const char* name)
{
    const bool isCounted = s_isInMain && settings().isOn;
    return isCounted && Call(name, nullptr).is(Fault::Error);
}

bool failsLarge(std::size_t size)
{
    if (size < LargeBlock || !s_isInMain || !settings().countsMemory || !isOutOfMemory("malloc"))
        return false;
    errno = ENOMEM;
    return true;
}

/// Sets `*found` if the frame is of a directory iterator of libstdc++.
_Unwind_Reason_Code findDirectoryIterator(_Unwind_Context* context, void* found)
{
    Dl_info symbol = {};
    const bool isNamed = ::dladdr(reinterpret_cast<void*>(_Unwind_GetIP(context)), &symbol) != 0 && symbol.dli_sname;
    if (!isNamed || !std::strstr(symbol.dli_sname, "directory_iterator"))
        return _URC_NO_REASON;
    *static_cast<bool*>(found) = true;
    return _URC_END_OF_STACK;
}

/// True if a directory iterator of libstdc++ allocates: it does that in functions that may not throw, and no program survives it.
bool isInDirectoryIterator()
{
    bool found = false;
    _Unwind_Backtrace(findDirectoryIterator, &found);
    return found;
}

void* allocated(std::size_t size, std::size_t alignment)
{
    if (s_isInMain && settings().countsNew && isOutOfMemory("new") && !isInDirectoryIterator())
        return nullptr;
    if (failsLarge(size))
        return nullptr;
    return alignment > 0 ? __libc_memalign(alignment, size > 0 ? size : 1) : __libc_malloc(size > 0 ? size : 1);
}

void* allocatedOrThrow(std::size_t size, std::size_t alignment)
{
    if (void* const block = allocated(size, alignment))
        return block;
    throw std::bad_alloc();
}

struct WholeRun {
    WholeRun()
    {
        if (settings().isOn && settings().log)
            s_log = openForWriting(settings().log);
    }
    ~WholeRun() { writeCount(); }
};
const WholeRun s_wholeRun;

using Main = int(int, char**, char**);
Main* s_main = nullptr;

int countedMain(int argc, char** argv, char** environment)
{
    s_isInMain = true;
    const int status = s_main(argc, argv, environment);
    s_isInMain = false;
    return status;
}

} // namespace

void* operator new(std::size_t size) { return allocatedOrThrow(size, 0); }
void* operator new[](std::size_t size) { return allocatedOrThrow(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocatedOrThrow(size, std::size_t(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocatedOrThrow(size, std::size_t(alignment)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocated(size, 0); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocated(size, 0); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

// A call `name` of the C library on a path, on a path below a folder, and on a descriptor. `parameters` and `arguments` are in brackets.
#define ON_PATH(result, name, path, failure, parameters, arguments)                                                                        \
    result name parameters                                                                                                                 \
    {                                                                                                                                      \
        static auto* const call = original<result parameters>(#name);                                                                      \
        return onPath<result>(#name, path, failure, [&] { return call arguments; });                                                       \
    }
#define ON_PATH_AT(result, name, folder, path, failure, parameters, arguments)                                                             \
    result name parameters                                                                                                                 \
    {                                                                                                                                      \
        static auto* const call = original<result parameters>(#name);                                                                      \
        return onPathAt<result>(#name, folder, path, failure, [&] { return call arguments; });                                             \
    }
#define ON_FILE(result, name, descriptor, failure, parameters, arguments)                                                                  \
    result name parameters                                                                                                                 \
    {                                                                                                                                      \
        static auto* const call = original<result parameters>(#name);                                                                      \
        return onFile<result>(#name, descriptor, failure, [&] { return call arguments; });                                                 \
    }
#define ON_SYSTEM(result, name, failure, parameters, arguments)                                                                            \
    result name parameters                                                                                                                 \
    {                                                                                                                                      \
        static auto* const call = original<result parameters>(#name);                                                                      \
        return onSystem<result>(#name, failure, [&] { return call arguments; });                                                           \
    }
// A call on a descriptor that transfers `size` bytes.
#define TRANSFER(name, descriptor, size, parameters, arguments)                                                                            \
    ssize_t name parameters                                                                                                                \
    {                                                                                                                                      \
        static auto* const call = original<ssize_t parameters>(#name);                                                                     \
        return transfer(#name, descriptor, size, [&](std::size_t most) { return call arguments; });                                        \
    }

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*end)(), void* stackEnd)
{
    s_main = main;
    static auto* const call = original<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main");
    return call(countedMain, argc, argv, init, fini, end, stackEnd);
}

void* malloc(std::size_t size) { return failsLarge(size) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return failsLarge(count * size) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* block, std::size_t size) { return failsLarge(size) ? nullptr : __libc_realloc(block, size); }

int fcntl(int descriptor, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    static auto* const call = original<int(int, int, void*)>("fcntl");
    const bool isCounted = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW
        || command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    return isCounted ? onFile("fcntl", descriptor, -1, [&] { return call(descriptor, command, argument); })
                     : call(descriptor, command, argument);
}
int fcntl64(int descriptor, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void* const argument = va_arg(arguments, void*);
    va_end(arguments);
    return fcntl(descriptor, command, argument);
}
int close(int descriptor)
{
    static auto* const call = original<int(int)>("close");
    Path path{};
    if (!settings().isOn || !findPath(descriptor, path) || !isWatchedPath(path.data()))
        return call(descriptor);
    const Call counted("close", path.data());
    const int result = call(descriptor); // A close that fails has closed the descriptor nevertheless.
    return counted.fails() ? -1 : result;
}

ON_PATH(FILE*, fopen, path, nullptr, (const char* path, const char* mode), (path, mode))
ON_PATH(FILE*, fopen64, path, nullptr, (const char* path, const char* mode), (path, mode))
TRANSFER(read, descriptor, size, (int descriptor, void* bytes, std::size_t size), (descriptor, bytes, most))
TRANSFER(pread64, descriptor, size, (int descriptor, void* bytes, std::size_t size, off64_t offset), (descriptor, bytes, most, offset))
TRANSFER(write, descriptor, size, (int descriptor, const void* bytes, std::size_t size), (descriptor, bytes, most))
TRANSFER(pwrite64, descriptor, size, (int descriptor, const void* bytes, std::size_t size, off64_t offset),
         (descriptor, bytes, most, offset))
TRANSFER(copy_file_range, in, size, (int in, off64_t* inAt, int out, off64_t* outAt, std::size_t size, unsigned flags),
         (in, inAt, out, outAt, most, flags))
TRANSFER(sendfile64, in, size, (int out, int in, off64_t* offset, std::size_t size), (out, in, offset, most))
ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) { return pread64(descriptor, bytes, size, offset); }
ON_FILE(ssize_t, readv, descriptor, -1, (int descriptor, const iovec* parts, int count), (descriptor, parts, count))
ON_FILE(ssize_t, writev, descriptor, -1, (int descriptor, const iovec* parts, int count), (descriptor, parts, count))
ON_FILE(void*, mmap64, descriptor, MAP_FAILED, (void* place, std::size_t size, int protection, int flags, int descriptor, off64_t offset),
        (place, size, protection, flags, descriptor, offset))
void* mmap(void* place, std::size_t size, int protection, int flags, int descriptor, off_t offset)
{
    return mmap64(place, size, protection, flags, descriptor, offset);
}
void* mremap(void* block, std::size_t oldSize, std::size_t size, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    void* const place = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void*) : nullptr;
    va_end(arguments);
    static auto* const call = original<void*(void*, std::size_t, std::size_t, int, void*)>("mremap");
    return onSystem("mremap", MAP_FAILED, [&] { return call(block, oldSize, size, flags, place); });
}
ON_SYSTEM(int, msync, -1, (void* block, std::size_t size, int flags), (block, size, flags))
ON_FILE(int, ftruncate64, descriptor, -1, (int descriptor, off64_t size), (descriptor, size))
ON_PATH(int, truncate, path, -1, (const char* path, off_t size), (path, size))
ON_PATH(int, truncate64, path, -1, (const char* path, off64_t size), (path, size))
ON_FILE(int, fallocate64, descriptor, -1, (int descriptor, int mode, off64_t offset, off64_t size), (descriptor, mode, offset, size))
ON_FILE(int, posix_fallocate64, descriptor, errno, (int descriptor, off64_t offset, off64_t size), (descriptor, offset, size))
// Tests need not wait for the disk.
int fsync(int descriptor)
{
    return onFile("fsync", descriptor, -1, [] { return 0; });
}
int fdatasync(int descriptor)
{
    return onFile("fdatasync", descriptor, -1, [] { return 0; });
}
int syncfs(int descriptor)
{
    return onFile("syncfs", descriptor, -1, [] { return 0; });
}
int sync_file_range(int descriptor, off64_t, off64_t, unsigned)
{
    return onFile("sync_file_range", descriptor, -1, [] { return 0; });
}
ON_FILE(int, flock, descriptor, -1, (int descriptor, int operation), (descriptor, operation))
ON_FILE(int, dup, descriptor, -1, (int descriptor), (descriptor))
ON_FILE(int, fchmod, descriptor, -1, (int descriptor, mode_t mode), (descriptor, mode))
ON_FILE(int, fstatfs64, descriptor, -1, (int descriptor, struct statfs64* status), (descriptor, status))
ON_FILE(int, fstatvfs64, descriptor, -1, (int descriptor, struct statvfs64* status), (descriptor, status))
ON_FILE(DIR*, fdopendir, descriptor, nullptr, (int descriptor), (descriptor))
ON_PATH(DIR*, opendir, path, nullptr, (const char* path), (path))
ON_PATH(int, mkdir, path, -1, (const char* path, mode_t mode), (path, mode))
ON_PATH_AT(int, mkdirat, folder, path, -1, (int folder, const char* path, mode_t mode), (folder, path, mode))
ON_PATH(char*, mkdtemp, path, nullptr, (char* path), (path))
ON_PATH(int, rename, isWatchedPath(from) ? from : to, -1, (const char* from, const char* to), (from, to))
ON_PATH_AT(int, renameat, folder, from, -1, (int folder, const char* from, int toFolder, const char* to), (folder, from, toFolder, to))
ON_PATH_AT(int, renameat2, folder, from, -1, (int folder, const char* from, int toFolder, const char* to, unsigned flags),
           (folder, from, toFolder, to, flags))
ON_PATH(int, link, to, -1, (const char* from, const char* to), (from, to))
ON_PATH_AT(int, linkat, toFolder, to, -1, (int folder, const char* from, int toFolder, const char* to, int flags),
           (folder, from, toFolder, to, flags))
ON_PATH(int, symlink, to, -1, (const char* from, const char* to), (from, to))
ON_PATH(int, unlink, path, -1, (const char* path), (path))
ON_PATH_AT(int, unlinkat, folder, path, -1, (int folder, const char* path, int flags), (folder, path, flags))
ON_PATH(int, remove, path, -1, (const char* path), (path))
ON_PATH(int, rmdir, path, -1, (const char* path), (path))
ON_PATH(int, chmod, path, -1, (const char* path, mode_t mode), (path, mode))
ON_PATH(int, access, path, -1, (const char* path, int mode), (path, mode))
ON_PATH_AT(int, faccessat, folder, path, -1, (int folder, const char* path, int mode, int flags), (folder, path, mode, flags))
ON_PATH_AT(int, utimensat, folder, path, -1, (int folder, const char* path, const timespec* times, int flags), (folder, path, times, flags))
ON_PATH(ssize_t, readlink, path, -1, (const char* path, char* to, std::size_t size), (path, to, size))
ON_PATH(char*, realpath, path, nullptr, (const char* path, char* to), (path, to))
ON_PATH(int, statfs64, path, -1, (const char* path, struct statfs64* status), (path, status))
ON_PATH(int, statvfs64, path, -1, (const char* path, struct statvfs64* status), (path, status))

dirent* readdir64OfFolder(DIR* folder)
{
    static auto* const call = original<dirent*(DIR*)>("readdir64");
    return onFile<dirent*>("readdir", ::dirfd(folder), nullptr, [&] { return call(folder); });
}
dirent* readdir(DIR* folder) { return readdir64OfFolder(folder); }
dirent64* readdir64(DIR* folder) { return reinterpret_cast<dirent64*>(readdir64OfFolder(folder)); }

int fstat(int descriptor, struct stat* status)
{
    static auto* const call = original<int(int, struct stat*)>("fstat");
    Path path{};
    const bool isKnown = settings().isOn && findPath(descriptor, path);
    return findSize("stat", isKnown ? path.data() : nullptr, status->st_size, [&] { return call(descriptor, status); });
}
int fstat64(int descriptor, struct stat64* status) { return fstat(descriptor, reinterpret_cast<struct stat*>(status)); }
int stat(const char* path, struct stat* status)
{
    static auto* const call = original<int(const char*, struct stat*)>("stat");
    return findSize("stat", path, status->st_size, [&] { return call(path, status); });
}
int stat64(const char* path, struct stat64* status) { return stat(path, reinterpret_cast<struct stat*>(status)); }
int lstat(const char* path, struct stat* status)
{
    static auto* const call = original<int(const char*, struct stat*)>("lstat");
    return findSize("stat", path, status->st_size, [&] { return call(path, status); });
}
int lstat64(const char* path, struct stat64* status) { return lstat(path, reinterpret_cast<struct stat*>(status)); }
int fstatat(int folder, const char* path, struct stat* status, int flags)
{
    static auto* const call = original<int(int, const char*, struct stat*, int)>("fstatat");
    Path room{};
    return findSize("stat", settings().isOn ? fullPath(folder, path, room) : nullptr, status->st_size,
                    [&] { return call(folder, path, status, flags); });
}
int fstatat64(int folder, const char* path, struct stat64* status, int flags)
{
    return fstatat(folder, path, reinterpret_cast<struct stat*>(status), flags);
}
int statx(int folder, const char* path, int flags, unsigned mask, struct statx* status)
{
    static auto* const call = original<int(int, const char*, int, unsigned, struct statx*)>("statx");
    Path room{};
    return findSize("stat", settings().isOn ? fullPath(folder, path, room) : nullptr, status->stx_size,
                    [&] { return call(folder, path, flags, mask, status); });
}

ON_SYSTEM(int, memfd_create, -1, (const char* name, unsigned flags), (name, flags))
ON_SYSTEM(int, pipe, -1, (int* ends), (ends))
ON_SYSTEM(int, pipe2, -1, (int* ends, int flags), (ends, flags))
ON_SYSTEM(int, socketpair, -1, (int domain, int type, int protocol, int* ends), (domain, type, protocol, ends))
ON_SYSTEM(pid_t, fork, -1, (), ())
ON_SYSTEM(int, posix_spawn, errno,
          (pid_t * id, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
           char* const* arguments, char* const* environment),
          (id, path, actions, attributes, arguments, environment))
ON_SYSTEM(int, posix_spawnp, errno,
          (pid_t * id, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
           char* const* arguments, char* const* environment),
          (id, path, actions, attributes, arguments, environment))

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument)
{
    static auto* const call = original<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    if (settings().isOn && s_isInMain && settings().calls && isListed(settings().calls, "pthread_create")
        && Call("pthread_create", nullptr).is(Fault::Error))
        return EAGAIN;
    return call(thread, attributes, run, argument);
}

} // extern "C"
