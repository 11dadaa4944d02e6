#pragma once

#include <cstdarg>
#include <cstddef>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <unistd.h>

// Parts of libraries for LD_PRELOAD, which replace functions of the C library. To be included by one file of a library, which must define
// openAt() and the functions for 64-bit offsets: this header defines open() and its variants, and the functions for other offsets.

namespace {

/// Returns the function of this name that the library replaces.
template <typename Function> Function* original(const char* name) { return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name)); }

/// Opens a file as the function `name` of the C library does, "openat" or "openat64".
int openAt(const char* name, int folder, const char* path, int flags, mode_t mode);

/// Returns the mode that follows the flags of open(); 0 if there is none.
mode_t modeOf(int flags, va_list arguments)
{
    const bool hasMode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    return hasMode ? va_arg(arguments, mode_t) : mode_t{0};
}

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
int creat(const char* path, mode_t mode) { return openAt("openat", AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) { return pwrite64(descriptor, bytes, size, offset); }
int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }
int fallocate(int descriptor, int mode, off_t offset, off_t size) { return fallocate64(descriptor, mode, offset, size); }
int posix_fallocate(int descriptor, off_t offset, off_t size) { return posix_fallocate64(descriptor, offset, size); }

ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) { return sendfile64(to, from, offset, size); }

} // extern "C"
