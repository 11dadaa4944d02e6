#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace helio {

/// How many threads are worth beginning for work that takes all of a core: at most `most`.
inline std::size_t threadsWorthwhile(std::size_t most) { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most); }

/// Calls work(i) for each i below `count`, at once: the first here, the others on threads of their own; where there can be no more of
/// these, not for the last ones. So each must be able to do all that is to be done. Returns once all have returned.
///
/// Errors: the first exception that a call throws is thrown here once all calls have returned.
template <typename Work> void sideBySide(std::size_t count, const Work& work)
{
    std::mutex mutex;
    std::exception_ptr failure; // Guarded by the mutex.
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
                threads.emplace_back([&guarded, i] { guarded(i); });
        } catch (const std::system_error&) {
            // The threads that were begun do all the work.
        }
        guarded(std::size_t(0));
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace helio
