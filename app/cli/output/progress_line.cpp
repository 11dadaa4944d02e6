#include "app/cli/output/progress_line.h"

#include <condition_variable>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <stop_token>
#include <unistd.h>
#include <utility>

namespace helio {
namespace {

using namespace std::chrono_literals;

void printUntil(const std::stop_token& stop, const std::function<std::string()>& text)
{
    std::mutex mutex;
    std::condition_variable_any tick;
    std::unique_lock lock(mutex);
    bool isShown = false;
    while (!tick.wait_for(lock, stop, 200ms, [] { return false; }) && !stop.stop_requested()) {
        fmt::print(stderr, "\r\033[K{}", text());
        std::fflush(stderr);
        isShown = true;
    }
    if (isShown)
        fmt::print(stderr, "\r\033[K");
}

} // namespace

ProgressLine::ProgressLine(std::function<std::string()> text, bool isQuiet)
{
    if (isQuiet || !isatty(STDERR_FILENO))
        return;
    try {
        m_thread = std::jthread([text = std::move(text)](const std::stop_token& stop) { printUntil(stop, text); });
    } catch (const std::exception&) { // If the system allows no more threads, show no progress.
    }
}

} // namespace helio
