#pragma once

#include <cstdint>
#include <system_error>
#include <thread>

namespace helio {

/// Below so many bytes a thread costs more than freeing them.
constexpr std::uint64_t LargeToFree = std::uint64_t(64) << 20;

/// Calls what frees so many bytes of pages that nobody else has (a map, the last descriptor of a file without a name): of something large
/// in a thread of its own, as the kernel takes a tenth of a second for a gigabyte, and whoever cancels would wait.
///
/// `free` is called once, perhaps after the process began to exit: it may touch nothing but what it was given.
template <typename Free> void freeInBackground(std::uint64_t bytes, Free free) noexcept
{
    if (bytes >= LargeToFree) {
        try {
            std::thread(free).detach();
            return;
        } catch (const std::system_error&) { // no more threads: then here
        }
    }
    free();
}

} // namespace helio
