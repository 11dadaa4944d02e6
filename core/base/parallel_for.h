#pragma once

#include "core/base/task_stop.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace helio {

/// Number of threads to start for CPU-bound work: the number of CPUs, between 1 and `most`.
inline std::size_t usefulThreadCount(std::size_t most) { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most); }

/// Calls work(i) concurrently for each i below `count`: work(0) on the calling thread, every other index on a thread of its own. Returns
/// once all calls have returned. If the system cannot start a thread, the calls for the last indices are skipped; each call must therefore
/// be able to do all remaining work. The threads have the task stop of the caller (core/base/task_stop.h).
///
/// Errors: rethrows the first exception that a call threw, once all calls have returned.
template <typename Work> void parallelFor(std::size_t count, const Work& work)
{
    std::mutex mutex;
    std::exception_ptr failure; // First exception that a call of `work` threw. Guarded by `mutex`.
    const auto guarded = [&](std::size_t i) {
        try {
            work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> threads;
        try {
            for (std::size_t i = 1; i < count; ++i)
                threads.emplace_back([&guarded, i, stop = TaskStop::current()] {
                    const TaskStop task(stop);
                    guarded(i);
                });
        } catch (const std::system_error&) {
            // Not all threads could be started. The threads that run take over the remaining work: each call of `work` can process
            // everything that is left.
        }
        guarded(std::size_t(0));
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace helio
