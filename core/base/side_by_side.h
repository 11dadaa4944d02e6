#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace helio {

/// How many threads are worth beginning for work that takes all of a core: at most `most`.
inline std::size_t threadsWorthwhile(std::size_t most) { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most); }

/// Calls work(i) for each i below `count`, at once: the first here, the others on threads of their own; where there can be no more of
/// these, not for the last ones. So each must be able to do all that is to be done. Returns once all have returned.
template <typename Work> void sideBySide(std::size_t count, const Work& work)
{
    std::vector<std::jthread> threads;
    try {
        for (std::size_t i = 1; i < count; ++i)
            threads.emplace_back([&work, i] { work(i); });
    } catch (const std::system_error&) {
        // Those that are there do it all.
    }
    work(std::size_t(0));
}

} // namespace helio
