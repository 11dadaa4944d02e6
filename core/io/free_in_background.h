#pragma once

#include <cstdint>
#include <exception>
#include <thread>

namespace helio {

/// Size in bytes below which starting a thread costs more than freeing the memory directly.
constexpr std::uint64_t BackgroundFreeBytes = std::uint64_t(64) << 20;

/// Calls `free`, which releases `bytes` bytes of pages that have no other user (a mapping, the last descriptor of an unnamed file). From
/// BackgroundFreeBytes on, the call runs in a thread of its own: the kernel needs 0.1 s per gigabyte, and a user who cancels would wait for
/// it.
///
/// `free` is called once, possibly after the process has begun to exit. It may therefore access only the objects that it captured.
template <typename Free> void freeInBackground(std::uint64_t bytes, Free free) noexcept
{
    if (bytes >= BackgroundFreeBytes) {
        try {
            std::thread(free).detach();
            return;
        } catch (const std::exception&) { // If the system cannot start a thread, free the memory in this thread.
        }
    }
    free();
}

} // namespace helio
