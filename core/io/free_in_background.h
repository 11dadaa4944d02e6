#pragma once

#include <cstdint>
#include <system_error>
#include <thread>

namespace helio {

/// Size in bytes below which a thread costs more than freeing the memory.
constexpr std::uint64_t BackgroundFreeBytes = std::uint64_t(64) << 20;

/// Calls `free`, which releases `bytes` bytes of pages that have no other user (a mapping, the last descriptor of an unnamed file). At
/// least BackgroundFreeBytes bytes are released in a thread of their own: the kernel takes 0.1 s for a gigabyte, and a user who cancels
/// would wait for it.
///
/// `free` is called once, possibly after the process began to exit: it must only access the objects that it captured.
template <typename Free> void freeInBackground(std::uint64_t bytes, Free free) noexcept
{
    if (bytes >= BackgroundFreeBytes) {
        try {
            std::thread(free).detach();
            return;
        } catch (const std::system_error&) { // The system gives no more threads: free in this thread.
        }
    }
    free();
}

} // namespace helio
