#pragma once

#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>

namespace helio::test {

/// Number of threads that the process may still create; -1 for no limit.
inline std::atomic<int> threadsLeft{-1};

/// While an instance exists, the process can create at most `left` more threads, like with a limit on processes (RLIMIT_NPROC). Only one
/// file of a test program may include this header, because it replaces pthread_create().
class ThreadLimit {
public:
    explicit ThreadLimit(int left) { threadsLeft = left; }
    ~ThreadLimit() { threadsLeft = -1; }
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;
};

} // namespace helio::test

/// Replaces the C library's function: fails with EAGAIN if no threads are left according to ThreadLimit, otherwise calls the C library.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) noexcept
{
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (helio::test::threadsLeft >= 0 && helio::test::threadsLeft-- <= 0) {
        helio::test::threadsLeft = 0;
        return EAGAIN;
    }
    return create(thread, attributes, run, argument);
}
